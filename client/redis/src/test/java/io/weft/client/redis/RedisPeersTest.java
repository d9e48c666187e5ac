package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.BufferAllocator;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespType;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The client talks to a real redis-server.
@Tag("peers")
@Timeout(300)
class RedisPeersTest {
    @TempDir private Path directory;
    private Process server;
    private int port;
    private EventLoopGroup group;

    @BeforeEach
    void start() throws Exception {
        RedisPeer.assumeServer();
        port = Ports.free();
        server = serve();
        group = EventLoopGroup.create("nio", 1);
    }

    private Process serve() throws IOException {
        return new ProcessBuilder(
                        "redis-server",
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--enable-debug-command",
                        "yes",
                        "--requirepass",
                        "secret")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        if (group != null) {
            group.close();
        }
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
    }

    /// It connects again until the server is up.
    private RedisClient.Builder client() {
        return RedisClient.builder(group)
                .address("127.0.0.1", port)
                .auth("", "secret")
                .limits(
                        RedisClientLimits.DEFAULT.retries(
                                Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    @ParameterizedTest
    @EnumSource(RespVersion.class)
    void commandsAreAnswered(RespVersion version) {
        try (RedisClient redis = client().version(version).database(3).clientName("weft").start()) {
            assertThat(text(redis.send("SET", "k", "v"))).isEqualTo("OK");
            assertThat(text(redis.send("GET", "k"))).isEqualTo("v");
            assertThat(text(redis.send("CLIENT", "GETNAME"))).isEqualTo("weft");
            assertThatThrownBy(() -> redis.send("INCR", "k").join())
                    .hasRootCauseInstanceOf(RedisException.Replied.class);
            List<Future<RespValue>> replies = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                replies.add(redis.send("INCR", "n"));
            }
            assertThat(text(replies.getLast())).isEqualTo("5000");
            replies.forEach(reply -> reply.join().close());
            byte[] large = new byte[5 << 20];
            Arrays.fill(large, (byte) '\n');
            assertThat(text(redis.send(Command.named("SET").add("big").add(large).build())))
                    .isEqualTo("OK");
            try (RespValue value = redis.send("GET", "big").join()) {
                RespValue.Bulk bulk = (RespValue.Bulk) value;
                assertThat(
                                bulk.content()
                                        .contentEquals(
                                                bulk.content().readOffset(),
                                                large,
                                                0,
                                                large.length))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RespVersion.class)
    void everyTypeIsRead(RespVersion version) {
        try (RedisClient redis = client().version(version).start()) {
            for (String type :
                    List.of(
                            "string",
                            "integer",
                            "double",
                            "bignum",
                            "null",
                            "array",
                            "set",
                            "map",
                            "attrib",
                            "verbatim",
                            "true",
                            "false")) {
                try (RespValue value = redis.send("DEBUG", "PROTOCOL", type).join()) {
                    assertThat(value).as(type).isNotNull();
                    if (version == RespVersion.RESP3) {
                        assertThat(value.getClass().getSimpleName())
                                .as(type)
                                .isEqualTo(
                                        switch (type) {
                                            case "string" -> "Bulk";
                                            case "integer" -> "Int";
                                            case "double" -> "Real";
                                            case "bignum" -> "BigInt";
                                            case "null" -> "Null";
                                            case "array" -> "Array";
                                            case "set" -> "Set";
                                            case "map" -> "Map";
                                            case "attrib" -> "Attributed";
                                            case "verbatim" -> "Verbatim";
                                            default -> "Bool";
                                        });
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RespVersion.class)
    void messagesArrive(RespVersion version) throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void message(String channel, RespValue message) {
                        heard.add(channel + "=" + message.text());
                    }
                };
        try (RedisClient redis = client().version(version).listener(listener).start();
                RedisClient publisher = client().start()) {
            redis.send("SUBSCRIBE", "a", "b").join().close();
            redis.send("PSUBSCRIBE", "c*").join().close();
            publisher.send("PUBLISH", "a", "1").join().close();
            publisher.send("PUBLISH", "cc", "2").join().close();
            redis.send("UNSUBSCRIBE", "a").join().close();
            assertThat(text(publisher.send("PUBLISH", "a", "3"))).isEqualTo("0");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("a=1");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("cc=2");
        }
    }

    @ParameterizedTest
    @EnumSource(RespVersion.class)
    void subscriptionsInTransactionsTakeNoReplies(RespVersion version) {
        try (RedisClient redis = client().version(version).start()) {
            for (String end : List.of("DISCARD", "EXEC")) {
                var _ = redis.send("MULTI");
                var _ = redis.send("SUBSCRIBE", "a", "b", "c");
                var _ = redis.send(end);
                for (int i = 0; i < 5; i++) {
                    try {
                        assertThat(text(redis.send("ECHO", "x" + i))).isEqualTo("x" + i);
                    } catch (CompletionException e) {
                        assertThat(e).hasRootCauseInstanceOf(RedisException.Disconnected.class);
                    }
                }
            }
        }
    }

    @Test
    void changedKeysAreInvalidated() throws Exception {
        BlockingQueue<String> invalid = new LinkedBlockingQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void invalidated(RespValue keys) {
                        if (keys.type() == RespType.NULL) {
                            invalid.add("(all)");
                        }
                        keys.elements().forEach(key -> invalid.add(String.valueOf(key.text())));
                    }
                };
        try (RedisClient redis = client().tracking(true).listener(listener).start();
                RedisClient other = client().start()) {
            redis.send("GET", "k").join().close();
            other.send("SET", "k", "v").join().close();
            assertThat(invalid.poll(60, TimeUnit.SECONDS)).isEqualTo("k");
            other.send("SET", "k", "w").join().close(); // not read since: nothing to say
            redis.send("MGET", "k", "l").join().close();
            other.send("SET", "l", "v").join().close();
            assertThat(invalid.poll(60, TimeUnit.SECONDS)).isEqualTo("l");
            other.send("FLUSHALL").join().close();
            assertThat(invalid.poll(60, TimeUnit.SECONDS)).isEqualTo("(all)");
            other.send("CLIENT", "KILL", "TYPE", "NORMAL", "SKIPME", "YES").join().close();
            assertThat(invalid.poll(60, TimeUnit.SECONDS)).isEqualTo("(all)");
            redis.send("GET", "m").join().close(); // tracked by the next connection, too
            other.send("SET", "m", "v").join().close();
            assertThat(invalid.poll(60, TimeUnit.SECONDS)).isEqualTo("m");
        }
    }

    @Test
    void wrongPasswordsFailTheCommandsThatWait() {
        try (RedisClient redis = client().auth("", "wrong").start()) {
            assertThatThrownBy(() -> redis.send("PING").join()).isNotNull();
        }
    }

    @Test
    void clientsComeBackAfterARestart() throws Exception {
        try (RedisClient redis = client().start()) {
            assertThat(text(redis.send("PING"))).isEqualTo("PONG");
            server.destroyForcibly().waitFor();
            server = serve();
            while (true) { // the first may be on its way when the connection breaks
                try {
                    assertThat(text(redis.send("PING"))).isEqualTo("PONG");
                    return;
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(RedisException.Disconnected.class);
                }
            }
        }
    }

    @Test
    void bufferArgumentsAreSent() {
        try (RedisClient redis = client().start()) {
            Command command =
                    Command.named("ECHO")
                            .add(
                                    BufferAllocator.pooled()
                                            .allocate(8)
                                            .writeLong(0x0D0A0D0A00FF0102L))
                            .build();
            try (RespValue value = redis.send(command).join()) {
                assertThat(((RespValue.Bulk) value).content().readLong())
                        .isEqualTo(0x0D0A0D0A00FF0102L);
            }
        }
    }
}
