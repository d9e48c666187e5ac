package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EndpointMessage;
import io.weft.engine.StreamEvents;
import io.weft.loop.LoopThread;
import java.io.IOException;

/// Events of an engine for a stream's channel; apart from it so that users cannot call them.
///
/// Engines call this after waiting, in the midst of what the watchdog takes for waiting; so each
/// event that reaches a handler says first that the loop is at work, for all engines.
record StreamSide(Channel channel) implements StreamEvents {
    @Override
    public void connected() {
        LoopThread.working();
        channel.life().connected();
    }

    @Override
    public void received(Buffer bytes) {
        LoopThread.working();
        channel.inbound().received(bytes, bytes.readableBytes());
    }

    @Override
    public void received(DescriptorMessage message) {
        LoopThread.working();
        channel.inbound().received(message, message.content().readableBytes());
    }

    @Override
    public void received(EndpointMessage message) {
        LoopThread.working();
        channel.inbound().received(message, message.content().readableBytes());
    }

    @Override
    public void happened(Object event) {
        LoopThread.working();
        if (channel.isActive()) {
            channel.pipeline().fireUserEventTriggered(event);
        }
    }

    @Override
    public void receiveComplete() {
        LoopThread.working();
        channel.inbound().receiveComplete();
    }

    @Override
    public void inputClosed() {
        LoopThread.working();
        channel.inbound().inputClosed();
    }

    @Override
    public void sent(int bytes) {
        LoopThread.working();
        channel.outbound().sent(bytes);
    }

    @Override
    public void failed(IOException cause) {
        LoopThread.working();
        channel.life().failed(cause);
    }

    @Override
    public void closed() {
        channel.life().afterClose();
    }
}
