package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.queue.MpscQueue;
import io.weft.loop.queue.TaskQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class OverflowTest {
    private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();

    static Stream<Named<Supplier<TaskQueue<Runnable>>>> queues() {
        return Stream.of(
                Named.of("MpscQueue", () -> new MpscQueue<>(2)),
                Named.of("ArrayBlocking", () -> TaskQueue.of(new ArrayBlockingQueue<>(2))),
                Named.of("LinkedBlocking", () -> TaskQueue.of(new LinkedBlockingQueue<>(2))));
    }

    private Agenda agenda(TaskQueue<Runnable> queue) {
        var owner = new ManualExecutor();
        return new Agenda(owner, new ManualClock(), queue, owner, false);
    }

    private Runnable task(String name) {
        return () -> ran.add(name);
    }

    @Test
    void aFullExecutorRunsOneThreadsTasksInOrder() {
        var executor = new SerialExecutor(turns::add, 2);
        executor.execute(task("a"));
        executor.execute(task("b"));
        executor.executeUnbounded(task("c"));
        executor.executeUnbounded(task("d"));
        while (!turns.isEmpty()) {
            turns.remove().run();
        }
        assertThat(ran).containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @MethodSource("queues")
    void aTaskRunsAfterTheQueueThatItFoundFull(Supplier<TaskQueue<Runnable>> queue) {
        Agenda agenda = agenda(queue.get());
        agenda.accept(task("a"));
        agenda.accept(task("b"));
        agenda.acceptUnbounded(task("c"));
        agenda.acceptUnbounded(task("d"));
        agenda.runTasks();
        assertThat(ran).containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @MethodSource("queues")
    void aTaskRunsBeforeThoseThatTheQueueAcceptsLater(Supplier<TaskQueue<Runnable>> queue) {
        Agenda agenda = agenda(queue.get());
        agenda.accept(
                () -> {
                    ran.add("a");
                    agenda.accept(task("d"));
                });
        agenda.accept(task("b"));
        agenda.acceptUnbounded(task("c"));
        agenda.runTasks();
        assertThat(ran).containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @MethodSource("queues")
    void lastingOverloadDoesNotStarveATask(Supplier<TaskQueue<Runnable>> queue) {
        Agenda agenda = agenda(queue.get());
        class Again implements Runnable {
            @Override
            public void run() {
                ran.add("load");
                agenda.accept(this);
            }
        }
        agenda.accept(new Again());
        agenda.accept(new Again());
        agenda.acceptUnbounded(task("late"));
        agenda.runTasks();
        assertThat(ran.indexOf("late")).isEqualTo(2);
        assertThat(ran).hasSizeGreaterThan(100);
    }

    /// The producer of the first task in an empty queue has added one here between the owner's look
    /// and its poll.
    @Test
    void aTaskAddedDuringAPollStaysInOrder() {
        var inner = new MpscQueue<Runnable>(4);
        var interrupted = new AtomicBoolean();
        Overflow[] overflow = new Overflow[1];
        TaskQueue<Runnable> queue =
                new TaskQueue<>() {
                    @Override
                    public @Nullable Runnable poll() {
                        if (interrupted.compareAndSet(false, true)) {
                            overflow[0].add(task("late"));
                            overflow[0].add(task("later"));
                            inner.offer(task("a"));
                            overflow[0].add(task("latest"));
                            inner.offer(task("b"));
                        }
                        return inner.poll();
                    }

                    @Override
                    public boolean offer(Runnable task) {
                        return inner.offer(task);
                    }

                    @Override
                    public boolean isEmpty() {
                        return inner.isEmpty();
                    }

                    @Override
                    public int size() {
                        return inner.size();
                    }

                    @Override
                    public int capacity() {
                        return inner.capacity();
                    }

                    @Override
                    public long polled() {
                        return inner.polled();
                    }

                    @Override
                    public long accepted() {
                        return inner.accepted();
                    }

                    @Override
                    public void close() {
                        inner.close();
                    }

                    @Override
                    public boolean isClosed() {
                        return inner.isClosed();
                    }
                };
        overflow[0] = new Overflow(queue);
        for (Runnable next; (next = overflow[0].poll()) != null; ) {
            next.run();
        }
        assertThat(ran).containsExactly("late", "later", "a", "latest", "b");
        assertThat(overflow[0].size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("queues")
    void tasksThatAddTasksDoNotKeepTheQueueFromEnding(Supplier<TaskQueue<Runnable>> queue) {
        Agenda agenda = agenda(queue.get());
        class Chain implements Runnable {
            @Override
            public void run() {
                agenda.acceptUnbounded(this);
            }
        }
        agenda.accept(new Chain());
        agenda.accept(task("a"));
        agenda.acceptUnbounded(new Chain());
        agenda.acceptUnbounded(new Chain());
        agenda.closeTasks();
        assertThat(ran).containsExactly("a");
        agenda.closeUnbounded();
        assertThat(agenda.hasTasks()).isFalse();
    }
}
