package io.weft.channel;

import io.weft.engine.Datagram;
import io.weft.engine.DatagramEvents;
import io.weft.loop.LoopThread;
import java.io.IOException;

/// Events of an engine for a datagram channel; apart from it so that users cannot call them. As in
/// [StreamSide], each event says that the loop is at work.
record DatagramSide(Channel channel) implements DatagramEvents {
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
        if (channel.isActive()) {
            channel.pipeline().fireException(cause);
        }
    }

    @Override
    public void closed() {
        channel.life().afterClose();
    }
}
