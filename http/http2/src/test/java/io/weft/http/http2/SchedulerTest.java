package io.weft.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The order in which streams are served, beside queues that are written down plainly.
class SchedulerTest {
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);

    private final Side side = Side.server();
    private final Scheduler scheduler = new Scheduler();
    private final Plain plain = new Plain();

    /// The same order by a deque for each urgency and kind.
    private static final class Plain {
        private final List<ArrayDeque<Http2Stream>> queues = new ArrayList<>();
        private boolean turn;

        Plain() {
            for (int i = 0; i < 16; i++) {
                queues.add(new ArrayDeque<>());
            }
        }

        private ArrayDeque<Http2Stream> queue(int urgency, boolean incremental) {
            return queues.get(urgency + (incremental ? 8 : 0));
        }

        void add(Http2Stream stream) {
            Priority p = stream.priority();
            ArrayDeque<Http2Stream> queue = queue(p.urgency(), p.incremental());
            if (queue.contains(stream)) {
                return;
            }
            Http2Stream first = queue.peekFirst();
            if (!p.incremental() && first != null && stream.id() < first.id()) {
                queue.addFirst(stream);
            } else {
                queue.addLast(stream);
            }
        }

        void remove(Http2Stream stream) {
            queues.forEach(queue -> queue.remove(stream));
        }

        @Nullable Http2Stream next() {
            for (int urgency = 0; urgency < 8; urgency++) {
                ArrayDeque<Http2Stream> queue = queue(urgency, turn);
                queue = queue.isEmpty() ? queue(urgency, !turn) : queue;
                if (!queue.isEmpty()) {
                    turn = !turn;
                    return queue.removeFirst();
                }
            }
            return null;
        }

        boolean isEmpty() {
            return queues.stream().allMatch(ArrayDeque::isEmpty);
        }
    }

    @AfterEach
    void close() {
        side.close();
    }

    @Test
    void streamsAreServedByUrgencyAndInTurn() {
        List<Http2Stream> streams = streams(4);
        for (Http2Stream stream : streams) {
            scheduler.add(stream);
        }
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Http2Stream next = scheduler.next();
            assertThat(next).isNotNull();
            served.add(next.id());
            scheduler.add(next);
        }
        assertThat(served).containsExactly(1, 3, 5, 7, 1, 3, 5, 7);
    }

    @Test
    void theOrderIsThatOfPlainQueues() {
        Random random = new Random(SEED);
        List<Http2Stream> streams = streams(40);
        for (int i = 0; i < 20_000; i++) {
            Http2Stream stream = streams.get(random.nextInt(streams.size()));
            switch (random.nextInt(8)) {
                case 0 -> {
                    scheduler.remove(stream);
                    plain.remove(stream);
                }
                case 1 -> {
                    scheduler.remove(stream);
                    plain.remove(stream);
                    stream.setPriority(new Priority(random.nextInt(8), random.nextBoolean()));
                }
                case 2, 3, 4 -> assertThat(scheduler.next()).isSameAs(plain.next());
                default -> {
                    scheduler.add(stream);
                    plain.add(stream);
                }
            }
            assertThat(scheduler.isEmpty()).isEqualTo(plain.isEmpty());
        }
    }

    private List<Http2Stream> streams(int count) {
        List<Http2Stream> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(new Http2Stream(side.h2, 2 * i + 1));
        }
        return streams;
    }
}
