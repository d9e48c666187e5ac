package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.eventloop.EventLoopGroup;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A subscription that a server refuses to make again keeps no connection from its commands.
@Timeout(60)
class RedisResubscriptionTest {
    private static final String MOVED = ">3\r\n+sunsubscribe\r\n+a\r\n:0\r\n";

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final RawServer server = new RawServer(RedisResubscriptionTest::usual);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final RedisListener listener =
            new RedisListener() {
                @Override
                public void unsubscribed(String name, @Nullable Throwable refusal) {
                    heard.add(name + ": " + (refusal == null ? "" : refusal.getMessage()));
                    if (name.equals("trap")) {
                        throw new IllegalStateException("the listener's");
                    }
                }
            };

    private static String usual(String command) {
        String[] words = command.split(" ", -1);
        String kind = words[0].toLowerCase(Locale.ROOT);
        return switch (words[0]) {
            case "HELLO" -> "%0\r\n";
            case "SUBSCRIBE", "SSUBSCRIBE" ->
                    ">3\r\n+%s\r\n+%s\r\n:1\r\n".formatted(kind, words[1]);
            default -> "+OK\r\n";
        };
    }

    private RedisClient start() {
        return start(RedisClientLimits.DEFAULT);
    }

    private RedisClient start(RedisClientLimits limits) {
        return RedisClient.builder(group)
                .address("127.0.0.1", server.port())
                .listener(listener)
                .limits(limits.retries(Duration.ofMillis(1), Duration.ofMillis(10)))
                .start();
    }

    @AfterEach
    void close() {
        server.close();
        group.close();
    }

    /// Waits for the next connection, to which the first pings may not come.
    private static void awaitConnection(RedisClient redis) {
        while (true) {
            try {
                assertThat(text(redis.send("PING"))).isEqualTo("OK");
                return;
            } catch (CompletionException e) {
                assertThat(e).hasRootCauseInstanceOf(RedisException.Disconnected.class);
            }
        }
    }

    @Test
    void channelsOfTwoSlotsAreSubscribedToAgain() {
        server.replies(
                command ->
                        command.startsWith("SSUBSCRIBE a b")
                                ? "-CROSSSLOT Keys in request don't hash to the same slot\r\n"
                                : usual(command));
        try (RedisClient redis = start()) {
            redis.send("SSUBSCRIBE", "a").join().close();
            redis.send("SSUBSCRIBE", "b").join().close();
            server.drop();
            awaitConnection(redis);
        }
        assertThat(server.commands).filteredOn("SSUBSCRIBE a"::equals).hasSize(2);
        assertThat(server.commands).filteredOn("SSUBSCRIBE b"::equals).hasSize(2);
        assertThat(heard).isEmpty();
    }

    @Test
    void channelsThatTheServerTookAwayAreNotSubscribedToAgain() throws Exception {
        server.replies(command -> command.equals("MOVE") ? MOVED + "+OK\r\n" : usual(command));
        try (RedisClient redis = start()) {
            redis.send("SSUBSCRIBE", "a").join().close();
            assertThat(text(redis.send("MOVE"))).isEqualTo("OK");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("a: ");
            server.drop();
            awaitConnection(redis);
        }
        assertThat(server.commands).containsOnlyOnce("SSUBSCRIBE a");
    }

    @Test
    void refusedResubscriptionLetsCommandsThrough() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        server.replies(
                command -> {
                    if (!command.equals("SUBSCRIBE secret")) {
                        return usual(command);
                    }
                    return turn.incrementAndGet() == 1 ? RawServer.DROP : "-NOPERM no\r\n";
                });
        try (RedisClient redis = start()) {
            redis.send("SUBSCRIBE", "news").join().close();
            assertThatThrownBy(() -> redis.send("SUBSCRIBE", "secret").join())
                    .hasRootCauseInstanceOf(RedisException.Disconnected.class);
            awaitConnection(redis);
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("secret: NOPERM no");
            server.drop();
            awaitConnection(redis);
        }
        assertThat(server.commands).filteredOn("SUBSCRIBE news"::equals).hasSize(3);
        assertThat(heard).isEmpty();
    }

    @Test
    void resubscriptionThatAClusterCannotMakeYetIsMadeLater() {
        AtomicInteger turn = new AtomicInteger();
        server.replies(
                command ->
                        command.equals("SSUBSCRIBE a") && turn.incrementAndGet() == 2
                                ? "-CLUSTERDOWN The cluster is down\r\n"
                                : usual(command));
        try (RedisClient redis = start()) {
            redis.send("SSUBSCRIBE", "a").join().close();
            server.drop();
            awaitConnection(redis);
        }
        assertThat(server.commands).filteredOn("SSUBSCRIBE a"::equals).hasSize(3);
        assertThat(heard).isEmpty();
    }

    @Test
    void listenerThatThrowsKeepsNoConnectionFromItsCommands() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        server.replies(
                command ->
                        command.equals("SUBSCRIBE trap") && turn.incrementAndGet() == 2
                                ? "-NOPERM no\r\n"
                                : usual(command));
        try (RedisClient redis = start()) {
            redis.send("SUBSCRIBE", "trap").join().close();
            server.drop();
            awaitConnection(redis);
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("trap: NOPERM no");
        }
    }

    @Test
    void cancelledSubscriptionIsNotMade() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        server.replies(
                command -> {
                    if (!command.equals("HANG")) {
                        return usual(command);
                    }
                    hangs.countDown();
                    return "";
                });
        try (RedisClient redis = start(RedisClientLimits.DEFAULT.inFlight(1))) {
            awaitConnection(redis);
            var hanging = redis.send("HANG");
            assertThat(redis.send("SUBSCRIBE", "late").cancel()).isTrue();
            hangs.await(); // or it would be sent to the next connection, and hang there
            server.drop();
            awaitConnection(redis);
            assertThat(hanging.isDone()).isTrue();
        }
        assertThat(server.commands).doesNotContain("SUBSCRIBE late");
    }
}
