package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.handler.tls.spi.TlsSink;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What an engine has emitted, until its call is over: a sink must not call the engine, and handlers that are told would.
/// Order is kept whatever handlers do while they are told.
final class EngineRun implements TlsSink {
    /// Behind the last plaintext of the peer.
    enum Told {
        INPUT_COMPLETE
    }

    private record Records(Buffer bytes, @Nullable Promise<Void> promise) {}

    private final ArrayDeque<Records> outbound = new ArrayDeque<>(2);
    private final ArrayDeque<Object> inbound = new ArrayDeque<>(2);
    private boolean needsFlush;

    @Override
    public void records(Buffer ciphertext) {
        outbound.add(new Records(ciphertext, null));
    }

    @Override
    public void plaintext(Buffer data) {
        inbound.add(data);
    }

    @Override
    public void handshakeComplete(TlsSession session) {
        inbound.add(new TlsEvent.HandshakeComplete(session));
    }

    @Override
    public void closed() {
        inbound.add(new TlsEvent.CloseNotify());
        inbound.add(Told.INPUT_COMPLETE);
    }

    /// The next to tell; null when all is told.
    @Nullable Object poll() {
        return inbound.poll();
    }

    /// The promise is that of the records emitted last.
    void promise(ChannelHandlerContext ctx, @Nullable Promise<Void> promise) {
        if (promise == null) {
            return;
        }
        Records last = outbound.pollLast();
        Buffer bytes = last == null ? ctx.channel().allocator().allocate(0) : last.bytes;
        outbound.add(new Records(bytes, promise));
    }

    /// Passes on the records.
    void send(ChannelHandlerContext ctx) {
        for (Records next; (next = outbound.poll()) != null; ) {
            needsFlush = true;
            ctx.write(next.bytes, next.promise);
        }
    }

    void flush(ChannelHandlerContext ctx) {
        if (needsFlush) {
            needsFlush = false;
            ctx.flush();
        }
    }

    void release() {
        for (Object next; (next = inbound.poll()) != null; ) {
            if (next instanceof Buffer data) {
                data.release();
            }
        }
        for (Records next; (next = outbound.poll()) != null; ) {
            next.bytes.release();
            if (next.promise != null) {
                next.promise.tryFailure(new java.nio.channels.ClosedChannelException());
            }
        }
    }
}
