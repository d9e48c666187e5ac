package io.weft.transport.nio;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A connected channel, or one that is being connected.
///
/// **Pausing** costs nothing: interest in input is given up only when input comes while paused. A
/// selector tells nothing of a channel without interest, so an error is noticed then when receiving
/// goes on, or something is sent.
///
/// **A send that fails** is told behind the input that has arrived, as the peer may have answered
/// before it ended the connection. The JDK does not say if it has: of a connection that stands, the
/// next round tells. A stream that does not receive, or that stops to, hears of the failure at
/// once.
///
/// **Closing** is done at once, as the kernel uses no memory of ours between calls.
final class NioStream implements StreamHandle, Target {
    private static final int RECEIVE_SIZE = 16 << 10;

    /// Of a stream that had as much as [#RECEIVE_SIZE] for its last read. Else a message of exactly
    /// that size cost a second read each time, only to hear that this was all.
    private static final int LARGE_RECEIVE_SIZE = 64 << 10;

    /// Reads a ready stream may make before others get their turn: half a MiB at most, for the
    /// reasons of `ReadinessStream`.
    private static final int MAX_READS = 8;

    private static final int MAX_GATHER = 64;

    /// Bytes of a file that one stream sends before others get their turn.
    private static final int MAX_FILE_SEND = 1 << 20;

    private static final int DISCARD = 4 << 10;

    private final NioEngine engine;
    private final SocketChannel channel;
    private final StreamEvents events;
    private final SelectionKey key;

    /// The [SocketAddress] of a connect in flight, or the [IOException] of a send that is to be
    /// told behind the input; else null.
    private @Nullable Object outcome;

    private boolean receiving;
    private boolean receivesMuch;
    private boolean inputEnded;
    private boolean sendWaits;
    private boolean closed;

    /// @param connecting where a connect under way goes; null when connected
    /// @param interest `OP_READ` when connected; else what tells the end of the attempt
    NioStream(
            NioEngine engine,
            SocketChannel channel,
            StreamEvents events,
            @Nullable SocketAddress connecting,
            int interest)
            throws IOException {
        this.engine = engine;
        this.channel = channel;
        this.events = events;
        this.outcome = connecting;
        this.key = engine.register(channel, interest, this);
    }

    @Override
    public void ready() {
        if (closed) {
            return; // by another one that was selected with it
        }
        int ready = key.readyOps();
        if (outcome instanceof SocketAddress connecting) {
            finishConnect(connecting);
            return;
        }
        if (outcome instanceof IOException unsent && (ready & SelectionKey.OP_READ) == 0) {
            events.failed(unsent);
            return;
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            writable();
        }
        if ((ready & SelectionKey.OP_READ) != 0 && !closed) {
            readable();
        }
    }

    private void finishConnect(SocketAddress address) {
        try {
            if (!channel.finishConnect()) {
                return;
            }
        } catch (IOException e) {
            outcome = null;
            events.failed(naming(address, e));
            return;
        }
        outcome = null;
        NioEngine.interest(key, SelectionKey.OP_READ);
        events.connected();
    }

