package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Push;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.redis.RedisServerHandler;
import io.weft.handler.redis.RedisService;
import io.weft.handler.redis.RedisSession;
import io.weft.loop.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class RedisClientTest {
    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final BlockingQueue<RedisSession> sessions = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private boolean knowsHello = true;
    private final ServerChannel server = server(new InetSocketAddress(localhost(), 0));

    private static InetAddress localhost() {
        return InetAddress.getLoopbackAddress();
    }

    private ServerChannel server(InetSocketAddress address) {
        return new ServerBootstrap(group)
                .childHandler(
                        channel ->
                                RedisServerHandler.addTo(
                                        channel.pipeline(),
                                        session -> {
                                            sessions.add(session);
                                            return new Service(session);
                                        }))
                .bind(address)
                .join();
    }

    private int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /// Says what the tests are about.
    private final class Service implements RedisService {
        private final RedisSession session;

        Service(RedisSession session) {
            this.session = session;
        }

        @Override
        public void handle(Command command) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < command.size(); i++) {
                words.add(command.text(i));
            }
            commands.add(String.join(" ", words));
            switch (command.name()) {
                case "HELLO" -> {
                    if (knowsHello) {
                        session.version(RespVersion.RESP3);
                        session.reply(RespValue.Map.EMPTY);
                    } else {
                        session.reply(new SimpleError("ERR unknown command"));
                    }
                }
                case "ECHO" -> session.reply(new Bulk(command.argument(1)));
                case "FAIL" -> session.reply(new SimpleError("WRONGTYPE no"));
                case "DROP" -> session.close();
                case "HANG" -> {}
                case "SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE" -> {
                    for (int i = 1; i < command.size(); i++) {
                        session.push(
                                new Push(
                                        List.of(
                                                Bulk.of(words.getFirst().toLowerCase(Locale.ROOT)),
                                                Bulk.of(words.get(i)),
                                                new Int(i))));
                    }
                }
                default -> session.reply(SimpleString.OK);
            }
        }
    }

    private RedisClient.Builder builder() {
        return RedisClient.builder(group)
                .address("127.0.0.1", port())
                .limits(
                        RedisClientLimits.DEFAULT.retries(
                                Duration.ofMillis(1), Duration.ofMillis(10)));
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(60, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void pipelinedCommandsGetTheirReplies() {
        try (RedisClient redis = builder().limits(RedisClientLimits.DEFAULT.inFlight(3)).start()) {
            List<Future<RespValue>> replies = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                replies.add(redis.send("ECHO", "m" + i));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(text(replies.get(i))).isEqualTo("m" + i);
            }
        }
    }

    @Test
    void greetingsComeBeforeCommands() {
        try (RedisClient redis =
                builder().auth("", "secret").clientName("me").database(2).tracking(true).start()) {
            assertThat(text(redis.send("PING"))).isEqualTo("OK");
        }
        assertThat(
                        List.of(
                                next(commands),
                                next(commands),
                                next(commands),
                                next(commands),
                                next(commands)))
                .containsExactly(
                        "HELLO 3 AUTH default secret",
                        "CLIENT SETNAME me",
                        "SELECT 2",
                        "CLIENT TRACKING ON",
                        "PING");
    }

    @Test
    void serversWithoutHelloAreSpokenToInResp2() {
        knowsHello = false;
        try (RedisClient redis = builder().auth("u", "p").start()) {
            assertThat(text(redis.send("PING"))).isEqualTo("OK");
        }
        assertThat(List.of(next(commands), next(commands)))
                .containsExactly("HELLO 3 AUTH u p", "AUTH u p");
    }

    @Test
    void errorsFailTheFuture() {
        try (RedisClient redis = builder().start()) {
            assertThatThrownBy(() -> redis.send("FAIL").join())
                    .hasRootCauseInstanceOf(RedisException.Replied.class)
                    .hasStackTraceContaining("WRONGTYPE no");
            assertThat(text(redis.send("PING"))).isEqualTo("OK");
        }
    }

    @Test
    void commandsInFlightFailWithTheConnectionAndLaterOnesSucceed() {
        try (RedisClient redis = builder().start()) {
            Future<RespValue> hanging = redis.send("HANG");
            Future<RespValue> dropped = redis.send("DROP");
            assertThatThrownBy(hanging::join)
                    .hasRootCauseInstanceOf(RedisException.Disconnected.class);
            assertThatThrownBy(dropped::join)
                    .hasRootCauseInstanceOf(RedisException.Disconnected.class);
            assertThat(text(redis.send("ECHO", "again"))).isEqualTo("again");
        }
    }

    @Test
    void messagesReachTheListenerAlsoAfterReconnecting() {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void message(String channel, RespValue message) {
                        heard.add(channel + "=" + message.text());
                    }

                    @Override
                    public void invalidated(RespValue keys) {
                        heard.add("invalid " + keys.elements().size());
                    }
                };
        try (RedisClient redis = builder().listener(listener).start()) {
            redis.send("SUBSCRIBE", "news", "sport").join().close();
            RedisSession session = next(sessions);
            session.push(new Push(List.of(Bulk.of("message"), Bulk.of("news"), Bulk.of("a"))));
            assertThat(next(heard)).isEqualTo("news=a");
            session.push(
                    new Push(
                            List.of(
                                    Bulk.of("invalidate"),
                                    new RespValue.Array(List.of(Bulk.of("k"))))));
            assertThat(next(heard)).isEqualTo("invalid 1");
            assertThatThrownBy(() -> redis.send("DROP").join()).isNotNull();
            assertThat(text(redis.send("PING"))).isEqualTo("OK");
            next(sessions)
                    .push(new Push(List.of(Bulk.of("message"), Bulk.of("news"), Bulk.of("b"))));
            assertThat(next(heard)).isEqualTo("news=b");
        }
        assertThat(commands)
                .containsOnlyOnce("SUBSCRIBE news sport", "SUBSCRIBE news", "SUBSCRIBE sport");
    }

    @Test
    void endOfTheGroupEndsTheClient() {
        RedisClient client = builder().start();
        assertThat(text(client.send("PING"))).isEqualTo("OK");
        group.close();
        assertThatThrownBy(() -> client.send("PING").join())
                .hasRootCauseInstanceOf(RedisException.Disconnected.class);
    }

    @Test
    void endOfTheGroupEndsCommandsThatWait() {
        int port = port();
        server.close().join();
        BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void disconnected(Throwable cause) {
                        lost.add(cause);
                    }
                };
        Duration later = Duration.ofHours(1);
        RedisClient client =
                builder()
                        .address("127.0.0.1", port)
                        .listener(listener)
                        .limits(RedisClientLimits.DEFAULT.retries(later, later).timeout(later))
                        .start();
        Future<RespValue> waiting = client.send("PING");
        assertThat(next(lost)).isNotNull();
        group.close();
        assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(RedisException.Disconnected.class);
    }

    @Test
    void closedClientsSendNothing() {
        RedisClient redis = builder().start();
        redis.close();
        assertThatThrownBy(() -> redis.send("PING").join())
                .hasRootCauseInstanceOf(RedisException.Disconnected.class);
        try (RedisClient open = builder().start()) {
            assertThatIllegalArgumentException().isThrownBy(() -> open.send("UNSUBSCRIBE"));
        }
    }

    @Test
    void commandsWithoutAReplyTimeOut() {
        RedisClientLimits limits =
                RedisClientLimits.DEFAULT
                        .timeout(Duration.ofMillis(50))
                        .retries(Duration.ofMillis(1), Duration.ofMillis(10));
        try (RedisClient redis = builder().limits(limits).start()) {
            assertThatThrownBy(() -> redis.send("HANG").join())
                    .hasRootCauseInstanceOf(RedisException.TimedOut.class);
            while (true) { // a slow machine may need more than the time
                try {
                    assertThat(text(redis.send("ECHO", "again"))).isEqualTo("again");
                    break;
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(RedisException.class);
                }
            }
        }
    }

    @Test
    void commandsWithoutAConnectionTimeOut() {
        int port = port();
        server.close().join();
        BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void disconnected(Throwable cause) {
                        lost.add(cause);
                    }
                };
        RedisClientLimits limits = RedisClientLimits.DEFAULT.timeout(Duration.ofMillis(50));
        try (RedisClient redis =
                builder().address("127.0.0.1", port).listener(listener).limits(limits).start()) {
            assertThat(next(lost)).isNotNull();
            assertThatThrownBy(() -> redis.send("PING").join())
                    .hasRootCauseInstanceOf(RedisException.TimedOut.class)
                    .hasStackTraceContaining("not sent: after PT0.05S without a connection: ")
                    .hasStackTraceContaining("java.net.ConnectException");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "monitor",
                "SYNC",
                "PSYNC ? -1",
                "HELLO 2",
                "Reset",
                "CLIENT REPLY OFF",
                "client reply skip",
                "PUNSUBSCRIBE"
            })
    void commandsWithoutOneReplyAreRefused(String line) {
        try (RedisClient redis = builder().start();
                RedisCluster cluster = new RedisCluster(group, "127.0.0.1", port(), b -> b)) {
            String[] command = line.split(" ", -1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> redis.send(command))
                    .withMessageContaining("(expected: ");
            assertThatIllegalArgumentException().isThrownBy(() -> cluster.send(command));
            assertThat(text(redis.send("CLIENT", "GETNAME"))).isEqualTo("OK");
        }
    }

    @Test
    void limitsAreInTheirRanges() {
        Duration second = Duration.ofSeconds(1);
        RedisClientLimits usual = RedisClientLimits.DEFAULT;
        assertThatIllegalArgumentException().isThrownBy(() -> usual.timeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> usual.retries(second, Duration.ZERO));
    }

    @Test
    void waitingCommandsAreBounded() {
        RedisClientLimits one = RedisClientLimits.DEFAULT.inFlight(1).waiting(1);
        Future<RespValue> hanging;
        Future<RespValue> waiting;
        try (RedisClient redis = builder().limits(one).start()) {
            assertThat(text(redis.send("PING"))).isEqualTo("OK");
            hanging = redis.send("HANG");
            waiting = redis.send("PING");
            assertThatThrownBy(() -> redis.send("PING").join())
                    .hasRootCauseInstanceOf(RedisException.Overloaded.class);
        }
        assertThatThrownBy(hanging::join).isNotNull();
        assertThatThrownBy(waiting::join).isNotNull();
    }
}
