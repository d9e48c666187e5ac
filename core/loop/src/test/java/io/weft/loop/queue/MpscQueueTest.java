package io.weft.loop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@SuppressWarnings(
        "ThreadPriorityCheck") // on few processors, who spins keeps from running whom it waits for
class MpscQueueTest {
    private static final int PRODUCERS = 4;
    private static final int EACH = 200_000;

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "4,4", "5,8", "1000,1024", "65536,65536"})
    void roundsTheCapacityUpToAPowerOfTwo(int asked, int expected) {
        assertThat(new MpscQueue<>(asked).capacity()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 30) + 1})
    void refusesACapacityThatIsNone(int capacity) {
        assertThatThrownBy(() -> new MpscQueue<>(capacity))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity: " + capacity + " (expected: 1..2^30)");
    }

    @Test
    void keepsTheOrderAndRefusesWhenFull() {
        MpscQueue<Integer> queue = new MpscQueue<>(4);
        for (int round = 0; round < 10; round++) {
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.poll()).isNull();
            for (int i = 0; i < 4; i++) {
                assertThat(queue.offer(round * 10 + i)).isTrue();
            }
            assertThat(queue.offer(99)).isFalse();
            assertThat(queue.size()).isEqualTo(4);
            assertThat(queue.isEmpty()).isFalse();
            for (int i = 0; i < 4; i++) {
                assertThat(queue.poll()).isEqualTo(round * 10 + i);
            }
        }
    }

    @Test
    void keepsTheOrderFromChunkToChunk() {
        MpscQueue<Integer> queue = new MpscQueue<>(8, 2);
        int offered = 0;
        int polled = 0;
        for (int round = 0; round < 50; round++) {
            int more = 1 + round % 8;
            for (int i = 0; i < more; i++) {
                if (offered - polled < 8) {
                    assertThat(queue.offer(offered++)).isTrue();
                } else {
                    assertThat(queue.offer(-1)).isFalse();
                }
            }
            for (int i = round % 5; i >= 0 && polled < offered; i--) {
                assertThat(queue.poll()).isEqualTo(polled++);
            }
            assertThat(queue.size()).isEqualTo(offered - polled);
        }
    }

    @Test
    void aClosedQueueHandsOutWhatItHasAndTakesNoMore() {
        MpscQueue<String> queue = new MpscQueue<>(4);
        queue.offer("a");
        queue.close();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.offer("b")).isFalse();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 2_048, 65_536})
    void losesNothingAndKeepsEachProducersOrder(int capacity) throws InterruptedException {
        MpscQueue<Long> queue = new MpscQueue<>(capacity);
        List<Thread> producers = new ArrayList<>();
        int each = capacity < 64 ? EACH / 400 : EACH; // a tiny queue is all waiting
        for (int p = 0; p < PRODUCERS; p++) {
            long id = p;
            producers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < each; i++) {
                                            Long element = id << 32 | i;
                                            while (!queue.offer(element)) {
                                                Thread.yield();
                                            }
                                        }
                                    }));
        }
        int[] next = new int[PRODUCERS];
        for (int received = 0; received < PRODUCERS * each; ) {
            Long element = queue.poll();
            if (element == null) {
                Thread.yield();
                continue;
            }
            int producer = (int) (element >>> 32);
            if (element.intValue() != next[producer]++) {
                fail(
                        "producer %d: %d (expected: %d)",
                        producer, element.intValue(), next[producer] - 1);
            }
            received++;
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(next).containsOnly(each);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void closingSplitsOffersIntoThoseAcceptedAndThoseRefused() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            MpscQueue<Integer> queue = new MpscQueue<>(1024);
            AtomicInteger accepted = new AtomicInteger();
            Runnable producer =
                    () -> {
                        for (int i = 0; i < 200 && queue.offer(i); i++) {
                            accepted.incrementAndGet();
                        }
                    };
            Thread one = Thread.ofPlatform().start(producer);
            Thread two = Thread.ofPlatform().start(producer);
            int polled = 0;
            while (polled < round) {
                if (queue.poll() != null) {
                    polled++;
                } else if (!one.isAlive() && !two.isAlive()) {
                    break;
                } else {
                    Thread.yield();
                }
            }
            queue.close();
            while (!queue.isEmpty()) {
                if (queue.poll() != null) {
                    polled++;
                }
            }
            one.join();
            two.join();
            assertThat(polled).isEqualTo(accepted.get());
            assertThat(queue.poll()).isNull();
        }
    }

    @Test
    void theLargestCapacityIsAllowed() {
        assertThat(new MpscQueue<String>(1 << 30).capacity()).isEqualTo(1 << 30);
    }

    @Test
    void isOpenUntilItIsClosed() {
        MpscQueue<String> queue = new MpscQueue<>(2);
        assertThat(queue.isClosed()).isFalse();
        queue.offer("a");
        assertThat(queue.isClosed()).isFalse();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.accepted()).isEqualTo(1);
    }
}