    /// The JDK does not say where the connect went.
    static IOException naming(SocketAddress address, IOException failure) {
        String message = "connect " + address + ": " + failure.getMessage();
        return switch (failure) {
            case ConnectException _ -> new ConnectException(message);
            case NoRouteToHostException _ -> new NoRouteToHostException(message);
            case BindException _ -> new BindException(message);
            case SocketException _ -> new SocketException(message);
            default -> failure;
        };
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        if (!inputEnded && !(outcome instanceof SocketAddress)) {
            NioEngine.interest(key, key.interestOps() | SelectionKey.OP_READ);
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void ignoreInput() {
        NioEngine.interest(key, key.interestOps() & ~SelectionKey.OP_READ);
    }

    private void readable() {
        if (!receiving) {
            if (outcome instanceof IOException unsent) {
                events.failed(unsent);
            } else {
                ignoreInput();
            }
            return;
        }
        boolean some = false;
        int result = 1;
        IOException failure = null;
        for (int i = 0; i < MAX_READS && receiving; i++) {
            int size = receivesMuch ? LARGE_RECEIVE_SIZE : RECEIVE_SIZE;
            Buffer bytes;
            try {
                bytes = BufferAllocator.pooled().allocate(size);
            } catch (MemoryLimitException | OutOfMemoryError e) {
                // Waiting for memory would spin: the bytes stay where they are, and the event with
                // them.
                failure = new IOException("receive: no memory", e);
                break;
            }
            try {
                result = channel.read(engine.views.of(bytes, 0, size));
            } catch (IOException e) {
                failure = e;
                result = 0;
            }
            if (result <= 0) {
                bytes.release();
                break;
            }
            some = true;
            events.received(bytes.writeOffset(result));
            if (closed) {
                return;
            }
            receivesMuch = result >= RECEIVE_SIZE;
            if (result < size) {
                break; // that was all; if not, the next poll brings it
            }
        }
        if (some) {
            events.receiveComplete();
        }
        if (closed) {
            return;
        }
        if (outcome instanceof IOException unsent && (failure != null || result <= 0)) {
            events.failed(unsent);
        } else if (failure != null) {
            events.failed(failure);
        } else if (result < 0 && receiving) { // else the next receive finds the end again
            inputEnded = true;
            events.inputClosed();
            if (!closed) {
                ignoreInput(); // or the end would be told for ever
            }
        }
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int count = Math.min(buffers.count(), MAX_GATHER);
        long offered = 0;
        long sent;
        try {
            if (count == 1) {
                Buffer first = buffers.buffer(0);
                int length = first.readableBytes();
                ByteBuffer only = engine.views.of(first, first.readOffset(), length);
                offered = only.remaining();
                sent = channel.write(only);
            } else {
                ByteBuffer[] views = new ByteBuffer[count];
                for (int i = 0; i < count; i++) {
                    views[i] = view(buffers.buffer(i));
                    offered += views[i].remaining();
                }
                sent = channel.write(views);
            }
        } catch (IOException e) {
            return failed(e);
        }
        if (sent > 0 || offered == 0) {
            return (int) sent;
        }
        sendWaits = true;
        NioEngine.interest(key, key.interestOps() | SelectionKey.OP_WRITE);
        return PENDING;
    }

    private int failed(IOException failure) throws IOException {
        if (!receiving || inputEnded) {
            throw failure;
        }
        outcome = failure;
        NioEngine.interest(key, key.interestOps() | SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        return PENDING;
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public int sendFile(FileRegion region) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        long offered = Math.min(region.remaining(), MAX_FILE_SEND);
        long sent;
        try {
            sent =
                    region.uninterrupted(
                            file -> file.transferTo(region.position(), offered, channel));
        } catch (IOException e) {
            if (isReadable(region)) {
                return failed(e);
            }
            throw e;
        }
        if (sent > 0) {
            return (int) sent;
        }
        if (region.position() >= region.uninterrupted(FileChannel::size)) {
            throw region.ended();
        }
        sendWaits = true;
        NioEngine.interest(key, key.interestOps() | SelectionKey.OP_WRITE);
        return PENDING;
    }

    /// Tells a failure of the file from one of the connection, which the JDK does not.
    private static boolean isReadable(FileRegion region) {
        ByteBuffer first = ByteBuffer.allocate(1);
        try {
            region.uninterrupted(file -> file.read(first, region.position()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ByteBuffer view(Buffer buffer) {
        return buffer.byteBuffer(buffer.readOffset(), buffer.readableBytes());
    }

    private void writable() {
        if (sendWaits) {
            sendWaits = false;
            events.sent(0);
        }
        if (!sendWaits && !closed) {
            NioEngine.interest(key, key.interestOps() & ~SelectionKey.OP_WRITE);
        }
    }

    @Override
    @SuppressWarnings("EmptyCatch") // a broken connection is told of elsewhere
    public void shutdownOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException broken) {
        }
    }

    // ---- the rest ----

    @Override
    public boolean discardInput() {
        try (Buffer bytes = BufferAllocator.pooled().allocate(DISCARD)) {
            return !closed && channel.read(engine.views.of(bytes, 0, DISCARD)) > 0;
        } catch (IOException broken) {
            return false;
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return true; // nobody knows
        }
    }

    @Override
    @SuppressWarnings("EmptyCatch") // then it is reset already
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        sendWaits = false;
        if (reset) {
            try {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException gone) {
            }
        }
        key.cancel();
        NioEngine.close(channel);
        engine.closed();
        events.closed();
    }

    @Override
    public void abandon() {
        close(true);
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return NioOptions.get(channel, option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        NioOptions.set(channel, option, value);
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        try {
            return channel.getRemoteAddress();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }
}
