package io.weft.client.redis;

import static io.weft.client.redis.Replies.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client follows nodes that say what a test wants.
@Timeout(300)
class RedisClusterTest {
    private static final String NOTHING = "";
    private static final Set<String> ERRORS =
            Set.of("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING");

    private final EventLoopGroup group = EventLoopGroup.create("nio", 2);

    /// A node: what it was told, and what it answers to a command and whether ASKING was before.
    private final class Node {
        private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        private final Queue<RedisSession> sessions = new ConcurrentLinkedQueue<>();
        private final ServerChannel server;
        private volatile Function<String, String> answers = _ -> "OK";

        Node() {
            server =
                    new ServerBootstrap(group)
                            .childHandler(
                                    channel ->
                                            RedisServerHandler.addTo(
                                                    channel.pipeline(), NodeService::new))
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                            .join();
        }

        /// Ends the node and its connections.
        void stop() {
            server.close().join();
            sessions.forEach(RedisSession::close);
        }

        String address() {
            return "127.0.0.1:" + port();
        }

        int port() {
            return ((InetSocketAddress) server.localAddress()).getPort();
        }

        private final class NodeService implements RedisService {
            private final RedisSession session;
            private boolean asking;

            NodeService(RedisSession session) {
                this.session = session;
                sessions.add(session);
            }

            @Override
            public void handle(Command command) {
                List<String> words = new ArrayList<>();
                for (int i = 0; i < command.size(); i++) {
                    words.add(command.text(i));
                }
                String line = (asking ? "ASKING " : "") + String.join(" ", words);
                asking = line.equals("ASKING");
                if (line.startsWith("HELLO")) {
                    session.version(RespVersion.RESP3);
                    session.reply(RespValue.Map.EMPTY);
                    return;
                }
                if (asking) {
                    session.reply(SimpleString.OK);
                    return;
                }
                commands.add(line);
                String answer = answers.apply(line);
                if (!answer.equals(NOTHING)) {
                    session.reply(
                            ERRORS.contains(answer.split(" ", -1)[0])
                                    ? new SimpleError(answer)
                                    : new SimpleString(answer));
                }
            }
        }
    }

    private final Node one = new Node();
    private final Node two = new Node();

    private RedisCluster cluster() {
        return cluster(RedisClusterLimits.DEFAULT);
    }

