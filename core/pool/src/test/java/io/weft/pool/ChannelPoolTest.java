package io.weft.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Channel;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Future;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import io.weft.loop.SingleThreadExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In virtual time; connects end when the test says so.
class ChannelPoolTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final List<EmbeddedChannel> made = new ArrayList<>();
    private final ArrayDeque<Promise<Channel>> connects = new ArrayDeque<>();
    private ChannelPool pool = pool().build();

    private ChannelPool.Builder pool() {
        return ChannelPool.builder(
                        executor,
                        () -> {
                            Promise<Channel> connect = executor.newPromise();
                            connects.add(connect);
                            return connect;
                        })
                .maxChannels(2)
                .maxWaiting(2);
    }

    @AfterEach
    void close() {
        pool.close();
        run();
        made.forEach(EmbeddedChannel::close);
    }

    private void run() {
        executor.runPending();
        made.forEach(EmbeddedChannel::runPending);
        executor.runPending();
    }

    private void connected() {
        EmbeddedChannel channel = new EmbeddedChannel();
        made.add(channel);
        connects.remove().setSuccess(channel.channel());
        run();
    }

    private void refused() {
        connects.remove().setFailure(new IOException("refused"));
        run();
    }

    private static Channel lent(Future<Channel> acquired) {
        Channel channel = acquired.now();
        assertThat(channel).as("%s", acquired).isNotNull();
        return Objects.requireNonNull(channel);
    }

    private Channel acquireNew() {
        Future<Channel> acquired = pool.acquire();
        connected();
        return lent(acquired);
    }

    private void assertCounts(int idle, int lent, int waiting) {
        assertThat(pool.idle()).as("idle").isEqualTo(idle);
        assertThat(pool.lent()).as("lent").isEqualTo(lent);
        assertThat(pool.waiting()).as("waiting").isEqualTo(waiting);
    }

    @Test
    void whatWasReleasedIsLentAgain() {
        Channel first = acquireNew();
        assertCounts(0, 1, 0);
        pool.release(first);
        assertCounts(1, 0, 0);
        assertThat(lent(pool.acquire())).isSameAs(first);
        assertThat(connects).isEmpty();
    }

    @Test
    void theLastUsedIsLentFirstUnlessSaidOtherwise() {
        Channel a = acquireNew();
        Channel b = acquireNew();
        pool.release(a);
        pool.release(b);
        assertThat(lent(pool.acquire())).isSameAs(b);
        pool.close();
        pool = pool().order(ChannelPool.Order.FIFO).build();
        Channel c = acquireNew();
        Channel d = acquireNew();
        pool.release(c);
        pool.release(d);
        assertThat(lent(pool.acquire())).isSameAs(c);
    }

    @Test
    void beyondTheBoundOneWaitsInTurn() {
        Channel a = acquireNew();
        Channel b = acquireNew();
        Future<Channel> third = pool.acquire();
        Future<Channel> fourth = pool.acquire();
        assertThat(connects).isEmpty();
        assertCounts(0, 2, 2);
        Future<Channel> fifth = pool.acquire();
        run();
        assertThat(fifth.cause())
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("waiting: 2 (expected: < 2)");
        pool.release(b);
        assertThat(lent(third)).isSameAs(b);
        assertThat(fourth.isDone()).isFalse();
        pool.release(a);
        assertThat(lent(fourth)).isSameAs(a);
    }

    @Test
    void anUnboundedPoolMakesWhatIsAskedFor() {
        pool = pool().unbounded().build();
        for (int i = 0; i < 100; i++) {
            acquireNew();
        }
        assertCounts(0, 100, 0);
    }

    @Test
    void acquisitionWhoseTimerIsRefusedFails() {
        CountDownLatch end = new CountDownLatch(1);
        SingleThreadExecutor full = SingleThreadExecutor.builder("full").queueCapacity(2).build();
        try {
            CountDownLatch begun = new CountDownLatch(1);
            full.execute(
                    () -> {
                        begun.countDown();
                        awaitUninterruptibly(end);
                    });
            awaitUninterruptibly(begun); // else it leaves a place in the queue when it does
            fill(full);
            ChannelPool unlucky = ChannelPool.builder(full, full::newPromise).build();
            Future<Channel> acquired = unlucky.acquire();
            assertThat(acquired.cause()).isInstanceOf(RejectedExecutionException.class);
            assertThat(unlucky.waiting()).isZero();
        } finally {
            end.countDown();
            full.shutdownGracefully(Duration.ZERO, Duration.ofSeconds(10)).join();
        }
    }

    private static void fill(SingleThreadExecutor executor) {
        try {
            while (true) {
                executor.execute(() -> {});
            }
        } catch (RejectedExecutionException e) {
            assertThat(executor.pendingTasks()).isPositive();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void timeToWaitMayBeMoreNanosecondsThanFitInALong() {
        pool = pool().acquireTimeout(Duration.ofSeconds(Long.MAX_VALUE)).build();
        acquireNew();
        assertCounts(0, 1, 0);
    }

    @Test
    void whoWaitsTooLongHearsWhy() {
        acquireNew();
        acquireNew();
        Future<Channel> third = pool.acquire();
        executor.advance(Duration.ofSeconds(9));
        assertThat(third.isDone()).isFalse();
        executor.advance(Duration.ofSeconds(1));
        assertThat(third.cause())
                .isInstanceOf(AcquireTimeoutException.class)
                .hasMessage("no channel within PT10S: all 2 are in use");
        assertCounts(0, 2, 0);
    }

    @Test
    void orGetsANewOne() {
        pool = pool().connectWhenLate().acquireTimeout(Duration.ofSeconds(1)).build();
        acquireNew();
        Channel b = acquireNew();
        Future<Channel> third = pool.acquire();
        executor.advance(Duration.ofSeconds(1));
        connected();
        assertThat(third.isSuccess()).isTrue();
        assertCounts(0, 3, 0);
        // Not more are made than there is room for, though.
        var _ = b.close();
        run();
        Future<Channel> fourth = pool.acquire();
        run();
        assertThat(fourth.isDone()).isFalse();
        assertThat(connects).isEmpty();
    }

    @Test
    void whatIsConnectedTooLateIsKeptForTheNext() {
        Future<Channel> first = pool.acquire();
        executor.advance(Duration.ofSeconds(10));
        assertThat(first.cause()).isInstanceOf(AcquireTimeoutException.class);
        connected();
        assertCounts(1, 0, 0);
    }

    @Test
    void whoGivesUpLosesItsPlaceAndNothingElse() {
        Channel a = acquireNew();
        acquireNew();
        Future<Channel> third = pool.acquire();
        Future<Channel> fourth = pool.acquire();
        assertThat(third.cancel()).isTrue();
        run();
        assertCounts(0, 2, 1);
        pool.release(a);
        assertThat(lent(fourth)).isSameAs(a);
    }

    @Test
    void connectsThatFailTakeNoPlace() {
        List<Future<Channel>> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            asked.add(pool.acquire());
        }
        assertThat(connects).hasSize(2);
        for (int i = 0; i < 4; i++) {
            assertThat(connects).as("after %d", i).isNotEmpty();
            refused();
        }
        assertThat(asked).allSatisfy(f -> assertThat(f.cause()).hasMessage("refused"));
        assertCounts(0, 0, 0);
        acquireNew();
        acquireNew();
        assertCounts(0, 2, 0);
    }

    @Test
    void aThousandThatFailAtOnceDoNotOverflowTheStack() {
        pool =
                ChannelPool.builder(
                                executor,
                                () -> {
                                    throw new IllegalStateException("no network");
                                })
                        .maxChannels(1)
                        .maxWaiting(100_000)
                        .build();
        List<Future<Channel>> asked = new ArrayList<>();
        executor.execute(
                () -> {
                    for (int i = 0; i < 10_000; i++) {
                        asked.add(pool.acquire());
                    }
                });
        run();
        assertThat(asked).allSatisfy(f -> assertThat(f.cause()).hasMessage("no network"));
        assertCounts(0, 0, 0);
    }

    @Test
    void aConnectThatWasCancelledIsAFailure() {
        Future<Channel> first = pool.acquire();
        connects.remove().cancel();
        run();
        assertThat(first.cause()).isInstanceOf(CancellationException.class);
        assertCounts(0, 0, 0);
    }

    @Test
    void aChannelThatClosesMakesRoomWhereverItIs() {
        Channel a = acquireNew();
        Channel b = acquireNew();
        pool.release(b);
        var _ = b.abort();
        run();
        assertCounts(0, 1, 0);
        acquireNew();
        Future<Channel> waits = pool.acquire();
        var _ = a.abort();
        run();
        connected();
        assertThat(waits.isSuccess()).isTrue();
        pool.release(a); // it is closed: nothing happens
        assertCounts(0, 2, 0);
    }

    @Test
    void whatIsNotHealthyIsClosedAndTheNextIsTried() {
        List<Promise<Boolean>> checks = new ArrayList<>();
        pool =
                pool().healthCheck(
                                _ -> {
                                    checks.add(executor.newPromise());
                                    return checks.getLast();
                                })
                        .build();
        Channel a = acquireNew();
        Channel b = acquireNew();
        pool.release(a);
        pool.release(b);
        Future<Channel> again = pool.acquire();
        checks.removeFirst().setSuccess(false);
        run();
        assertThat(b.isOpen()).isFalse();
        assertThat(again.isDone()).isFalse();
        checks.removeFirst().setSuccess(true);
        run();
        assertThat(lent(again)).isSameAs(a);
        pool.release(a);
        Future<Channel> last = pool.acquire();
        checks.removeFirst().setFailure(new IOException("gone"));
        run();
        connected();
        assertThat(lent(last)).isNotSameAs(a);
    }

    @Test
    void thousandsOfIdleChannelsThatFailTheCheckDoNotOverflowTheStack() {
        pool =
                pool().unbounded()
                        .healthCheck(_ -> executor.<Boolean>newPromise().setSuccess(false))
                        .build();
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            Future<Channel> acquired = pool.acquire();
            made.add(new EmbeddedChannel());
            connects.remove().setSuccess(made.getLast().channel());
            executor.runPending();
            channels.add(lent(acquired));
        }
        channels.forEach(pool::release);
        Future<Channel> acquired = pool.acquire();
        run();
        assertCounts(0, 0, 0);
        connected();
        assertThat(acquired.isSuccess()).isTrue();
    }

    @Test
    void aHealthCheckThatThrowsIsANo() {
        pool =
                pool().healthCheck(
                                _ -> {
                                    throw new IllegalStateException("expected in the log");
                                })
                        .build();
        Channel a = acquireNew();
        pool.release(a);
        Future<Channel> again = pool.acquire();
        run();
        connected();
        assertThat(lent(again)).isNotSameAs(a);
    }

    @Test
    void whatIsReleasedTwiceOrNotOursIsRefused() {
        Channel a = acquireNew();
        pool.release(a);
        assertThatThrownBy(() -> pool.release(a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: one that this pool has lent");
        try (EmbeddedChannel foreign = new EmbeddedChannel()) {
            assertThatThrownBy(() -> pool.release(foreign.channel()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theEndClosesWhatIsIdleNowAndTheRestWhenItComesBack() {
        Channel a = acquireNew();
        Channel b = acquireNew();
        Future<Channel> waits = pool.acquire();
        pool.release(b);
        Channel c = lent(waits);
        assertThat(c).isSameAs(b);
        pool.release(c);
        pool.close();
        run();
        assertThat(c.isOpen()).isFalse();
        assertThat(a.isOpen()).isTrue();
        pool.release(a);
        run();
        assertThat(a.isOpen()).isFalse();
        Future<Channel> late = pool.acquire();
        run();
        assertThat(late.cause()).hasMessage("pool: closed (expected: open)");
        assertCounts(0, 0, 0);
    }

    @Test
    void aConnectThatEndsAfterTheEndIsClosed() {
        Future<Channel> first = pool.acquire();
        Future<Channel> second = pool.acquire();
        pool.close();
        run();
        assertThat(first.cause()).isInstanceOf(RejectedExecutionException.class);
        assertThat(second.cause()).isInstanceOf(RejectedExecutionException.class);
        connected();
        refused();
        assertThat(made.getFirst().channel().isOpen()).isFalse();
        assertCounts(0, 0, 0);
    }

    @Test
    void whoseChannelIsStillLookedAtAtTheEndGetsNone() {
        Promise<Boolean> health = executor.newPromise();
        pool = pool().healthCheck(_ -> health).build();
        Channel channel = acquireNew();
        pool.release(channel);
        Future<Channel> second = pool.acquire();
        pool.close();
        run();
        assertThat(second.cause()).isInstanceOf(RejectedExecutionException.class);
        health.setSuccess(true);
        run();
        assertThat(channel.isOpen()).isFalse();
        assertCounts(0, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 118_360_179})
    void nothingIsLostWhateverHappens(long committed) {
        long seed = Long.getLong("io.weft.test.seed", committed);
        Random random = new Random(seed);
        List<Future<Channel>> asked = new ArrayList<>();
        List<Channel> held = new ArrayList<>();
        pool = pool().maxWaiting(50).maxChannels(5).build();
        for (int i = 0; i < 5_000; i++) {
            switch (random.nextInt(7)) {
                case 0, 1 -> asked.add(pool.acquire());
                case 2 -> {
                    if (!connects.isEmpty()) {
                        connected();
                    }
                }
                case 3 -> {
                    if (!connects.isEmpty()) {
                        refused();
                    }
                }
                case 4 -> {
                    if (!asked.isEmpty()) {
                        asked.get(random.nextInt(asked.size())).cancel();
                    }
                }
                case 5 -> {
                    if (!held.isEmpty()) {
                        pool.release(held.remove(random.nextInt(held.size())));
                    }
                }
                default -> {
                    if (!held.isEmpty()) {
                        var _ = held.remove(random.nextInt(held.size())).abort();
                    }
                    executor.advance(Duration.ofMillis(random.nextInt(3000)));
                }
            }
            run();
            take(asked, held);
            assertThat(pool.idle() + pool.lent()).as("seed %d", seed).isLessThanOrEqualTo(5);
            assertThat(pool.lent()).as("seed %d", seed).isEqualTo(held.size());
        }
        while (!connects.isEmpty()) {
            refused();
        }
        // What is released goes to those that wait, who release it too.
        while (!held.isEmpty()) {
            held.forEach(pool::release);
            held.clear();
            run();
            take(asked, held);
        }
        executor.advance(Duration.ofSeconds(20));
        assertThat(pool.lent()).as("seed %d", seed).isZero();
        assertThat(pool.waiting()).as("seed %d", seed).isZero();
    }

    /// Moves the channels that were got from `asked`.
    private static void take(List<Future<Channel>> asked, List<Channel> held) {
        asked.removeIf(
                f -> {
                    if (f.now() != null) {
                        held.add(f.now());
                    }
                    return f.isDone();
                });
    }

    private static final class Injected extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static ChannelPool.Builder poolOn(
            EmbeddedChannel on, Consumer<Promise<Channel>> connector) {
        return ChannelPool.builder(
                on.channel().eventLoop(),
                () -> {
                    Promise<Channel> promise = on.channel().newPromise();
                    connector.accept(promise);
                    return promise;
                });
    }

    @Test
    @SuppressWarnings("NullAway") // a check that breaks its contract
    void errorsOfItsFunctionsTakeNoPlace() {
        AtomicInteger calls = new AtomicInteger();
        try (EmbeddedChannel first = new EmbeddedChannel()) {
            ChannelPool pool =
                    poolOn(
                                    first,
                                    promise -> {
                                        if (calls.getAndIncrement() == 0) {
                                            throw new Injected();
                                        }
                                        promise.setSuccess(first.channel());
                                    })
                            .maxChannels(1)
                            .healthCheck(_ -> null)
                            .build();
            assertThat(pool.acquire().cause()).isInstanceOf(Injected.class);
            assertThat(pool.acquire().now()).isSameAs(first.channel());
            pool.release(first.channel());
            var again = pool.acquire();
            assertThat(again.isDone()).isTrue();
            assertThat(first.isClosed()).isTrue();
            pool.close();
        }
    }
}
