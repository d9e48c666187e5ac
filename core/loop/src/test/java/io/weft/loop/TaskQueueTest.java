package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.loop.queue.MpscQueue;
import io.weft.loop.queue.TaskQueue;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class TaskQueueTest {
    static Stream<Named<Supplier<TaskQueue<Runnable>>>> queues() {
        return Stream.of(
                Named.of("MpscQueue", () -> new MpscQueue<>(1 << 16)),
                Named.of("LinkedTransfer", () -> TaskQueue.of(new LinkedTransferQueue<>())),
                Named.of("ConcurrentLinked", () -> TaskQueue.of(new ConcurrentLinkedQueue<>())),
                Named.of("LinkedBlocking", () -> TaskQueue.of(new LinkedBlockingQueue<>(1 << 16))));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void anExecutorRunsOnAnyOfThem(Supplier<TaskQueue<Runnable>> queue) {
        SingleThreadExecutor executor = SingleThreadExecutor.builder("on").queue(queue).build();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10_000; i++) {
            int expected = i;
            executor.execute(() -> ran.compareAndSet(expected, expected + 1));
        }
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(10_000);
        assertThat(executor.statistics().tasksRun()).isEqualTo(10_000);
        assertThat(executor.pendingTasks()).isZero();
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void noTaskIsLostBetweenAcceptanceAndTheEnd(Supplier<TaskQueue<Runnable>> queue)
            throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            SingleThreadExecutor executor =
                    SingleThreadExecutor.builder("ends").queue(queue).build();
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger accepted = new AtomicInteger();
            Runnable producer =
                    () -> {
                        try {
                            for (int i = 0; i < 1000; i++) {
                                executor.execute(ran::incrementAndGet);
                                accepted.incrementAndGet();
                            }
                        } catch (RejectedExecutionException e) {
                            // shut down
                        }
                    };
            List<Thread> producers =
                    List.of(
                            Thread.ofPlatform().start(producer),
                            Thread.ofPlatform().start(producer));
            executor.shutdownGracefully().join();
            for (Thread thread : producers) {
                thread.join();
            }
            assertThat(ran).hasValue(accepted.get());
        }
    }

    @Test
    void oneWithABoundRefusesWhatIsBeyondIt() {
        TaskQueue<String> queue = TaskQueue.of(new ArrayBlockingQueue<>(2));
        assertThat(queue.capacity()).isEqualTo(2);
        assertThat(queue.offer("a")).isTrue();
        assertThat(queue.offer("b")).isTrue();
        assertThat(queue.offer("c")).isFalse();
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll()).isEqualTo("a");
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.offer("d")).isFalse();
        assertThat(queue.poll()).isEqualTo("b");
        assertThat(queue.poll()).isNull();
        assertThat(queue.polled()).isEqualTo(2);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void oneWithoutHasRoomForAll() throws InterruptedException {
        assertThat(TaskQueue.of(new LinkedTransferQueue<>()).capacity())
                .isEqualTo(Integer.MAX_VALUE);
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("unbounded").unboundedQueue().build();
        AtomicInteger ran = new AtomicInteger();
        Held held = Held.hold(executor);
        for (int i = 0; i < 200_000; i++) {
            executor.execute(ran::incrementAndGet);
        }
        held.letGo();
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(200_000);
    }

    @Test
    void refusesOneThatIsInUse() {
        assertThatThrownBy(() -> TaskQueue.of(new ConcurrentLinkedQueue<>(List.of("x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queue: 1 elements (expected: 0)");
    }
}
