package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Channels hold a queue while they have something to send, and no longer.
class SpareQueuesTest {
    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private static Promise<Void> listened(Channel channel, Runnable listener) {
        Promise<Void> promise = new Promise<>(channel.eventLoop());
        promise.addListener(_ -> listener.run());
        return promise;
    }

    private static int spare(Channel channel) {
        return OpenChannels.of(channel.eventLoop()).queues().count();
    }

    @Test
    void aChannelHoldsAQueueFromTheWriteUntilAllIsSent() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            channel.write(text("a"));
            assertThat(spare(channel)).isZero();
            channel.writeAndFlush(text("b"));
            assertThat(spare(channel)).isEqualTo(1);
            assertThat(embedded.takeOutboundText()).isEqualTo("ab");
            channel.write(text("c"));
            assertThat(spare(channel)).isZero();
            channel.flush();
            assertThat(spare(channel)).isEqualTo(1);
            assertThat(embedded.takeOutboundText()).isEqualTo("c");
        }
    }

    /// Told that the first datagram of several was sent, the application gives the channel up.
    @Test
    void aQueueMayBeEmptiedWhileSentDatagramsAreTold() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            OutboundQueue queue = new OutboundQueue();
            Promise<Void> second = new Promise<>(channel.eventLoop());
            queue.add(new Datagram(text("a"), null), listened(channel, queue::failAll));
            queue.add(new Datagram(text("b"), null), second);
            queue.flush();
            queue.sentDatagrams(2);
            assertThat(queue.isAtRest()).isTrue();
            assertThat(second.cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void aLoopKeepsAtMost256QueuesAndEachOnce() {
        OpenChannels.SpareQueues queues = new OpenChannels.SpareQueues();
        Set<OutboundQueue> lent = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 300; i++) {
            lent.add(queues.take());
        }
        assertThat(lent).hasSize(300);
        lent.forEach(queues::giveBack);
        assertThat(queues.count()).isEqualTo(256);
        Set<OutboundQueue> again = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 256; i++) {
            again.add(queues.take());
        }
        assertThat(again).hasSize(256);
        assertThat(lent).containsAll(again);
        assertThat(lent).doesNotContain(queues.take());
    }

    @Test
    void aListenerThatWritesIsSentBehindWhatItListensTo() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            List<String> told = new ArrayList<>();
            for (String each : List.of("a", "b", "c")) {
                channel.write(
                        text(each),
                        listened(
                                channel,
                                () -> {
                                    told.add(each);
                                    channel.writeAndFlush(text(each + each));
                                }));
            }
            channel.flush();
            assertThat(told).containsExactly("a", "b", "c");
            assertThat(embedded.takeOutboundText()).isEqualTo("abcaabbcc");
            assertThat(spare(channel)).isEqualTo(1);
        }
    }

    @Test
    void aListenerThatClosesEndsTheChannelOfWhichTheQueueIs() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            channel.write(text("a"), listened(channel, channel::abort));
            Promise<Void> after = new Promise<>(channel.eventLoop());
            channel.write(text("b"), after);
            channel.flush();
            embedded.runPending();
            assertThat(channel.isOpen()).isFalse();
            assertThat(after.isDone()).isTrue();
            assertThat(channel.pendingBytes()).isZero();
        }
    }

    @Test
    void anOrderlyCloseGivesTheQueueBackWhenAllIsSent() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            channel.writeAndFlush(text("a"));
            channel.write(text("b"));
            channel.close();
            assertThat(spare(channel)).isEqualTo(1);
        }
    }

    @Test
    void aListenerThatFlushesWhileUnflushedMessagesFailLeavesTheQueueInUse() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            List<Integer> spares = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Runnable listener =
                        () -> {
                            channel.flush();
                            spares.add(spare(channel));
                        };
                channel.write(text("a"), listened(channel, listener));
            }
            channel.close();
            assertThat(spares).containsExactly(0, 0, 0);
        }
    }

    @Test
    void noMoreQueuesAreKeptThanTheBound() {
        var queues = new OpenChannels.SpareQueues();
        for (int i = 0; i < 300; i++) {
            queues.giveBack(new OutboundQueue());
        }
        assertThat(queues.count()).isEqualTo(256);
        OutboundQueue one = queues.take();
        assertThat(queues.take()).isNotSameAs(one).isNotSameAs(OutboundQueue.NONE);
    }
}
