package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.MemoryLimitException;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.testkit.TakenMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Replies stay with their commands, whatever else a server says or fails to say.
@Timeout(60)
class RedisOddServersTest {
    private static final String HELLO = "%0\r\n";
    private static final String TRAP = "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$4\r\nfake\r\n";

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final RawServer server = new RawServer(RedisOddServersTest::usual);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
    private final RedisListener listener =
            new RedisListener() {
                @Override
                public void message(String channel, RespValue message) {
                    heard.add(channel + "=" + message.text());
                }

                @Override
                public void disconnected(Throwable cause) {
                    lost.add(cause);
                }
            };

    private static String usual(String command) {
        String[] words = command.split(" ", -1);
        return switch (words[0]) {
            case "HELLO" -> HELLO;
            case "LRANGE" -> TRAP;
            case "ECHO" -> "+" + words[1] + "\r\n";
            case "SUBSCRIBE" -> confirmation("*", words, 1);
            case "UNSUBSCRIBE" -> confirmation("*", words, 0);
            default -> "+OK\r\n";
        };
    }

    private static String confirmation(String type, String[] words, int count) {
        String kind = words[0].toLowerCase(Locale.ROOT);
        return "%s3\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n:%d\r\n"
                .formatted(type, kind.length(), kind, words[1].length(), words[1], count);
    }

    private RedisClient.Builder builder() {
        return RedisClient.builder(group)
                .address("127.0.0.1", server.port())
                .listener(listener)
                .limits(
                        RedisClientLimits.DEFAULT.retries(
                                Duration.ofMillis(1), Duration.ofMillis(10)));
    }

    @AfterEach
    void close() {
        server.close();
        group.close();
    }

    /// Waits for the next connection: the first commands may be on their way when the last breaks.
    private static void awaitEcho(RedisClient redis) {
        while (true) {
            try {
                assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
                return;
            } catch (CompletionException e) {
                assertThat(e).hasRootCauseInstanceOf(RedisException.Disconnected.class);
            }
        }
    }

    private static void assertTrap(Future<RespValue> reply) {
        try (RespValue value = reply.join()) {
            assertThat(value.elements()).hasSize(3);
        }
    }

