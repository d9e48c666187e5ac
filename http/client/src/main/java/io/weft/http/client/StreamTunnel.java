package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Stream;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A stream of HTTP/2 as the connection of a channel of its own, behind a 2xx to CONNECT (RFC 9113,
/// 8.5; RFC 8441): content is its bytes, the end of the stream its end, and the windows are its
/// back-pressure. Thread: the loop.
final class StreamTunnel implements StreamHandle, Accepted {
    private final Http2ClientConnection connection;
    private final Http2Stream stream;
    private final Channel parent;

    /// Action behind the end of the tunnel.
    private final Runnable end;

    /// Content that arrived while the channel did not read.
    private final ArrayDeque<Buffer> waiting = new ArrayDeque<>(0);

    private @Nullable StreamEvents events;
    private boolean receiving;
    private boolean told;
    private boolean endArrived;
    private boolean endTold;
    private boolean sendWaits;
    private boolean closed;

    StreamTunnel(
            Http2ClientConnection connection, Http2Stream stream, Channel parent, Runnable end) {
        this.connection = connection;
        this.stream = stream;
        this.parent = parent;
        this.end = end;
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
    void data(Buffer piece) {
        if (closed || !piece.isReadable()) {
            stream.consumed(piece.readableBytes());
            piece.release();
        } else {
            waiting.add(piece);
            tell();
        }
    }

    /// The server has sent everything.
    void end() {
        endArrived = true;
        tell();
    }

    /// The stream is over before its time.
    void broken(String why) {
        if (!closed && events != null) {
            events.failed(new SocketException(why));
        }
    }

    /// It is this stream's turn to send.
    void takeTurn() {
        if (sendWaits && !closed) {
            sendWaits = false;
            events().sent(0);
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
            connection.eventLoop().executeUnbounded(this::deliver);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    private void deliver() {
        told = false;
        boolean some = false;
        while (receiving && !closed && !waiting.isEmpty()) {
            Buffer piece = waiting.removeFirst();
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
        connection.flush();
    }

    @Override
    public boolean discardInput() {
        boolean some = !waiting.isEmpty();
        for (Buffer piece : waiting) {
            stream.consumed(piece.readableBytes());
            piece.release();
        }
        waiting.clear();
        return some;
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed || !stream.maySend()) {
            throw new SocketException("send: the stream is closed");
        }
        int sent = 0;
        int wanted = 0;
        for (int i = 0; i < buffers.count(); i++) {
            Buffer buffer = buffers.buffer(i);
            wanted += buffer.readableBytes();
            int at = buffer.readOffset();
            while (at < buffer.writeOffset() && stream.room() > 0 && connection.isWritable()) {
                int length = Math.min(buffer.writeOffset() - at, stream.room());
                try (Buffer piece = buffer.slice(at, length)) {
                    stream.data(piece, false);
                }
                at += length;
                sent += length;
            }
            if (at < buffer.writeOffset()) {
                break;
            }
        }
        connection.flush();
        if (sent > 0 || wanted == 0) {
            return sent;
        }
        sendWaits = true;
        stream.wantsToSend();
        return PENDING;
    }

    @Override
    public void shutdownOutput() {
        stream.end();
        connection.flush();
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
                stream.reset(ErrorCode.CANCEL);
            }
        }
        boolean _ = discardInput();
        connection.flush();
        end.run();
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
        return closed ? null : parent.localAddress();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : parent.remoteAddress();
    }

    @Override
    public String toString() {
        return "StreamTunnel[" + stream + " of " + parent + "]";
    }
}
