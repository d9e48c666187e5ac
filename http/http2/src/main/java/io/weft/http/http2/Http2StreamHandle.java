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
/// **The end before its time**, such as a reset, overtakes nothing that had arrived: the channel
/// reads that first, whenever it reads on. If the peer had sent everything, its end follows and is
/// all that follows, as where the peer of a TCP connection closes: RFC 9113, 8.1 has a peer reset
/// the stream behind its end if it takes no more. Only sends fail from then on. Else, or if the
/// whole connection has gone, a failure follows. A channel that waits to send and does not read
/// hears of it at once. [CutStreams] bounds what is kept.
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

    /// Content or an end is being handed up.
    private boolean delivering;

    /// The reason for which the stream was over before its time; null while it is not.
    private @Nullable String cut;

    /// The connection has gone with it, so that a failure follows the end of the input, too.
    private boolean lost;

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

    /// Hears that the stream is over before its time, for example reset. What has arrived is read
    /// first; without a channel that is the caller's to [discard][#discardInput].
    public void broken(String why) {
        cut(why, false);
    }

    /// Hears that the connection has gone, and the stream with it.
    public void lost(String why) {
        cut(why, true);
    }

    private void cut(String why, boolean withConnection) {
        if (closed || events == null || cut != null) {
            return;
        }
        cut = why;
        lost = withConnection;
        boolean now = hasInput() ? sendWaits && !receiving : isToFail();
        if (now && !delivering) {
            fail();
        } else {
            stream.cutStreams().add(this);
        }
    }

    /// Tells if something is left to be read.
    private boolean hasInput() {
        return !waiting.isEmpty() || (endArrived && !endTold);
    }

    /// Tells if a failure follows what is left to be read.
    private boolean isToFail() {
        return cut != null && (!endArrived || lost || sendWaits);
    }

    /// Fails the channel, whatever is left to be read.
    void fail() {
        events().failed(new SocketException(cut));
    }

    /// Returns the number of bytes that are left to be read.
    int unread() {
        int bytes = 0;
        for (Buffer piece : waiting) {
            bytes += piece.readableBytes();
        }
        return bytes;
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
        if (told || !receiving || closed || !(hasInput() || isToFail())) {
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
        delivering = true;
        try {
            handUp();
        } finally {
            delivering = false;
        }
        // A reader that pauses is told when it reads on, unless it waits to send.
        boolean now = receiving ? !hasInput() : sendWaits;
        if (now && !closed && isToFail()) {
            fail();
        }
        owner.flush();
    }

    private void handUp() {
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
        if (closed || cut != null || !stream.maySend()) {
            return refuse();
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

    /// Fails a send. If it meets a stream that was cut off while its channel is reading, that is
    /// told behind what arrived, an answer maybe: until then the send is pending.
    private int refuse() throws IOException {
        if (cut != null && !closed && (delivering || (receiving && hasInput()))) {
            sendWaits = true;
            return PENDING;
        }
        throw new SocketException(cut != null ? cut : "send: the stream is closed");
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
        if (cut != null) {
            stream.cutStreams().remove(this);
        }
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
        boolean _ = discardInput();
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