    private RedisCluster cluster(RedisClusterLimits limits) {
        return new RedisCluster(
                group,
                "127.0.0.1",
                one.port(),
                limits.retries(Duration.ofMillis(1), Duration.ofMillis(10)),
                settings ->
                        settings.limits(
                                RedisClientLimits.DEFAULT.retries(
                                        Duration.ofMillis(1), Duration.ofMillis(10))));
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void movedSlotsAreRemembered() {
        one.answers = line -> line.contains("far") ? "MOVED 3845 " + two.address() : "one";
        two.answers = _ -> "two";
        try (RedisCluster cluster = cluster()) {
            assertThat(text(cluster.send("GET", "near"))).isEqualTo("one");
            assertThat(KeySlot.of("far".getBytes(US_ASCII))).isEqualTo(3845);
            assertThat(text(cluster.send("GET", "far"))).isEqualTo("two");
            assertThat(text(cluster.send("SET", "far", "x"))).isEqualTo("two");
            assertThat(text(cluster.send("GET", "near"))).isEqualTo("one");
        }
        assertThat(one.commands).containsExactly("GET near", "GET far", "GET near");
        assertThat(two.commands).containsExactly("GET far", "SET far x");
    }

    @Test
    void askedNodesAreAskedOnceBehindAsking() {
        one.answers = _ -> "ASK 3845 " + two.address();
        two.answers = line -> line.startsWith("ASKING ") ? "two" : "MOVED 3845 " + one.address();
        try (RedisCluster cluster = cluster()) {
            assertThat(text(cluster.send("GET", "far"))).isEqualTo("two");
            assertThat(text(cluster.send("GET", "far"))).isEqualTo("two");
        }
        assertThat(one.commands).containsExactly("GET far", "GET far");
        assertThat(two.commands).containsExactly("ASKING GET far", "ASKING GET far");
    }

    @Test
    void noCommandComesBetweenAskingAndItsCommand() throws Exception {
        one.answers = line -> line.contains("far") ? "ASK 3845 " + two.address() : "MOVED 1 x:1";
        two.answers = line -> line.startsWith("ASKING ") == line.contains("far") ? "OK" : "MIXED";
        AtomicBoolean over = new AtomicBoolean();
        try (RedisCluster cluster = cluster();
                RedisCluster learned = cluster) {
            assertThat(text(cluster.send("GET", "far"))).isEqualTo("OK");
            // A slot of the second node, whose commands go there at once.
            String near = "near";
            one.answers =
                    line ->
                            line.contains("far")
                                    ? "ASK 3845 " + two.address()
                                    : "MOVED "
                                            + KeySlot.of(near.getBytes(US_ASCII))
                                            + " "
                                            + two.address();
            assertThat(text(learned.send("GET", near))).isEqualTo("OK");
            List<Future<RespValue>> between = new ArrayList<>();
            Thread other =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            between.add(cluster.send("GET", near));
                                            between.getLast().join();
                                        }
                                    });
            List<Future<RespValue>> asked = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                asked.add(cluster.send("GET", "far"));
            }
            for (Future<RespValue> reply : asked) {
                assertThat(text(reply)).isEqualTo("OK");
            }
            over.set(true);
            other.join();
            for (Future<RespValue> reply : between) {
                assertThat(text(reply)).isEqualTo("OK");
            }
        }
    }

    @Test
    void redirectionsAreFollowedUpToALimit() {
        one.answers = _ -> "MOVED 7 " + one.address();
        try (RedisCluster cluster = cluster()) {
            assertThatThrownBy(() -> cluster.send("GET", "key").join())
                    .hasRootCauseInstanceOf(RedisException.Replied.class);
        }
        assertThat(one.commands).hasSize(6);
    }

    @Test
    void redirectionsThatAreNoneFailTheCommand() {
        try (RedisCluster cluster = cluster()) {
            for (String answer :
                    List.of(
                            "MOVED 16384 127.0.0.1:1",
                            "MOVED -1 127.0.0.1:1",
                            "MOVED x 127.0.0.1:1",
                            "ASK 1 127.0.0.1:99999",
                            "ASK 1 127.0.0.1",
                            "MOVED 1 ",
                            "ASK ")) {
                one.answers = _ -> answer;
                assertThatThrownBy(() -> cluster.send("GET", "key").join()).as(answer).isNotNull();
            }
        }
    }

    @Test
    void nodesAreBounded() {
        one.answers = _ -> "MOVED 7 " + two.address();
        try (RedisCluster cluster = cluster(RedisClusterLimits.DEFAULT.nodes(1))) {
            assertThatThrownBy(() -> cluster.send("GET", "key").join())
                    .hasStackTraceContaining("nodes: 2 (expected: at most 1)");
        }
    }

    @Test
    void timesMayBeMoreNanosecondsThanFitInALong() {
        Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
        one.answers = _ -> "one";
        RedisClusterLimits limits = new RedisClusterLimits(2, 5, ages, ages, ages);
        try (RedisCluster cluster = cluster(limits);
                RespValue value = cluster.send("GET", "near").join()) {
            assertThat(value.text()).isEqualTo("one");
        }
    }

    @Test
    void nodesThatAreGoneMakeRoom() {
        Node three = new Node(); // before the other ends, or it may get its port
        three.answers = _ -> "three";
        two.stop();
        Duration soon = Duration.ofMillis(200);
        try (RedisCluster cluster = cluster(RedisClusterLimits.DEFAULT.nodes(2).total(soon))) {
            one.answers = _ -> "MOVED 3845 " + two.address();
            assertThat(failure(cluster.send("GET", "far")))
                    .isInstanceOf(RedisException.TimedOut.class);
            one.answers = _ -> "MOVED 3845 " + three.address();
            String answer = "";
            while (!answer.equals("three")) { // a slow machine may need more than the time
                try (RespValue value = cluster.send("GET", "far").join()) {
                    answer = String.valueOf(value.text());
                } catch (CompletionException e) {
                    assertThat(e).hasCauseInstanceOf(RedisException.TimedOut.class);
                }
            }
        }
    }

    /// It was not sent, and another node may have its slot by now.
    @Test
    void commandThatWaitsForAForgottenNodeIsAskedElsewhere() {
        Node three = new Node(); // before the other ends, or it may get its port
        three.answers = _ -> "three";
        two.stop();
        AtomicInteger asked = new AtomicInteger();
        one.answers = _ -> "MOVED 3845 " + (asked.getAndIncrement() == 0 ? two : three).address();
        try (RedisCluster cluster = cluster(RedisClusterLimits.DEFAULT.nodes(2))) {
            Future<RespValue> waits = cluster.send("GET", "far");
            assertThat(text(cluster.send("SET", "far", "x"))).isEqualTo("three");
            assertThat(text(waits)).isEqualTo("three");
        }
        assertThat(three.commands).containsExactlyInAnyOrder("GET far", "SET far x");
    }

    @Test
    void commandThatWaitsForANodeFailsWhenTheClusterCloses() {
        two.stop();
        one.answers = _ -> "MOVED 3845 " + two.address();
        Future<RespValue> waits;
        try (RedisCluster cluster = cluster()) {
            waits = cluster.send("GET", "far");
            while (one.commands.isEmpty()) {
                Thread.onSpinWait();
            }
        }
        assertThat(failure(waits)).isInstanceOf(RedisException.Disconnected.class);
    }

    @Test
    void settingsThatThrowFailTheCommandThatNeedsThem() {
        one.answers = _ -> "MOVED 3845 " + two.address();
        for (Throwable thrown :
                List.of(
                        new UnsupportedOperationException("of the settings"),
                        new IllegalArgumentException("of the settings"),
                        new AssertionError("of the settings"))) {
            AtomicBoolean isSeed = new AtomicBoolean(true);
            try (RedisCluster cluster =
                    new RedisCluster(
                            group,
                            "127.0.0.1",
                            one.port(),
                            settings -> {
                                if (isSeed.getAndSet(false)) {
                                    return settings;
                                }
                                if (thrown instanceof Error error) {
                                    throw error;
                                }
                                throw (RuntimeException) thrown;
                            })) {
                assertThatThrownBy(() -> cluster.send("GET", "far").join()).hasCause(thrown);
            }
        }
    }

    @Test
    void nodesWithoutAHostAreThatOfTheSeed() {
        one.answers = _ -> "MOVED 7 :" + two.port();
        two.answers = _ -> "two";
        try (RedisCluster cluster = cluster()) {
            assertThat(text(cluster.send("GET", "key"))).isEqualTo("two");
        }
    }

    @Test
    void anotherNodeAnswersForOneThatIsAway() throws Exception {
        one.answers = _ -> "MOVED 3845 " + two.address();
        two.answers = _ -> "two";
        try (RedisCluster cluster = cluster()) {
            assertThat(text(cluster.send("GET", "far"))).isEqualTo("two");
            one.stop();
            while (cluster.node(one.port()).isConnected()) {
                Thread.onSpinWait();
            }
            assertThat(text(cluster.send("GET", "another"))).isEqualTo("two");
            assertThat(text(cluster.send("PING"))).isEqualTo("two");
        }
    }

    private static RedisException failure(Future<RespValue> reply) {
        try (RespValue value = reply.join()) {
            throw new AssertionError(value.text());
        } catch (CompletionException e) {
            return (RedisException) requireNonNull(e.getCause());
        }
    }

    @Test
    void commandsForDeadNodesFailAtTheLimit() {
        one.stop();
        Duration limit = Duration.ofMillis(20);
        try (RedisCluster cluster =
                new RedisCluster(
                        group,
                        "127.0.0.1",
                        one.port(),
                        RedisClusterLimits.DEFAULT.total(limit),
                        settings -> settings.limits(RedisClientLimits.DEFAULT.waiting(1)))) {
            for (int i = 0; i < 3; i++) { // and those that gave up wait no longer
                assertThat(failure(cluster.send("GET", "key")))
                        .isInstanceOf(RedisException.TimedOut.class)
                        .hasMessage("not sent: after PT0.02S")
                        .returns(false, e -> ((RedisException.TimedOut) e).wasSent());
            }
        }
    }

    @Test
    void commandsToSilentNodesFailAtTheLimit() {
        one.answers = _ -> NOTHING;
        try (RedisCluster cluster =
                cluster(RedisClusterLimits.DEFAULT.total(Duration.ofMillis(200)))) {
            RedisException failure;
            do { // until one was sent in time
                failure = failure(cluster.send("GET", "key"));
                assertThat(failure).isInstanceOf(RedisException.TimedOut.class);
            } while (failure instanceof RedisException.TimedOut e && !e.wasSent());
            assertThat(failure).hasMessage("sent without a reply: after PT0.2S");
        }
    }

    @Test
    void answersThatSayLaterAreRepeated() {
        for (String error :
                List.of(
                        "TRYAGAIN Multiple keys request during rehashing of slot",
                        "CLUSTERDOWN The cluster is down",
                        "LOADING Redis is loading the dataset in memory")) {
            one.commands.clear();
            one.answers = _ -> one.commands.size() < 4 ? error : "one";
            try (RedisCluster cluster = cluster()) {
                assertThat(text(cluster.send("GET", "key"))).isEqualTo("one");
            }
            assertThat(one.commands).hasSize(4);
        }
    }

    @Test
    void repetitionsBeginAtTheNodeOfTheSlot() {
        one.answers = _ -> one.commands.size() < 9 ? "ASK 3845 " + two.address() : "one";
        two.answers = _ -> "TRYAGAIN Multiple keys request during rehashing of slot";
        try (RedisCluster cluster = cluster()) {
            assertThat(text(cluster.send("MGET", "far", "{far}2"))).isEqualTo("one");
        }
        assertThat(two.commands).hasSize(8).containsOnly("ASKING MGET far {far}2");
    }

    @Test
    void repetitionsEndAtTheLimitWithTheLastAnswer() {
        one.answers = _ -> "CLUSTERDOWN The cluster is down";
        try (RedisCluster cluster =
                cluster(RedisClusterLimits.DEFAULT.total(Duration.ofMillis(200)))) {
            RedisException failure;
            do { // until it ends between two repetitions
                failure = failure(cluster.send("GET", "key"));
            } while (failure instanceof RedisException.TimedOut);
            assertThat(failure)
                    .isInstanceOf(RedisException.Replied.class)
                    .hasMessage("CLUSTERDOWN The cluster is down");
        }
    }

    @Test
    void slotsAreThoseOfTheSpecification() {
        // https://redis.io/docs/reference/cluster-spec: the CRC of 123456789 is 0x31C3.
        assertThat(KeySlot.of("123456789".getBytes(US_ASCII))).isEqualTo(0x31C3 & 16_383);
        try (Command a = Command.of("GET", "{user1000}.following");
                Command b = Command.of("SET", "{user1000}.followers", "x");
                Command empty = Command.of("GET", "foo{}{bar}");
                Command script = Command.of("EVAL", "return 1", "0");
                Command ping = Command.of("PING")) {
            assertThat(KeySlot.of(a)).isEqualTo(KeySlot.of(b));
            assertThat(KeySlot.of(empty)).isNotEqualTo(KeySlot.of("bar".getBytes(US_ASCII)));
            assertThat(KeySlot.of(script)).isEqualTo(-1);
            assertThat(KeySlot.of(ping)).isEqualTo(-1);
        }
    }
}