    @Test
    void arraysLikeMessagesAreRepliesInResp3() {
        server.replies(
                command ->
                        command.startsWith("SUBSCRIBE")
                                ? confirmation(">", command.split(" ", -1), 1)
                                : usual(command));
        try (RedisClient redis = builder().start()) {
            redis.send("SUBSCRIBE", "news").join().close();
            Future<RespValue> list = redis.send("LRANGE", "list", "0", "-1");
            assertThat(text(redis.send("ECHO", "next"))).isEqualTo("next");
            assertTrap(list);
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void arraysLikeMessagesAreRepliesOutsideOfSubscriptions() {
        try (RedisClient redis = builder().version(RespVersion.RESP2).start()) {
            Future<RespValue> before = redis.send("LRANGE", "list", "0", "-1");
            redis.send("SUBSCRIBE", "news").join().close();
            assertTrap(before);
            redis.send("UNSUBSCRIBE", "news").join().close();
            Future<RespValue> behind = redis.send("LRANGE", "list", "0", "-1");
            assertThat(text(redis.send("ECHO", "next"))).isEqualTo("next");
            assertTrap(behind);
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void pushesOfAnyKindAreNoReplies() {
        server.replies(
                command ->
                        command.startsWith("ECHO")
                                ? ">0\r\n>1\r\n_\r\n>1\r\n:5\r\n>2\r\n+invalidate\r\n_\r\n"
                                        + usual(command)
                                : usual(command));
        try (RedisClient redis = builder().start()) {
            assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
            assertThat(text(redis.send("ECHO", "b"))).isEqualTo("b");
        }
    }

    @Test
    void connectionsLostInTheGreetingFailNothing() {
        AtomicInteger greetings = new AtomicInteger();
        server.replies(
                command ->
                        command.startsWith("HELLO") && greetings.incrementAndGet() < 4
                                ? RawServer.DROP
                                : usual(command));
        try (RedisClient redis = builder().start()) {
            assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
        }
    }

    @Test
    void commandsAreNotSentToAnotherDatabase() {
        server.replies(
                command ->
                        command.startsWith("SELECT")
                                ? "-ERR DB index is out of range\r\n"
                                : usual(command));
        try (RedisClient redis = builder().database(99).start()) {
            assertThatThrownBy(() -> redis.send("FLUSHDB").join())
                    .hasRootCauseInstanceOf(RedisException.Replied.class)
                    .hasStackTraceContaining("DB index is out of range");
        }
        assertThat(server.commands).doesNotContain("FLUSHDB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HELLO", "SELECT"}) // behind which other commands fail as well
    void listenersHearWhyTheServerRefusesThem(String refused) throws Exception {
        server.replies(
                command ->
                        command.startsWith(refused)
                                ? "-WRONGPASS invalid username-password pair\r\n"
                                : command.startsWith("CLIENT TRACKING") ? "" : usual(command));
        try (RedisClient _ = builder().auth("me", "wrong").database(1).tracking(true).start()) {
            for (int i = 0; i < 2; i++) {
                assertThat(lost.poll(60, TimeUnit.SECONDS))
                        .isInstanceOf(RedisException.Replied.class)
                        .hasMessage("WRONGPASS invalid username-password pair");
            }
        }
    }

    @Test
    void listenersHearThatAServerIsNotReadyYet() throws Exception {
        AtomicInteger subscribed = new AtomicInteger();
        server.replies(
                command ->
                        command.startsWith("SUBSCRIBE") && subscribed.incrementAndGet() == 2
                                ? "-MASTERDOWN not yet\r\n"
                                : usual(command));
        try (RedisClient redis = builder().start()) {
            redis.send("SUBSCRIBE", "news").join().close();
            server.drop();
            assertThat(lost.poll(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(lost.poll(60, TimeUnit.SECONDS)).hasMessage("MASTERDOWN not yet");
            awaitEcho(redis);
        }
    }

    @Test
    void connectionsThatBeginWithoutMemoryAreMadeAgain() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        group.next().execute(started::countDown);
        started.await(); // a loop that starts needs memory itself
        TakenMemory taken = TakenMemory.all();
        try (RedisClient redis = builder().start()) {
            try (taken) {
                assertThat(lost.poll(60, TimeUnit.SECONDS))
                        .isInstanceOf(MemoryLimitException.class);
            }
            awaitEcho(redis);
        }
    }

    @Test
    void narrowLimitsLetTheGreetingThrough() {
        RedisClientLimits narrow = RedisClientLimits.DEFAULT.inFlight(1).waiting(1);
        try (RedisClient redis =
                builder().limits(narrow).database(2).clientName("me").tracking(true).start()) {
            assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
            server.drop();
            awaitEcho(redis);
        }
    }

    @Test
    void refusedSubscriptionsAreNotMadeAgain() {
        server.replies(
                command ->
                        command.startsWith("SUBSCRIBE")
                                ? "-NOPERM this user has no permissions\r\n"
                                : usual(command));
        try (RedisClient redis = builder().start()) {
            assertThatThrownBy(() -> redis.send("SUBSCRIBE", "secret").join())
                    .hasRootCauseInstanceOf(RedisException.Replied.class);
            server.drop();
            awaitEcho(redis);
        }
        assertThat(server.commands).containsOnlyOnce("SUBSCRIBE secret");
    }

    @Test
    void queuedSubscriptionsTakeNoRepliesOfOthers() {
        server.replies(command -> command.startsWith("SUBSCRIBE") ? "+QUEUED\r\n" : usual(command));
        try (RedisClient redis = builder().start()) {
            var _ = redis.send("MULTI");
            Future<RespValue> queued = redis.send("SUBSCRIBE", "a", "b", "c");
            var _ = redis.send("DISCARD");
            Future<RespValue> echo = redis.send("ECHO", "x");
            assertThat(text(queued)).isEqualTo("QUEUED");
            assertThat(text(echo)).isEqualTo("x");
            server.drop();
            awaitEcho(redis);
        }
        assertThat(server.commands).contains("SUBSCRIBE a b c").doesNotContain("SUBSCRIBE a");
    }

    /// As a server of RESP2 answers: but for the first, confirmations are no part of EXEC's reply.
    @Test
    void queuedSubscriptionsEndConnectionsOfResp2() {
        server.replies(
                command ->
                        switch (command) {
                            case "SUBSCRIBE a b", "EXEC" -> ""; // until all have been sent
                            case "ECHO x" ->
                                    "+QUEUED\r\n*1\r\n"
                                            + confirmation("*", new String[] {"SUBSCRIBE", "a"}, 1)
                                            + confirmation("*", new String[] {"SUBSCRIBE", "b"}, 2)
                                            + "+x\r\n";
                            default -> usual(command);
                        });
        try (RedisClient redis = builder().version(RespVersion.RESP2).start()) {
            redis.send("MULTI").join().close();
            Future<RespValue> queued = redis.send("SUBSCRIBE", "a", "b");
            Future<RespValue> exec = redis.send("EXEC");
            Future<RespValue> echo = redis.send("ECHO", "x");
            assertThat(text(queued)).isEqualTo("QUEUED");
            for (Future<RespValue> behind : List.of(exec, echo)) {
                assertThatThrownBy(behind::join)
                        .hasRootCauseInstanceOf(RedisException.Disconnected.class)
                        .hasStackTraceContaining("subscribe: in a transaction");
            }
            awaitEcho(redis);
        }
        assertThat(server.commands).doesNotContain("SUBSCRIBE a");
    }

    @Test
    void buildersMayBeUsedAgain() {
        RedisClient.Builder builder = builder();
        try (RedisClient redis = builder.start();
                RawServer other = new RawServer(_ -> "-ERR another server\r\n");
                RedisClient _ = builder.address("127.0.0.1", other.port()).start()) {
            assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
            server.drop();
            awaitEcho(redis);
        }
    }

    @Test
    void commandsBeforeACloseAreSent() throws Exception {
        RedisClientLimits narrow = RedisClientLimits.DEFAULT.inFlight(2);
        RedisClient redis = builder().limits(narrow).start();
        awaitEcho(redis);
        server.commands.clear();
        for (int i = 0; i < 5; i++) {
            var _ = redis.send("SET", "k", "v" + i);
        }
        redis.close();
        for (int i = 0; i < 5; i++) {
            assertThat(server.commands.poll(60, TimeUnit.SECONDS)).isEqualTo("SET k v" + i);
        }
    }

    @Test
    void largePipelinesAreSent() {
        String large = "x".repeat(100_000);
        try (RedisClient redis = builder().start()) {
            List<Future<RespValue>> replies = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                replies.add(redis.send("SET", "k", large));
            }
            for (Future<RespValue> reply : replies) {
                assertThat(text(reply)).isEqualTo("OK");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RespVersion.class)
    void messagesComeBetweenReplies(RespVersion version) throws Exception {
        String type = version == RespVersion.RESP2 ? "*" : ">";
        String message = type + TRAP.substring(1);
        server.replies(
                command ->
                        switch (command.split(" ", -1)[0]) {
                            case "HELLO" -> HELLO;
                            case "SUBSCRIBE" ->
                                    confirmation(type, command.split(" ", -1), 1) + message;
                            case "GET" -> message + "+PONG\r\n" + message;
                            default -> "+OK\r\n";
                        });
        try (RedisClient redis = builder().version(version).start()) {
            redis.send("SUBSCRIBE", "news").join().close();
            assertThat(text(redis.send("GET", "k"))).isEqualTo("PONG");
            assertThat(text(redis.send("GET", "k"))).isEqualTo("PONG");
            for (int i = 0; i < 5; i++) {
                assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("news=fake");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n\r\n",
                "$-5\r\n",
                "$600000000\r\n",
                "*1000000000\r\n",
                "*2\r\n$3\r\nabc\r\n!!\r\n",
                ":12a\r\n",
                "+a\rb\r\n",
                "\0\0\0\0\r\n"
            })
    void bytesThatAreNoReplyEndTheConnection(String bytes) {
        server.replies(command -> command.equals("ECHO bad") ? bytes : usual(command));
        try (RedisClient redis = builder().start()) {
            awaitEcho(redis);
            assertThatThrownBy(() -> redis.send("ECHO", "bad").join())
                    .hasRootCauseInstanceOf(RedisException.Disconnected.class);
            awaitEcho(redis);
        }
    }

    @Test
    void repliesThatWereNotAskedForEndTheConnection() {
        server.replies(
                command -> command.equals("ECHO twice") ? "+twice\r\n+twice\r\n" : usual(command));
        try (RedisClient redis = builder().start()) {
            for (int i = 0; i < 5; i++) {
                awaitEcho(redis);
                assertThat(text(redis.send("ECHO", "twice"))).isEqualTo("twice");
            }
            awaitEcho(redis); // and never "twice"
        }
    }

    @Test
    void repliesThatBreakOffAreNotThoseOfTheNextConnection() {
        AtomicInteger halves = new AtomicInteger();
        server.replies(
                command -> {
                    if (command.equals("ECHO half")) {
                        halves.incrementAndGet();
                        return "$10\r\nabc";
                    }
                    return command.equals("ECHO drop") ? RawServer.DROP : usual(command);
                });
        try (RedisClient redis = builder().start()) {
            for (int i = 0; i < 5; i++) {
                awaitEcho(redis);
                Future<RespValue> half = redis.send("ECHO", "half");
                Future<RespValue> drop = redis.send("ECHO", "drop");
                assertThatThrownBy(half::join)
                        .hasRootCauseInstanceOf(RedisException.Disconnected.class);
                assertThatThrownBy(drop::join)
                        .hasRootCauseInstanceOf(RedisException.Disconnected.class);
            }
            awaitEcho(redis);
        }
        assertThat(halves).hasValue(5);
    }

    @Test
    void serversThatNeverAnswerTheGreetingAreLeft() {
        AtomicInteger greetings = new AtomicInteger();
        server.replies(
                command ->
                        command.startsWith("HELLO") && greetings.incrementAndGet() < 3
                                ? ""
                                : usual(command));
        RedisClientLimits limits =
                RedisClientLimits.DEFAULT
                        .timeout(Duration.ofMillis(300))
                        .retries(Duration.ofMillis(1), Duration.ofMillis(10));
        try (RedisClient redis = builder().limits(limits).start()) {
            while (true) {
                try {
                    assertThat(text(redis.send("ECHO", "a"))).isEqualTo("a");
                    break;
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(RedisException.class);
                }
            }
        }
        assertThat(greetings).hasValueGreaterThanOrEqualTo(3);
    }
}
