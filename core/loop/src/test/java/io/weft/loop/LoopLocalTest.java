package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoopLocalTest {
    enum Kind {
        LOOP,
        PLATFORM,
        VIRTUAL;

        ThreadFactory factory() {
            return switch (this) {
                case LOOP -> task -> new LoopThread(task, "locals");
                case PLATFORM -> Thread.ofPlatform().factory();
                case VIRTUAL -> Thread.ofVirtual().factory();
            };
        }

        <V> V call(Callable<V> task) throws Exception {
            var future = new FutureTask<>(task);
            factory().newThread(future).start();
            return future.get();
        }
    }

    private static final AtomicInteger MADE = new AtomicInteger();
    private static final LoopLocal<int[]> COUNTER =
            new LoopLocal<>(() -> new int[] {MADE.incrementAndGet()});

    @ParameterizedTest
    @EnumSource
    void eachThreadHasItsOwnValue(Kind kind) throws Exception {
        int[] mine = COUNTER.get();
        assertThat(COUNTER.get()).isSameAs(mine);
        assertThat(COUNTER.peek()).isSameAs(mine);
        assertThat(kind.call(COUNTER::peek)).isNull();
        List<int[]> two = kind.call(() -> List.of(COUNTER.get(), COUNTER.get()));
        assertThat(two.get(0)).isSameAs(two.get(1));
        assertThat(kind.call(COUNTER::get)).isNotSameAs(mine);
    }

    @ParameterizedTest
    @EnumSource
    void aValueCanBeReplacedAndRemoved(Kind kind) throws Exception {
        List<String> removed = new ArrayList<>();
        LoopLocal<String> local = new LoopLocal<>(() -> "initial", removed::add);
        assertThat(
                        kind.call(
                                () -> {
                                    local.remove();
                                    String first = local.get();
                                    local.set("set");
                                    String second = local.get();
                                    local.remove();
                                    return first + ", " + second + ", " + local.peek();
                                }))
                .isEqualTo("initial, set, null");
        assertThat(removed).containsExactly("set");
    }

    @ParameterizedTest
    @EnumSource
    void manyLocalsDoNotMixUp(Kind kind) throws Exception {
        List<LoopLocal<Integer>> locals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int me = i;
            locals.add(new LoopLocal<>(() -> me));
        }
        assertThat(
                        kind.call(
                                () -> {
                                    List<Integer> values = new ArrayList<>();
                                    locals.reversed().forEach(LoopLocal::get);
                                    for (LoopLocal<Integer> local : locals) {
                                        values.add(local.peek());
                                    }
                                    return values;
                                }))
                .hasSize(100)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /// Told of one removal, a local asks for another value anew, as clean-up code does.
    @ParameterizedTest
    @EnumSource
    void valuesOfAnExecutorAreRemovedWhenItEnds(Kind kind) {
        List<String> removed = new ArrayList<>();
        LoopLocal<String> late = new LoopLocal<>(() -> "late", removed::add);
        LoopLocal<String> broken =
                new LoopLocal<>(
                        () -> "broken",
                        value -> {
                            removed.add(value);
                            throw new IllegalStateException("expected in the log");
                        });
        LoopLocal<String> first = new LoopLocal<>(() -> "first", v -> removed.add(v + late.get()));
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("x").threadFactory(kind.factory()).build();
        executor.execute(first::get);
        executor.addShutdownHook(broken::get);
        executor.shutdownGracefully().join();
        assertThat(removed).containsExactlyInAnyOrder("firstlate", "late", "broken");
    }

    @Test
    void loopsHaveLoopThreadsThatAreNoDaemons() {
        SingleThreadExecutor executor = new SingleThreadExecutor("default");
        Thread thread = executor.submit(Thread::currentThread).join();
        assertThat(thread).isInstanceOf(LoopThread.class);
        assertThat(thread.isDaemon()).isFalse();
        assertThat(thread.getName()).isEqualTo("default");
        executor.shutdownGracefully().join();
    }

    @Test
    @SuppressWarnings("NullAway") // the subject
    void noValueIsNull() {
        LoopLocal<String> none = new LoopLocal<>(() -> null);
        assertThatThrownBy(none::get).hasMessage("initial");
        assertThatThrownBy(() -> none.set(null)).hasMessage("value");
        assertThat(none.peek()).isNull();
        none.set("one");
        assertThat(none.get()).isEqualTo("one");
        none.remove();
    }

    @Test
    void anInitialValueThatCannotBeMadeIsTriedAnew() {
        AtomicInteger tries = new AtomicInteger();
        LoopLocal<Integer> local =
                new LoopLocal<>(
                        () -> {
                            if (tries.incrementAndGet() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return tries.get();
                        });
        assertThatThrownBy(local::get).hasMessage("not yet");
        assertThat(local.get()).isEqualTo(2);
        local.remove();
    }
}
