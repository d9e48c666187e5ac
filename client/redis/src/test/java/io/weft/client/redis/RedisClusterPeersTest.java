package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.redis.RespValue;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client of clusters talks to one of two real nodes.
@Tag("peers")
@Timeout(300)
class RedisClusterPeersTest {
    private static final int HALF = KeySlot.SLOTS / 2;

    @TempDir private Path directory;
    private final List<Process> processes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<RedisClient> nodes = new ArrayList<>();
    private EventLoopGroup group;

    @BeforeEach
    void start() throws Exception {
        RedisPeer.assumeServer();
        group = EventLoopGroup.create("nio", 2);
        List<Integer> buses = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ports.add(Ports.free());
            buses.add(Ports.free());
            processes.add(serve(ports.get(i), buses.get(i)));
            nodes.add(
                    settings(RedisClient.builder(group))
                            .address("127.0.0.1", ports.get(i))
                            .start());
        }
        ask(0, "CLUSTER ADDSLOTSRANGE 0 " + (HALF - 1));
        ask(1, "CLUSTER ADDSLOTSRANGE " + HALF + " " + (KeySlot.SLOTS - 1));
        ask(1, "CLUSTER SET-CONFIG-EPOCH 2"); // or one of two equal epochs gives way later
        ask(0, "CLUSTER MEET 127.0.0.1 " + ports.get(1) + " " + buses.get(1));
        for (int i = 0; i < 2; i++) {
            while (!ask(i, "CLUSTER INFO").contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
        }
    }

    private Process serve(int port, int bus) throws IOException {
        Path own = Files.createDirectories(directory.resolve(String.valueOf(port)));
        return new ProcessBuilder(
                        "redis-server",
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--cluster-enabled",
                        "yes",
                        "--cluster-port",
                        String.valueOf(bus),
                        "--cluster-node-timeout",
                        "60000")
                .directory(own.toFile())
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("log").toFile())
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        nodes.forEach(RedisClient::close);
        if (group != null) {
            group.close();
        }
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    private static RedisClient.Builder settings(RedisClient.Builder builder) {
        return builder.limits(
                RedisClientLimits.DEFAULT.retries(Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    private String ask(int node, String line) {
        return text(nodes.get(node).send(line.split(" ", -1)));
    }

    private RedisCluster cluster() {
        return new RedisCluster(
                group, "127.0.0.1", ports.getFirst(), RedisClusterPeersTest::settings);
    }

    @Test
    void keysOfAllSlotsAreFoundBySlotsThatAreLearned() {
        try (RedisCluster cluster = cluster()) {
            List<Future<RespValue>> replies = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 500; i++) {
                    replies.add(cluster.send("INCR", "key" + i));
                }
            }
            for (int i = 0; i < 1000; i++) {
                assertThat(text(replies.get(i))).isIn("1", "2");
            }
            assertThat(ask(0, "DBSIZE")).isNotEqualTo("500");
            for (int i = 0; i < 500; i++) {
                assertThat(text(cluster.send("GET", "key" + i))).isEqualTo("2");
            }
        }
    }

    @Test
    void slotsThatMoveLoseNothing() {
        String first = ask(0, "CLUSTER MYID");
        String second = ask(1, "CLUSTER MYID");
        int slot = KeySlot.of("{a}".getBytes(US_ASCII));
        int from = slot < HALF ? 0 : 1;
        int to = 1 - from;
        String source = from == 0 ? first : second;
        String target = from == 0 ? second : first;
        try (RedisCluster cluster = cluster()) {
            for (int i = 0; i < 50; i++) {
                assertThat(text(cluster.send("SET", "{a}" + i, "v" + i))).isEqualTo("OK");
            }
            ask(to, "CLUSTER SETSLOT " + slot + " IMPORTING " + source);
            ask(from, "CLUSTER SETSLOT " + slot + " MIGRATING " + target);
            // Keys that are not there any more, or not yet, are asked for at the target.
            for (int i = 0; i < 25; i++) {
                ask(from, "MIGRATE 127.0.0.1 " + ports.get(to) + " {a}" + i + " 0 60000");
            }
            for (int i = 0; i < 50; i++) {
                assertThat(text(cluster.send("GET", "{a}" + i))).isEqualTo("v" + i);
            }
            assertThat(text(cluster.send("SET", "{a}new", "n"))).isEqualTo("OK");
            for (int i = 25; i < 50; i++) {
                ask(from, "MIGRATE 127.0.0.1 " + ports.get(to) + " {a}" + i + " 0 60000");
            }
            ask(to, "CLUSTER SETSLOT " + slot + " NODE " + target);
            ask(from, "CLUSTER SETSLOT " + slot + " NODE " + target);
            for (int i = 0; i < 50; i++) {
                assertThat(text(cluster.send("GET", "{a}" + i))).isEqualTo("v" + i);
            }
            assertThat(text(cluster.send("GET", "{a}new"))).isEqualTo("n");
            assertThat(ask(from, "CLUSTER COUNTKEYSINSLOT " + slot)).isEqualTo("0");
        }
    }

    @Test
    void nodesThatComeBackAreUsedAgain() throws Exception {
        try (RedisCluster cluster = cluster()) {
            for (int i = 0; i < 100; i++) {
                text(cluster.send("SET", "key" + i, "v"));
            }
            List<Future<RespValue>> broken = new ArrayList<>();
            ask(1, "CLIENT KILL TYPE NORMAL SKIPME YES");
            for (int i = 0; i < 100; i++) {
                broken.add(cluster.send("GET", "key" + i));
            }
            for (Future<RespValue> reply : broken) {
                try {
                    assertThat(text(reply)).isEqualTo("v");
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(RedisException.Disconnected.class);
                }
            }
            for (int i = 0; i < 100; i++) {
                assertThat(text(cluster.send("GET", "key" + i))).isEqualTo("v");
            }
        }
    }
}
