package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.Opcode;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class MemcacheClientTest {
    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final ScriptedServer server = new ScriptedServer(group);

    private MemcacheClient.Builder builder() {
        return MemcacheClient.builder(group)
                .address("127.0.0.1", server.port())
                .limits(
                        MemcacheClientLimits.DEFAULT
                                .timeout(Duration.ofMinutes(5))
                                .retries(Duration.ofMillis(1), Duration.ofMillis(10)));
    }

    @AfterEach
    void close() {
        group.close();
    }

    private static String text(Future<Optional<Item>> got) {
        return got.join()
                .map(
                        item -> {
                            try (item) {
                                return item.text();
                            }
                        })
                .orElse("(none)");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void pipelinedRequestsGetTheirAnswers() {
        try (MemcacheClient cache =
                builder()
                        .limits(
                                MemcacheClientLimits.DEFAULT
                                        .timeout(Duration.ofMinutes(5))
                                        .inFlight(3))
                        .start()) {
            List<Future<Optional<Item>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                var _ = cache.set("k" + i, "v" + i);
                answers.add(cache.get("k" + i));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(text(answers.get(i))).isEqualTo("v" + i);
            }
        }
    }

    @Test
    void requestsBeforeACloseAreSent() throws InterruptedException {
        MemcacheClient cache = builder().start();
        cache.version().join();
        List<Future<BinaryStatus>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(cache.set("k" + i, "v"));
        }
        cache.close();
        for (Future<BinaryStatus> answer : answers) {
            assertThat(answer.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.size()).isEqualTo(5);
    }

    @Test
    void itemsHaveTheirFlagsAndVersions() {
        try (MemcacheClient cache = builder().start()) {
            assertThat(cache.set("k", bytes("v"), 0xCAFE, Duration.ofMillis(1)).join())
                    .isEqualTo(BinaryStatus.OK);
            try (Item item = cache.get("k").join().orElseThrow()) {
                assertThat(item.flags()).isEqualTo(0xCAFE);
                assertThat(item.bytes()).isEqualTo(bytes("v"));
                assertThat(cache.replaceIf(item.cas(), "k", bytes("w"), 0, Duration.ZERO).join())
                        .isEqualTo(BinaryStatus.OK);
                assertThat(cache.replaceIf(item.cas(), "k", bytes("x"), 0, Duration.ZERO).join())
                        .isEqualTo(BinaryStatus.KEY_EXISTS);
            }
            assertThat(text(cache.get("none"))).isEqualTo("(none)");
            assertThat(cache.add("k", bytes("y"), 0, Duration.ZERO).join())
                    .isEqualTo(BinaryStatus.KEY_EXISTS);
            assertThat(cache.delete("k").join()).isEqualTo(BinaryStatus.OK);
            assertThat(cache.delete("k").join()).isEqualTo(BinaryStatus.KEY_NOT_FOUND);
        }
    }

    @Test
    void numbersAreCounted() {
        try (MemcacheClient cache = builder().start()) {
            assertThat(cache.increment("n", 1).join()).isEmpty();
            assertThat(cache.increment("n", 1, 41, Duration.ZERO).join()).hasValue(41);
            assertThat(cache.increment("n", 1, 41, Duration.ZERO).join()).hasValue(42);
        }
    }

    @Test
    void severalKeysAreGotAtOnce() {
        try (MemcacheClient cache = builder().start()) {
            cache.set("a", "1").join();
            cache.set("b", "2").join();
            var items = cache.get(List.of("a", "none", "b", "a")).join();
            assertThat(items).containsOnlyKeys("a", "b");
            assertThat(requireNonNull(items.get("b")).text()).isEqualTo("2");
            items.values().forEach(Item::close);
            assertThat(cache.get(List.of()).join()).isEmpty();
            assertThatThrownBy(() -> cache.get(List.of("a", "refuse")).join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Refused.class);
        }
    }

    @Test
    void statisticsEndWithTheOneWithoutAName() {
        try (MemcacheClient cache = builder().start()) {
            assertThat(cache.statistics("").join()).containsOnlyKeys("pid", "items");
            assertThat(cache.version().join()).isEqualTo("scripted");
            assertThat(cache.flush(Duration.ZERO).join()).isEqualTo(BinaryStatus.OK);
        }
    }

    @Test
    void otherStatusesAreFailures() {
        try (MemcacheClient cache = builder().start()) {
            assertThatThrownBy(() -> cache.get("refuse").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Refused.class)
                    .hasStackTraceContaining("OUT_OF_MEMORY: no");
            try (BinaryMessage answer =
                    cache.send(BinaryMessage.request(Opcode.GET).key("refuse").build()).join()) {
                assertThat(answer.status()).isEqualTo(BinaryStatus.OUT_OF_MEMORY.number());
            }
            for (Opcode opcode : List.of(Opcode.GETQ, Opcode.STAT)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> cache.send(BinaryMessage.request(opcode).build()));
            }
        }
    }

    @Test
    void requestsInFlightFailWithTheConnectionAndLaterOnesSucceed() {
        try (MemcacheClient cache = builder().start()) {
            Future<Optional<Item>> hanging = cache.get("hang");
            Future<Optional<Item>> dropped = cache.get("drop");
            assertThatThrownBy(hanging::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            assertThatThrownBy(dropped::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            assertThat(cache.set("k", "again").join()).isEqualTo(BinaryStatus.OK);
        }
    }

    @Test
    void requestsWithoutAnAnswerTimeOut() {
        MemcacheClientLimits limits =
                MemcacheClientLimits.DEFAULT
                        .timeout(Duration.ofMillis(50))
                        .retries(Duration.ofMillis(1), Duration.ofMillis(10));
        try (MemcacheClient cache = builder().limits(limits).start()) {
            assertThatThrownBy(() -> cache.get("hang").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.TimedOut.class);
            while (true) { // a slow machine may need more than the time
                try {
                    assertThat(cache.set("k", "again").join()).isEqualTo(BinaryStatus.OK);
                    break;
                } catch (CompletionException e) {
                    assertThat(e).hasRootCauseInstanceOf(MemcacheFailure.class);
                }
            }
        }
    }

    @Test
    void requestsWithoutAConnectionTimeOut() {
        int port = server.port();
        server.close();
        MemcacheClientLimits limits =
                MemcacheClientLimits.DEFAULT.timeout(Duration.ofMillis(50)).waiting(1);
        try (MemcacheClient cache = builder().address("127.0.0.1", port).limits(limits).start()) {
            Future<Optional<Item>> waiting = cache.get("k");
            assertThatThrownBy(waiting::join)
                    .hasRootCauseInstanceOf(MemcacheFailure.TimedOut.class);
        }
    }

    @Test
    void waitingRequestsAreBounded() {
        MemcacheClientLimits one =
                MemcacheClientLimits.DEFAULT.timeout(Duration.ofMinutes(5)).inFlight(1).waiting(1);
        Future<Optional<Item>> hanging;
        Future<Optional<Item>> waiting;
        try (MemcacheClient cache = builder().limits(one).start()) {
            cache.set("k", "v").join();
            hanging = cache.get("hang");
            waiting = cache.get("k");
            assertThatThrownBy(() -> cache.get("k").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Overloaded.class);
        }
        assertThatThrownBy(hanging::join).isNotNull();
        assertThatThrownBy(waiting::join).isNotNull();
    }

    @Test
    void listenersFindThePlaceOfTheirRequestFree() throws InterruptedException {
        MemcacheClientLimits one =
                MemcacheClientLimits.DEFAULT.timeout(Duration.ofMinutes(5)).inFlight(1).waiting(1);
        List<Future<Optional<Item>>> further = new CopyOnWriteArrayList<>();
        CountDownLatch asked = new CountDownLatch(1);
        try (MemcacheClient cache = builder().limits(one).start()) {
            cache.set("k", "v").join();
            var _ =
                    cache.get("none")
                            .addListener(
                                    _ -> {
                                        further.add(cache.get("k"));
                                        further.add(cache.get("k"));
                                        asked.countDown();
                                    });
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(further).extracting(MemcacheClientTest::text).containsExactly("v", "v");
        }
    }

    @Test
    void cancelledRequestsGiveTheirPlacesBack() {
        MemcacheClientLimits one =
                MemcacheClientLimits.DEFAULT.timeout(Duration.ofMinutes(5)).inFlight(1).waiting(1);
        Future<Optional<Item>> last;
        try (MemcacheClient cache = builder().limits(one).start()) {
            cache.set("k", "v").join();
            var _ = cache.get("hang");
            for (int i = 0; i < 10; i++) {
                Future<Optional<Item>> waiting = cache.get("k");
                assertThat(waiting.cancel()).isTrue();
            }
            last = cache.get("k");
        }
        assertThatThrownBy(last::join).hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
    }

    @Test
    void endOfTheGroupEndsTheClient() {
        MemcacheClient client = builder().start();
        client.set("k", "v").join();
        group.close();
        assertThatThrownBy(() -> client.get("k").join())
                .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
    }

    @Test
    void endOfTheGroupEndsRequestsThatWait() {
        int port = server.port();
        server.close();
        Duration later = Duration.ofHours(1);
        MemcacheClientLimits limits =
                MemcacheClientLimits.DEFAULT.timeout(later).retries(later, later);
        MemcacheClient client = builder().address("127.0.0.1", port).limits(limits).start();
        Future<BinaryStatus> waiting = client.set("k", "v");
        group.close();
        assertThatThrownBy(waiting::join)
                .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
    }

    @Test
    void closedClientsSendNothing() {
        MemcacheClient cache = builder().start();
        cache.close();
        assertThatThrownBy(() -> cache.get("k").join())
                .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
    }

    @Test
    void foreignAnswersEndTheConnection() {
        try (MemcacheClient cache = builder().start()) {
            assertThatThrownBy(() -> cache.get("foreign").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class)
                    .hasStackTraceContaining("opaque");
        }
    }

    @Test
    void longValuesEndTheConnection() {
        try (MemcacheClient cache =
                builder().limits(MemcacheLimits.DEFAULT.wholeBytes(100)).start()) {
            cache.set("k", "x".repeat(100)).join();
            assertThat(text(cache.get("k"))).hasSize(100);
            cache.set("k", "x".repeat(101)).join();
            assertThatThrownBy(() -> cache.get("k").join())
                    .hasStackTraceContaining("value bytes: 101");
        }
    }

    @Test
    void connectionsBeginWithTheUser() {
        try (MemcacheClient cache = builder().auth("me", "secret").start()) {
            assertThat(cache.set("k", "v").join()).isEqualTo(BinaryStatus.OK);
        }
        assertThat(server.users()).containsExactly("PLAIN \0me\0secret");
        try (MemcacheClient cache = builder().auth("me", "wrong").start()) {
            assertThatThrownBy(() -> cache.set("k", "v").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Refused.class)
                    .hasStackTraceContaining("AUTH_ERROR");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\r\nflush_all\r\n", "a\0", "a\t", "a\u007F"})
    void keysThatATextCannotHaveAreRefused(String key) {
        try (MemcacheClient cache = builder().start();
                MemcacheRing ring =
                        new MemcacheRing(
                                group,
                                List.of(
                                        InetSocketAddress.createUnresolved(
                                                "127.0.0.1", server.port())),
                                b -> b)) {
            for (Memcache each : List.of(cache, ring)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> each.get(key))
                        .withMessageStartingWith("key: ");
                assertThatIllegalArgumentException().isThrownBy(() -> each.set(key, "v"));
                assertThatIllegalArgumentException().isThrownBy(() -> each.increment(key, 1));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> each.get("k".repeat(251)))
                        .withMessageStartingWith("key: 251 bytes");
                each.set("there", "v").join();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> each.get(List.of("there", key)));
                assertThat(each.set("k".repeat(250), "v").join()).isEqualTo(BinaryStatus.OK);
            }
        }
    }

    @Test
    void largePipelinesAreSent() {
        byte[] large = new byte[100_000];
        try (MemcacheClient cache = builder().start()) {
            List<Future<BinaryStatus>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                answers.add(cache.set("k", large, 0, Duration.ZERO));
            }
            for (Future<BinaryStatus> answer : answers) {
                assertThat(answer.join()).isEqualTo(BinaryStatus.OK);
            }
        }
    }

    @Test
    void connectionsLostInTheGreetingFailNothing() {
        server.dropUsers(3);
        try (MemcacheClient cache = builder().auth("me", "secret").start()) {
            assertThat(cache.set("k", "v").join()).isEqualTo(BinaryStatus.OK);
        }
    }

    @Test
    void buildersMayBeUsedAgain() {
        MemcacheClient.Builder builder = builder();
        try (MemcacheClient cache = builder.start();
                MemcacheClient _ = builder.address("127.0.0.1", 1).start()) {
            assertThatThrownBy(() -> cache.get("drop").join())
                    .hasRootCauseInstanceOf(MemcacheFailure.Disconnected.class);
            assertThat(cache.set("k", "v").join()).isEqualTo(BinaryStatus.OK);
        }
    }

    @Test
    void expiriesAreSecondsAndLongOnesDates() {
        assertThat(Memcache.seconds(Duration.ZERO)).isZero();
        assertThat(Memcache.seconds(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(Memcache.seconds(Duration.ofDays(30))).isEqualTo(2_592_000);
        assertThat(Memcache.seconds(Duration.ofDays(31))).isGreaterThan(1_700_000_000);
        assertThat(Memcache.seconds(Duration.ofSeconds(Long.MAX_VALUE, 1)))
                .isEqualTo(Integer.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Memcache.seconds(Duration.ofSeconds(-1)));
    }
}
