package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.loop.LoopLocalTest.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObjectPoolTest {
    private static final class Item {
        private final ObjectPool.Handle<Item> handle;
        private int content;

        private Item(ObjectPool.Handle<Item> handle) {
            this.handle = handle;
        }
    }

    private final ObjectPool<Item> pool = new ObjectPool<>(4, Item::new);

    private List<Item> take(int n) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            items.add(pool.get());
        }
        return items;
    }

    private static void giveBack(List<Item> items) {
        for (Item item : items) {
            item.handle.recycle();
        }
    }

    private static Set<Item> identities(List<Item> items) {
        Set<Item> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(items);
        return set;
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "VIRTUAL")
    void whatIsGivenBackIsUsedAgain(Kind kind) throws Exception {
        assertThat(
                        kind.call(
                                () -> {
                                    Item item = pool.get();
                                    item.handle.recycle();
                                    return pool.get() == item;
                                }))
                .isTrue();
    }

    @Test
    void virtualThreadsDoNotPool() throws Exception {
        Item[] item = new Item[1];
        assertThat(
                        Kind.VIRTUAL.call(
                                () -> {
                                    item[0] = pool.get();
                                    item[0].handle.recycle();
                                    return pool.get() == item[0];
                                }))
                .isFalse();
        assertThatThrownBy(item[0].handle::recycle).isInstanceOf(DoubleRecycleException.class);
        assertThat(pool.pooled()).isZero();
    }

    @Test
    void whatFindsNoRoomIsDropped() {
        List<Item> items = take(10);
        giveBack(items);
        assertThat(pool.pooled()).isEqualTo(4);
        assertThat(identities(take(5))).hasSize(5);
        assertThatThrownBy(items.get(9).handle::recycle).isInstanceOf(DoubleRecycleException.class);
    }

    @ParameterizedTest
    @EnumSource
    void whatAnotherThreadGivesBackGoesHomeUpToTheBound(Kind kind) throws Exception {
        List<Item> items = take(10);
        kind.call(
                () -> {
                    items.forEach(item -> item.content = 7);
                    giveBack(items);
                    return null;
                });
        List<Item> again = take(4);
        assertThat(items).containsAll(again);
        assertThat(identities(again)).hasSize(4);
        assertThat(again).allMatch(item -> item.content == 7);
        assertThat(items).doesNotContain(pool.get());
    }

    @ParameterizedTest
    @EnumSource
    void givingBackTwiceIsRefused(Kind kind) throws Exception {
        Item item = pool.get();
        item.handle.recycle();
        assertThatThrownBy(item.handle::recycle)
                .isInstanceOf(DoubleRecycleException.class)
                .hasMessage(Item.class.getName() + ": given back already (expected: taken)");
        assertThat(
                        kind.call(
                                () -> {
                                    assertThatThrownBy(item.handle::recycle)
                                            .isInstanceOf(DoubleRecycleException.class);
                                    return true;
                                }))
                .isTrue();
        Item other = pool.get();
        assertThat(other).isSameAs(item);
        kind.call(
                () -> {
                    other.handle.recycle();
                    assertThatThrownBy(other.handle::recycle)
                            .isInstanceOf(DoubleRecycleException.class);
                    return null;
                });
        assertThatThrownBy(other.handle::recycle).isInstanceOf(DoubleRecycleException.class);
        assertThat(pool.get()).isSameAs(other);
        assertThat(pool.get()).isNotSameAs(other);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, 66, 129, 4096})
    void thereIsAPlaceForEachOfItsCapacity(int capacity) throws Exception {
        ObjectPool<Item> own = new ObjectPool<>(capacity, Item::new);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < capacity + 10; i++) {
            items.add(own.get());
        }
        Collections.shuffle(items, new Random(capacity));
        giveBack(items);
        assertThat(own.pooled()).isEqualTo(capacity);
        Set<Item> again = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < capacity; i++) {
            again.add(own.get());
        }
        assertThat(items).containsAll(again);
        Kind.PLATFORM.call(
                () -> {
                    again.forEach(item -> item.handle.recycle());
                    return null;
                });
        for (int i = 0; i < capacity; i++) {
            again.remove(own.get());
        }
        assertThat(again).isEmpty();
    }

    /// If some takers never give back, the pool still serves the others.
    @Test
    void whatIsNeverGivenBackLosesItsPlace() {
        List<Item> lost = take(4);
        Item item;
        int made = 4;
        do {
            item = pool.get();
            item.handle.recycle();
            assertThat(++made).isLessThan(2000);
        } while (pool.get() != item);
        giveBack(lost); // from places that are no more, or still are
        assertThat(identities(take(20))).hasSize(20).doesNotContain(item);
        assertThatThrownBy(lost.get(0).handle::recycle).isInstanceOf(DoubleRecycleException.class);
    }

    /// The consumer gives back what the producer takes; nothing may be with two owners at a time.
    @Test
    void objectsThatCrossThreadsHaveOneOwner() throws InterruptedException {
        var crossing = new ArrayBlockingQueue<Item>(16);
        AtomicBoolean shared = new AtomicBoolean();
        Thread consumer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        for (int i = 0; i < 50_000; i++) {
                                            Item item = crossing.take();
                                            if (item.content != i) {
                                                shared.set(true);
                                            }
                                            item.handle.recycle();
                                        }
                                    } catch (InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        for (int i = 0; i < 50_000; i++) {
            Item item = pool.get();
            item.content = i;
            crossing.put(item);
        }
        consumer.join();
        assertThat(shared).isFalse();
    }

    /// Both threads give back every object, so that the owner's plain check and the other's
    /// compare-and-set race.
    @Test
    void whatTwoGiveBackAtATimeIsNotPooledTwice() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            List<Item> items = take(4);
            CountDownLatch go = new CountDownLatch(1);
            Thread other =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        go.countDown();
                                        recycleIgnoringRefusals(items);
                                    });
            go.await();
            recycleIgnoringRefusals(items);
            other.join();
            assertThat(identities(take(20))).hasSize(20);
        }
    }

    private static void recycleIgnoringRefusals(List<Item> items) {
        for (Item item : items) {
            try {
                item.handle.recycle();
            } catch (DoubleRecycleException _) {
                // Whether it is noticed is a matter of luck here.
            }
        }
    }

    @Test
    void objectsThatOutliveTheirExecutorAreJustDropped() {
        SingleThreadExecutor executor = new SingleThreadExecutor("home");
        List<Item> items = executor.submit(() -> take(3)).join();
        executor.addShutdownHook(() -> giveBack(items.subList(0, 1)));
        executor.shutdownGracefully().join();
        giveBack(items.subList(1, 3));
        assertThatThrownBy(items.get(2).handle::recycle).isInstanceOf(DoubleRecycleException.class);
        assertThat(pool.pooled()).isZero();
    }

    @Test
    void aCapacityOutOfBoundsIsRefused() {
        assertThatThrownBy(() -> new ObjectPool<>(0, Item::new))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity: 0 (expected: 1..4096)");
    }

    @Test
    @SuppressWarnings("NullAway") // the subject
    void aMakerMayFailButNotMakeNothing() {
        AtomicBoolean fails = new AtomicBoolean(true);
        ObjectPool<Item> failing =
                new ObjectPool<>(
                        2,
                        handle -> {
                            if (fails.get()) {
                                throw new IllegalStateException("none left");
                            }
                            return new Item(handle);
                        });
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(failing::get).hasMessage("none left");
        }
        fails.set(false);
        for (int i = 0; i < 1_000; i++) {
            failing.get().handle.recycle();
        }
        Item again = failing.get();
        again.handle.recycle();
        assertThat(failing.get()).isSameAs(again);
        assertThatThrownBy(() -> new ObjectPool<Item>(1, _ -> null).get()).hasMessage("made");
    }
}
