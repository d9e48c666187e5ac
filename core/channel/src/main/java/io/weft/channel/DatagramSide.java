package io.weft.channel;

import io.weft.buffer.MemoryLimitException;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramEvents;
import io.weft.loop.LoopThread;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Events of an engine for a datagram channel; apart from it so that users cannot call them. As in
/// [StreamSide], each event says that the loop is at work.
record DatagramSide(Channel channel) implements DatagramEvents {
    /// Until the engine is asked to receive again which had no memory to.
    private static final long PAUSE_MILLIS = 100;

    @Override
    public void received(Datagram datagram) {
        LoopThread.working();
        channel.inbound().received(datagram, datagram.content().readableBytes());
    }

    @Override
    public void receiveComplete() {
        LoopThread.working();
        channel.inbound().receiveComplete();
    }

    @Override
    public void sent(int datagrams) {
        LoopThread.working();
        channel.outbound().sent(datagrams);
    }

    /// Reports one datagram that was refused on its way; the next may arrive.
    @Override
    public void failed(IOException cause) {
        LoopThread.working();
        if (!channel.isActive()) {
            return;
        }
        if (cause.getCause() instanceof MemoryLimitException
                || cause.getCause() instanceof OutOfMemoryError) {
            receiveLater(); // the engine has stopped to
        }
        channel.pipeline().fireException(cause);
    }

    private void receiveLater() {
        try {
            channel.eventLoop()
                    .schedule(
                            () -> channel.inbound().receiveByItself(),
                            PAUSE_MILLIS,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The loop ends, and the channel with it.
        }
    }

    @Override
    public void closed() {
        channel.life().afterClose();
    }
}
