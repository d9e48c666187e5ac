package io.weft.conformance.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// An embedded channel, whose peer is the test and whose time passes when the test waits.
final class EmbeddedSubject implements Subject {
    private static final Duration STEP = Duration.ofMillis(1);

    private final EmbeddedChannel embedded;
    private String received = "";

    EmbeddedSubject(ChannelOptions options, ChannelInitializer initializer) {
        embedded = new EmbeddedChannel(options, initializer);
    }

    @Override
    public Channel channel() {
        return embedded.channel();
    }

    @Override
    public void peerSends(String text) {
        embedded.receive(text);
    }

    @Override
    public String peerReceives(int length) {
        await(
                "bytes",
                () -> {
                    received += embedded.takeOutboundText();
                    return received.length() >= length;
                });
        String next = received.substring(0, length);
        received = received.substring(length);
        return next;
    }

    @Override
    public String peerReceivesAll() {
        await("the end", () -> embedded.isOutputShutdown() || embedded.isClosed());
        String all = received + embedded.takeOutboundText();
        received = "";
        return all;
    }

    @Override
    public void peerEnds() {
        embedded.receiveEnd();
    }

    @Override
    public void peerResets() {
        embedded.fail(new IOException("Connection reset by peer"));
    }

    @Override
    public void onLoop(Runnable action) {
        action.run();
        embedded.runPending();
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
        embedded.runPending();
        for (long step = 0; !condition.getAsBoolean(); step++) {
            assertThat(step).as("waited in vain: " + what).isLessThan(PATIENCE.dividedBy(STEP));
            embedded.advance(STEP);
        }
    }

    @Override
    public void close() {
        embedded.close();
        assertThat(embedded.channel().closeFuture().isDone()).isTrue();
        assertThat(Ledger.takeOpen()).as("open buffers").isEmpty();
    }
}
