package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.memcache.BinaryStatus;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.testkit.Ports;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client talks to real memcacheds.
@Tag("peers")
@Timeout(300)
class MemcachePeersTest {
    private final List<Process> servers = new ArrayList<>();
    private EventLoopGroup group;
    private int port;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        Assumptions.assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "memcached"))),
                "memcached is not on the PATH (dev/install-peers.sh installs it)");
        port = Ports.free();
        servers.add(serve(port));
        group = EventLoopGroup.create("nio", 1);
    }

    private static Process serve(int port) throws IOException {
        return new ProcessBuilder(
                        "memcached",
                        "-l",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-U",
                        "0",
                        "-u",
                        "nobody",
                        "-I",
                        "8m")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        if (group != null) {
            group.close();
        }
        for (Process server : servers) {
            server.destroyForcibly().waitFor();
        }
    }

    private static MemcacheClient.Builder patient(MemcacheClient.Builder builder) {
        return builder.limits(
                MemcacheClientLimits.DEFAULT
                        .timeout(Duration.ofMinutes(2))
                        .retries(Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    private MemcacheClient client() {
        return patient(MemcacheClient.builder(group)).address("127.0.0.1", port).start();
    }

    private static String text(Future<Optional<Item>> got) {
        try (Item item = got.join().orElseThrow()) {
            return item.text();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void everyCommandIsAnswered() {
        try (MemcacheClient cache = client()) {
            assertThat(cache.set("k", "v").join()).isEqualTo(BinaryStatus.OK);
            assertThat(text(cache.get("k"))).isEqualTo("v");
            assertThat(cache.get("none").join()).isEmpty();
            assertThat(cache.add("k", bytes("x"), 0, Duration.ZERO).join())
                    .isEqualTo(BinaryStatus.KEY_EXISTS);
            assertThat(cache.replace("none", bytes("x"), 0, Duration.ZERO).join())
                    .isEqualTo(BinaryStatus.KEY_NOT_FOUND);
            assertThat(cache.append("k", bytes("w")).join()).isEqualTo(BinaryStatus.OK);
            assertThat(cache.prepend("k", bytes("u")).join()).isEqualTo(BinaryStatus.OK);
            assertThat(cache.append("none", bytes("w")).join()).isEqualTo(BinaryStatus.NOT_STORED);
            try (Item item = cache.getAndTouch("k", Duration.ofDays(60)).join().orElseThrow()) {
                assertThat(item.text()).isEqualTo("uvw");
                assertThat(cache.replaceIf(item.cas(), "k", bytes("1"), 7, Duration.ZERO).join())
                        .isEqualTo(BinaryStatus.OK);
                assertThat(cache.replaceIf(item.cas(), "k", bytes("2"), 0, Duration.ZERO).join())
                        .isEqualTo(BinaryStatus.KEY_EXISTS);
            }
            assertThat(cache.increment("k", 41).join()).hasValue(42);
            assertThat(cache.decrement("k", 50).join()).hasValue(0);
            assertThat(cache.decrement("n", 1, 9, Duration.ZERO).join()).hasValue(9);
            assertThat(cache.increment("none", 1).join()).isEmpty();
            assertThat(cache.touch("k", Duration.ofSeconds(100)).join()).isEqualTo(BinaryStatus.OK);
            assertThat(cache.delete("k").join()).isEqualTo(BinaryStatus.OK);
            cache.set("text", "no number").join();
            assertThatThrownBy(() -> cache.increment("text", 1).join())
                    .hasStackTraceContaining("NOT_A_NUMBER");
            assertThat(cache.version().join()).startsWith("1.");
            assertThat(cache.statistics("").join()).containsKeys("pid", "curr_items");
            assertThat(cache.statistics("settings").join())
                    .containsEntry("item_size_max", "8388608");
            assertThat(cache.flush(Duration.ZERO).join()).isEqualTo(BinaryStatus.OK);
            assertThat(cache.get("n").join()).isEmpty();
        }
    }

    @Test
    void largeValuesAndManyRequestsAreAnswered() {
        try (MemcacheClient cache = client()) {
            byte[] large = new byte[1 << 20];
            Arrays.fill(large, (byte) '\n');
            assertThat(cache.set("large", large, 0, Duration.ZERO).join())
                    .isEqualTo(BinaryStatus.OK);
            try (Item item = cache.get("large").join().orElseThrow()) {
                assertThat(item.bytes()).isEqualTo(large);
            }
            List<Future<BinaryStatus>> stored = new ArrayList<>();
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                keys.add("k" + i);
                stored.add(cache.set("k" + i, "v" + i));
            }
            stored.forEach(s -> assertThat(s.join()).isEqualTo(BinaryStatus.OK));
            var items = cache.get(keys).join();
            assertThat(items).hasSize(5000);
            assertThat(requireNonNull(items.get("k4999")).text()).isEqualTo("v4999");
            items.values().forEach(Item::close);
        }
    }

    @Test
    void clientsComeBackAfterARestart() throws Exception {
        try (MemcacheClient cache = client()) {
            cache.set("k", "v").join();
            servers.getFirst().destroyForcibly().waitFor();
            servers.add(serve(port));
            while (true) { // the first may be on its way when the connection breaks
                try {
                    assertThat(cache.get("k").join()).isEmpty();
                    return;
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
                }
            }
        }
    }

    @Test
    void keysAreSpreadOverServers() throws Exception {
        List<InetSocketAddress> addresses = new ArrayList<>();
        addresses.add(InetSocketAddress.createUnresolved("127.0.0.1", port));
        for (int i = 0; i < 2; i++) {
            int other = Ports.free();
            servers.add(serve(other));
            addresses.add(InetSocketAddress.createUnresolved("127.0.0.1", other));
        }
        try (MemcacheRing ring = new MemcacheRing(group, addresses, MemcachePeersTest::patient)) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                keys.add("k" + i);
                ring.set("k" + i, "v" + i).join();
            }
            var items = ring.get(keys).join();
            assertThat(items).hasSize(300);
            items.values().forEach(Item::close);
            for (MemcacheClient each : ring.clients()) {
                assertThat(Integer.parseInt(each.statistics("").join().get("curr_items")))
                        .isBetween(30, 200);
            }
        }
    }
}
