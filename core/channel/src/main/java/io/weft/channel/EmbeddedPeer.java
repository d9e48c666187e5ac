package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The far end of an embedded channel: what it was sent, and what it lets through.
final class EmbeddedPeer implements Accepted, StreamHandle {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    /// Arrived while the channel did not read.
    private final ArrayDeque<Buffer> waiting = new ArrayDeque<>();

    private @Nullable StreamEvents events;
    private boolean receiving;
    private boolean sendWaits;
    private boolean endArrived;
    private boolean endTold;

    /// Bytes that the peer takes before it stops reading.
    long window = Long.MAX_VALUE;

    /// True if the peer ends its output when it sees the end of a channel that closes.
    boolean endsWithChannel = true;

    boolean outputShutdown;
    boolean closed;
    boolean reset;

    StreamHandle handle(StreamEvents streamEvents) {
        events = streamEvents;
        return this;
    }

    StreamEvents events() {
        if (events == null) {
            throw new IllegalStateException("not adopted yet");
        }
        return events;
    }

    byte[] takeSent() {
        byte[] bytes = sent.toByteArray();
        sent.reset();
        return bytes;
    }

    void deliver(Buffer bytes) {
        if (closed || endArrived) {
            bytes.release();
        } else if (!receiving) {
            waiting.add(bytes);
        } else {
            events().received(bytes);
            events().receiveComplete();
        }
    }

    /// Told when all that came before it has been read.
    void end() {
        endArrived = true;
        tellEnd();
    }

    private void tellEnd() {
        if (endArrived && !endTold && receiving && !closed && waiting.isEmpty()) {
            endTold = true;
            events().inputClosed();
        }
    }

    void open(long more) {
        window = Math.addExact(window, more);
        if (sendWaits) {
            sendWaits = false;
            events().sent(0);
        }
    }

    @Override
    public void receive() {
        receiving = true;
        while (receiving && !waiting.isEmpty()) {
            events().received(waiting.remove());
            events().receiveComplete();
        }
        if (outputShutdown && endsWithChannel && channel().life().isClosing()) {
            endArrived = true;
        }
        tellEnd();
    }

    private Channel channel() {
        return ((StreamSide) events()).channel();
    }

    @Override
    public void pause() {
        receiving = false;
    }

    @Override
    public int send(Gather buffers) {
        int total = 0;
        for (int i = 0; i < buffers.count() && window > 0; i++) {
            Buffer buffer = buffers.buffer(i);
            int length = (int) Math.min(window, buffer.readableBytes());
            byte[] bytes = new byte[length];
            buffer.getBytes(buffer.readOffset(), bytes, 0, length);
            sent.writeBytes(bytes);
            window -= length;
            total += length;
        }
        boolean all = total > 0 || buffers.buffer(0).readableBytes() == 0;
        sendWaits = !all;
        return all ? total : PENDING;
    }

    @Override
    public void shutdownOutput() {
        outputShutdown = true;
    }

    @Override
    public boolean discardInput() {
        boolean some = !waiting.isEmpty();
        waiting.forEach(Buffer::release);
        waiting.clear();
        return some;
    }

    @Override
    public void close(boolean withReset) {
        if (!closed) {
            closed = true;
            reset = withReset;
            waiting.forEach(Buffer::release);
            waiting.clear();
            events().closed();
        }
    }

    @Override
    public void close() {
        close(true);
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option + " of an embedded channel");
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option + " of an embedded channel");
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return null;
    }
}
