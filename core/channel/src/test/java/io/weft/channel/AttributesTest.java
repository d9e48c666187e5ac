package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttributesTest {
    private static final AttributeKey<String> NAME = AttributeKey.of("name");
    private static final AttributeKey<Integer> COUNT = AttributeKey.of("count");

    private final Attributes attributes = new Attributes();

    @Test
    void holdWhatWasSetUnderItsKeyAlone() {
        assertThat(attributes.get(NAME)).isNull();
        assertThat(attributes.set(NAME, "a")).isNull();
        assertThat(attributes.set(COUNT, 1)).isNull();
        assertThat(attributes.set(NAME, "b")).isEqualTo("a");
        assertThat(attributes.get(NAME)).isEqualTo("b");
        assertThat(attributes.get(COUNT)).isEqualTo(1);
        assertThat(attributes.get(AttributeKey.<String>of("name"))).isNull();
        assertThat(attributes.remove(NAME)).isEqualTo("b");
        assertThat(attributes.remove(NAME)).isNull();
        assertThat(attributes.get(COUNT)).isEqualTo(1);
    }

    /// All orders of six steps with three keys, against a map.
    @Test
    void settingOrRemovingOneLeavesTheOthers() {
        List<AttributeKey<Integer>> keys =
                List.of(AttributeKey.of("a"), AttributeKey.of("b"), AttributeKey.of("c"));
        for (int steps = 0; steps < 46_656; steps++) {
            Attributes some = new Attributes();
            Map<AttributeKey<Integer>, Integer> model = new HashMap<>();
            for (int i = 0, left = steps; i < 6; i++, left /= 6) {
                AttributeKey<Integer> key = keys.get(left % 3);
                Integer before = left % 6 < 3 ? some.set(key, i) : some.remove(key);
                assertThat(before).isEqualTo(left % 6 < 3 ? model.put(key, i) : model.remove(key));
            }
            keys.forEach(key -> assertThat(some.get(key)).isEqualTo(model.get(key)));
        }
    }

    @Test
    void areMadeOnceWhoeverAsks() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            go.await();
                                        } catch (InterruptedException e) {
                                            return;
                                        }
                                        int _ =
                                                attributes.computeIfAbsent(
                                                        COUNT, made::incrementAndGet);
                                    });
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(made).hasValue(1);
        assertThat(attributes.get(COUNT)).isEqualTo(1);
    }

    @Test
    void belongToTheirChannel() {
        try (var a = new EmbeddedChannel();
                var b = new EmbeddedChannel()) {
            a.channel().attributes().set(NAME, "a");
            assertThat(a.channel().attributes().get(NAME)).isEqualTo("a");
            assertThat(b.channel().attributes().get(NAME)).isNull();
        }
    }
}
