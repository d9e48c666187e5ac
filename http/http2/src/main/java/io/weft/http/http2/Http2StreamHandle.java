package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A stream as the connection of a channel of its own, behind a 2xx to CONNECT (8.5; RFC 8441):
/// content is its bytes, the end of the stream its end, and the windows are its back-pressure.
///
/// Thread: the connection's.
public final class Http2StreamHandle implements StreamHandle, Accepted {
    /// The connection of the stream.
    public interface Owner {
        /// Returns the executor of the connection.
        EventExecutor executor();

        /// Tells if the transport takes more.
        boolean isWritable();

        /// Tells if a stream sends one frame in a turn, since others wait for theirs.
        boolean isShared();

        /// Hears that a frame was written, which is not flushed yet.
        void wrote();

        /// Sends what was written, now or soon.
        void flush();

        /// Hears that the channel of the stream has closed.
        void closed(Http2Stream stream);

        /// Returns the connection's local address; null when it is closed.
        @Nullable SocketAddress localAddress();

        /// Returns the connection's remote address; null when it is closed.
        @Nullable SocketAddress remoteAddress();
    }

    /// Bytes of a piece that waits as it is.
    private static final int SHORT = 4 << 10;

    /// Bytes of short pieces that wait together.
    private static final int GATHERED = 8 << 10;

    private final Http2Stream stream;
    private final Owner owner;

    /// Content that arrived while the channel did not read.
    private final ArrayDeque<Buffer> waiting = new ArrayDeque<>(0);

    /// The last of that, when it is this object's own, into which short pieces are copied.
    private @Nullable Buffer gathered;

    private @Nullable StreamEvents events;
    private boolean receiving;
    private boolean told;
    private boolean endArrived;
    private boolean endTold;
    private boolean sendWaits;

    /// It is this stream's turn to send a frame.
    private boolean granted;

    private boolean closed;

    public Http2StreamHandle(Http2Stream stream, Owner owner) {
        this.stream = stream;
        this.owner = owner;
    }

    @Override
    public StreamHandle adopt(EventExecutor loop, Engine engine, StreamEvents itsEvents) {
        events = itsEvents;
        return this;
    }

    private StreamEvents events() {
        if (events == null) {
            throw new IllegalStateException("no channel yet: " + this);
        }
        return events;
    }

    // ---- what the stream tells ----

    /// Takes content, which is this object's from now on.
    ///
    /// @param end whether the peer has sent everything
    public void data(Buffer piece, boolean end) {
        endArrived |= end;
        if (closed || !piece.isReadable()) {
            stream.consumed(piece.readableBytes());
            piece.release();
        } else {
            add(piece);
        }
        tell();
    }

    /// Has a piece wait. One that is about to be delivered may keep a whole receive buffer for a
    /// few bytes, others may not: windows allow as many pieces as bytes.
    private void add(Buffer piece) {
        if (piece.readableBytes() >= SHORT || (receiving && waiting.isEmpty())) {
            waiting.add(piece);
            gathered = null;
            return;
        }
        try (piece) {
            Buffer to = gathered;
            if (to == null || to.readableBytes() + piece.readableBytes() > GATHERED) {
                to = BufferAllocator.pooled().allocate(piece.readableBytes());
                waiting.add(to);
                gathered = to;
            }
            to.writeBytes(piece);
        }
    }

    /// Hears that the peer has sent everything.
    public void end() {
        endArrived = true;
        tell();
    }

    /// Fails the channel, if there is one: the stream is over before its time.
    public void broken(String why) {
        if (!closed && events != null) {
            events.failed(new SocketException(why));
        }
    }

    /// Sends what waits: it is this stream's turn.
    public void takeTurn() {
        if (sendWaits && !closed) {
            sendWaits = false;
            granted = true;
            try {
                events().sent(0);
            } finally {
                granted = false;
            }
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (!receiving && !closed) {
            receiving = true;
            tell();
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    /// Hands up what has arrived, in a task of its own: not within a call of the channel's, and
    /// whatever came together, together.
    private void tell() {
        if (told || !receiving || closed || (waiting.isEmpty() && (!endArrived || endTold))) {
            return;
        }
        told = true;
        try {
            owner.executor().executeUnbounded(this::deliver);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    private void deliver() {
        told = false;
        boolean some = false;
        while (receiving && !closed && !waiting.isEmpty()) {
            Buffer piece = waiting.removeFirst();
            gathered = piece == gathered ? null : gathered; // the taker may write to it
            stream.consumed(piece.readableBytes());
            some = true;
            events().received(piece);
        }
        if (some && !closed) {
            events().receiveComplete();
        }
        if (receiving && !closed && waiting.isEmpty() && endArrived && !endTold) {
            endTold = true;
            events().inputClosed();
        }
        owner.flush();
    }

    @Override
    public boolean discardInput() {
        boolean some = !waiting.isEmpty();
        for (Buffer piece : waiting) {
            stream.consumed(piece.readableBytes());
            piece.release();
        }
        waiting.clear();
        gathered = null;
        return some;
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed || !stream.maySend()) {
            throw new SocketException("send: the stream is closed");
        }
        int sent = 0;
        for (int i = 0; i < buffers.count() && mayGoOn(); i++) {
            Buffer buffer = buffers.buffer(i);
            int at = buffer.readOffset();
            while (at < buffer.writeOffset() && mayGoOn()) {
                int most = Math.min(stream.room(), OutgoingFrames.PIECE);
                int length = Math.min(buffer.writeOffset() - at, most);
                stream.data(buffer, at, length);
                owner.wrote();
                granted = false;
                at += length;
                sent += length;
            }
            if (at < buffer.writeOffset()) {
                break;
            }
        }
        owner.flush();
        if (sent > 0 || isEmpty(buffers)) {
            return sent;
        }
        sendWaits = true;
        stream.wantsToSend();
        return PENDING;
    }

    /// Tells if a frame may be sent: it is this stream's turn, or no other waits for one.
    private boolean mayGoOn() {
        return stream.room() > 0 && owner.isWritable() && (granted || !owner.isShared());
    }

    private static boolean isEmpty(Gather buffers) {
        for (int i = 0; i < buffers.count(); i++) {
            if (buffers.buffer(i).isReadable()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void shutdownOutput() {
        stream.end();
        owner.flush();
    }

    // ---- the end ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        if (reset) {
            stream.reset(ErrorCode.CANCEL);
        } else {
            stream.end();
            if (stream.mayReceive()) {
                stream.reset(stream.isPeers() ? ErrorCode.NO_ERROR : ErrorCode.CANCEL); // 8.1
            }
        }
        boolean _ = discardInput();
        owner.flush();
        owner.closed(stream);
        events().closed();
    }

    @Override
    public void close() {
        stream.reset(ErrorCode.CANCEL);
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option + " of a stream of HTTP/2");
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option + " of a stream of HTTP/2");
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return closed ? null : owner.localAddress();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : owner.remoteAddress();
    }

    @Override
    public String toString() {
        return "Http2StreamHandle[" + stream + "]";
    }
}
