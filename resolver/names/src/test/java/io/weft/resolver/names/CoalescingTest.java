package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import io.weft.loop.SingleThreadExecutor;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoalescingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver upstream = new ScriptedResolver();
    private final CoalescingResolver resolver = new CoalescingResolver(upstream, 2, 3);

    private Asked ask(String host) {
        return new Asked(resolver, host, loop);
    }

    @Test
    void oneSearchServesAllThatWait() {
        upstream.host("a").at(SECOND).finds("192.0.2.1").ends();
        Asked first = ask("a");
        Asked second = ask("a");
        assertThat(upstream.asked()).containsExactly("a");
        loop.advance(SECOND);
        assertThat(first.addresses()).isEqualTo("192.0.2.1");
        assertThat(second.addresses()).isEqualTo("192.0.2.1");
        assertThat(second.search.isSuccess()).isTrue();
        assertThat(resolver.inFlight()).isZero();
        ask("a");
        assertThat(upstream.asked()).hasSize(2);
    }

    @Test
    void lateCallerHearsWhatWasFoundBefore() {
        upstream.host("a").finds("192.0.2.1").at(SECOND).finds("2001:db8::1").ends();
        ask("a");
        Asked late = ask("a");
        assertThat(late.told).containsExactly("192.0.2.1");
        loop.advance(SECOND);
        assertThat(late.told).containsExactly("192.0.2.1", "2001:db8:0:0:0:0:0:1");
    }

    @Test
    void cancelHarmsNoOther() {
        upstream.host("a").at(SECOND).finds("192.0.2.1").ends();
        Asked first = ask("a");
        Asked second = ask("a");
        first.search.cancel();
        assertThat(upstream.cancelled()).isZero();
        loop.advance(SECOND);
        assertThat(first.told).isEmpty();
        assertThat(second.addresses()).isEqualTo("192.0.2.1");
    }

    @Test
    void lastThatCancelsCancelsTheSearch() {
        upstream.host("a").at(SECOND).finds("192.0.2.1").ends();
        Asked first = ask("a");
        Asked second = ask("a");
        first.search.cancel();
        second.search.cancel();
        assertThat(upstream.cancelled()).isEqualTo(1);
        assertThat(resolver.inFlight()).isZero();
        Asked third = ask("a");
        loop.advance(SECOND);
        assertThat(third.addresses()).isEqualTo("192.0.2.1");
    }

    @Test
    void failureIsThatOfAll() {
        upstream.host("a").at(SECOND).fails(new UnknownHostException("a"));
        Asked first = ask("a");
        Asked second = ask("a");
        loop.advance(SECOND);
        assertThat(first.failure()).isEqualTo("a");
        assertThat(second.failure()).isEqualTo("a");
    }

    @Test
    void searchesAndWaitersAreBounded() {
        for (String name : List.of("a", "b", "c")) {
            upstream.host(name).at(SECOND).ends();
        }
        ask("a");
        ask("a");
        ask("a");
        assertThat(ask("a").search.cause())
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("a: 3 wait (expected: < 3)");
        ask("b");
        assertThat(ask("c").search.cause())
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("searches: 2 under way (expected: < 2)");
        loop.advance(SECOND);
        assertThat(ask("c").search.isDone()).isFalse();
    }

    @Test
    void answersThatThrowFailTheirCallerAlone() {
        upstream.host("a").at(SECOND).finds("192.0.2.1").ends();
        Future<Void> broken =
                resolver.resolve(
                        "a",
                        80,
                        loop,
                        _ -> {
                            throw new IllegalStateException("broken");
                        });
        Asked other = ask("a");
        loop.advance(SECOND);
        assertThat(broken.cause()).hasMessage("broken");
        assertThat(other.search.isSuccess()).isTrue();
    }

    @Test
    void callerThatCancelsWhileItHearsHearsNoMore() {
        upstream.host("a").at(SECOND).finds("192.0.2.1").finds("192.0.2.2").ends();
        List<ResolvedAddress> heard = new ArrayList<>();
        List<Future<Void>> search = new ArrayList<>();
        search.add(
                resolver.resolve(
                        "a",
                        80,
                        loop,
                        found -> {
                            heard.addAll(found);
                            search.getFirst().cancel();
                        }));
        loop.advance(SECOND);
        assertThat(heard).hasSize(1);
    }

    @Test
    void resolverThatThrowsIsAFailure() {
        CoalescingResolver broken =
                new CoalescingResolver(
                        (_, _, _, _) -> {
                            throw new IllegalStateException("broken");
                        });
        assertThat(new Asked(broken, "a", loop).failure()).isEqualTo("broken");
        assertThat(broken.inFlight()).isZero();
    }

    /// Searches that fail when their executor ends, as those over channels do.
    private static final class Bound implements NameResolver {
        final List<Promise<Void>> searches = new ArrayList<>();
        final List<EventExecutor> executors = new ArrayList<>();
        final List<Answers> answers = new ArrayList<>();

        @Override
        public Future<Void> resolve(String host, int port, EventExecutor executor, Answers to) {
            Promise<Void> search = executor.newPromise();
            searches.add(search);
            executors.add(executor);
            answers.add(to);
            return search;
        }
    }

    @Test
    void searchGoesOnElsewhereWhenItsLoopEnds() {
        Bound bound = new Bound();
        CoalescingResolver shared = new CoalescingResolver(bound);
        ManualExecutor other = new ManualExecutor(new ManualClock());
        Asked first = new Asked(shared, "a", loop);
        Asked second = new Asked(shared, "a", other);
        var _ = loop.shutdownGracefully();
        bound.searches.getFirst().setFailure(new RejectedExecutionException("shutting down"));
        other.runPending();
        assertThat(bound.executors).containsExactly(loop, other);
        assertThat(first.search.isDone()).isFalse();
        bound.answers.get(1).found(Searches.at(80, List.of(InetAddress.ofLiteral("192.0.2.1"))));
        bound.searches.get(1).setSuccess(null);
        other.runPending();
        assertThat(second.addresses()).isEqualTo("192.0.2.1");
        assertThat(second.search.isSuccess()).isTrue();
    }

    @Test
    void searchOfALoopThatHasEndedIsTakenOver() {
        Bound bound = new Bound();
        CoalescingResolver shared = new CoalescingResolver(bound);
        ManualExecutor other = new ManualExecutor(new ManualClock());
        new Asked(shared, "a", loop);
        var _ = loop.shutdownGracefully();
        loop.runPending();
        Asked second = new Asked(shared, "a", other);
        assertThat(bound.executors).containsExactly(loop, other);
        bound.searches.get(1).setSuccess(null);
        other.runPending();
        assertThat(second.search.isSuccess()).isTrue();
        bound.searches.get(0).trySuccess(null); // nobody cares
        assertThat(shared.inFlight()).isZero();
    }

    @Test
    void callersOfManyThreadsAllGetEverything() throws InterruptedException {
        int loops = 4;
        int rounds = 500;
        List<EventExecutor> executors = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
            executors.add(SingleThreadExecutor.builder("names-" + i).build());
        }
        AtomicInteger searches = new AtomicInteger();
        NameResolver counting =
                (_, port, executor, answers) -> {
                    searches.incrementAndGet();
                    Promise<Void> search = executor.newPromise();
                    executor.execute(
                            () -> {
                                List<InetAddress> one = List.of(InetAddress.ofLiteral("192.0.2.1"));
                                List<InetAddress> two = List.of(InetAddress.ofLiteral("192.0.2.2"));
                                answers.found(Searches.at(port, one));
                                answers.found(Searches.at(port, two));
                                search.trySuccess(null);
                            });
                    return search;
                };
        CoalescingResolver shared = new CoalescingResolver(counting);
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            for (EventExecutor executor : executors) {
                Asked asked = new Asked(shared, "a", executor);
                all.add(asked);
                if (i % 7 == 3) {
                    asked.search.cancel();
                }
            }
        }
        for (Asked asked : all) {
            assertThat(asked.search.await(60, TimeUnit.SECONDS)).isTrue();
        }
        for (EventExecutor executor : executors) {
            assertThat(executor.shutdownGracefully().await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(all)
                .filteredOn(asked -> !asked.search.isCancelled())
                .allSatisfy(
                        asked -> assertThat(asked.told).containsExactly("192.0.2.1", "192.0.2.2"));
        assertThat(searches.get()).isLessThanOrEqualTo(loops * rounds);
        assertThat(shared.inFlight()).isZero();
    }
}
