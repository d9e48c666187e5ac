package io.weft.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.ffi.Memory;
import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslBio;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The `SSL` of an engine and what else has to be given back, exactly once: when the engine is
/// closed and no call is in progress, by the last to finish.
///
/// A call on a freed `SSL`, or two at once, would corrupt memory. So each call [enters][#enter]
/// first, which fails then. Refers to no engine: when one is dropped without being closed, this is
/// what frees its memory.
final class NativeSide implements Runnable {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int CLOSING = 2;
    private static final int CLOSED = 3;

    /// See [Ssl].
    final long ssl;

    /// The BIO that the `SSL` reads from: see [SslBio#set].
    final long incoming;

    final BufferAllocator allocator;

    private final AtomicInteger use = new AtomicInteger(IDLE);

    /// Records for the peer that are not emitted yet: of the call that is under way, or of a task
    /// that has ended.
    @Nullable Buffer out;

    /// The capacity of the buffer that the call under way will need for them.
    int expected;

    /// A session that came before the handshake was complete: of a peer that may still be refused.
    /// 0: none.
    long session;

    /// Records that a task reads.
    @Nullable Buffer pending;

    NativeSide(boolean server, long context, BufferAllocator allocator) {
        this.allocator = allocator;
        long source = SslBio.source();
        incoming = SslBio.buffer(source);
        long sink = SslBio.sink();
        ssl = server ? Ssl.server(context, source, sink) : Ssl.client(context, source, sink);
    }

    /// @throws IllegalStateException when it is closed, or another thread uses it
    void enter() {
        int found = use.compareAndExchangeAcquire(IDLE, BUSY);
        if (found != IDLE) {
            throw new IllegalStateException(
                    found == BUSY
                            ? "engine: used by two threads at once (expected: by one)"
                            : "engine: closed (expected: open)");
        }
    }

    /// As [#enter], but false when it is closed or closing.
    boolean tryEnter() {
        return use.compareAndExchangeAcquire(IDLE, BUSY) == IDLE;
    }

    void exit() {
        if (use.compareAndExchangeRelease(BUSY, IDLE) != BUSY) {
            free();
        }
    }

    /// Copies records that OpenSSL writes.
    void append(long address, int length) {
        Buffer to = out;
        if (to == null) {
            to = allocator.allocate(Math.max(expected, length));
            out = to;
        } else {
            to.ensureWritable(length);
        }
        Memory.copy(address, to.address() + to.writeOffset(), length);
        to.writeOffset(to.writeOffset() + length);
    }

    /// The records written since, which become the caller's.
    @Nullable Buffer takeOut() {
        Buffer records = out;
        out = null;
        return records;
    }

    /// Closes: once the call that is under way has ended.
    @Override
    public void run() {
        if (use.compareAndExchange(IDLE, CLOSING) == IDLE) {
            free();
        } else {
            use.compareAndExchange(BUSY, CLOSING);
        }
    }

    private void free() {
        use.set(CLOSED);
        Ssl.free(ssl);
        if (session != 0) {
            Ssl.freeSession(session);
            session = 0;
        }
        if (out != null) {
            out.release();
            out = null;
        }
        if (pending != null) {
            pending.release();
            pending = null;
        }
    }
}
