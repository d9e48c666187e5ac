package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

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
