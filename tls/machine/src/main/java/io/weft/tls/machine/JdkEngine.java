package io.weft.tls.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.tls.machine.TlsException.AlertReceived;
import io.weft.tls.machine.TlsException.BadRecord;
import io.weft.tls.machine.TlsException.Failed;
import io.weft.tls.machine.TlsException.LimitReached;
import io.weft.tls.machine.TlsException.NotTls;
import io.weft.tls.machine.TlsException.Renegotiation;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A machine over the JDK's `SSLEngine`.
///
/// That engine takes one record at a time and tells what it wants next; here it is given records
/// until it wants nothing. It works on heap memory ([JdkScratch]) and reads off-heap plaintext in
/// place; what it makes is copied once into a buffer of the size that it has.
final class JdkEngine implements TlsEngine {
    /// A handshake, with a long chain each way, is a tenth of it.
    static final int MAX_HANDSHAKE_BYTES = 256 * 1024;

    /// Records in a row that bring no data: tickets, updates of keys, padding.
    static final int MAX_IDLE_RECORDS = 32;

    /// Plaintext of several records goes into one buffer up to this size.
    private static final int MAX_PLAINTEXT_BUFFER = 1 << 16;

    /// The engine whose task is running; key and trust managers read it to find their connection.
    static final ScopedValue<JdkEngine> CURRENT = ScopedValue.newInstance();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final TlsPeer peer;
    private final BufferAllocator allocator;
    private final boolean client;

    private @Nullable TlsSession session;
    private boolean started;
    private boolean needsTask;
    private boolean first = true;
    private boolean inboundClosed;
    private boolean closeTold;
    private boolean outboundClosed;
    private boolean failed;
    private int handshakeBytes;
    private int idleRecords;

    /// A server's certificate was chosen, or checked: not resumed. Nobody is told by the JDK
    /// whether one resumes.
    private boolean full;

    JdkEngine(SSLEngine engine, TlsPeer peer, BufferAllocator allocator) {
        this.engine = engine;
        this.peer = peer;
        this.allocator = allocator;
        this.client = engine.getUseClientMode();
    }

    TlsPeer peer() {
        return peer;
    }

    void notResumed() {
        full = true;
    }

    // ---- what the owner calls ----

    @Override
    public void start(TlsSink sink) throws TlsException {
        started = true;
        attempt(
                sink,
                () -> {
                    engine.beginHandshake();
                    advance(engine.getHandshakeStatus(), sink);
                });
    }

    @Override
    public void received(Buffer records, TlsSink sink) throws TlsException {
        attempt(sink, () -> readRecords(records, sink));
    }

    @Override
    public void write(Buffer plaintext, TlsSink sink) throws TlsException {
        if (session == null || outboundClosed || failed || needsTask) {
            throw new IllegalStateException("write: not now (expected: after the handshake)");
        }
        attempt(sink, () -> wrapAll(plaintext, sink));
    }

    @Override
    public void closeOutbound(TlsSink sink) throws TlsException {
        if (outboundClosed || failed || !started) {
            return;
        }
        outboundClosed = true;
        attempt(
                sink,
                () -> {
                    engine.closeOutbound();
                    var _ = drain(sink);
                });
    }

    @Override
    public boolean needsTask() {
        return needsTask;
    }

    @Override
    public @Nullable Runnable task() {
        return needsTask ? () -> ScopedValue.where(CURRENT, this).run(this::runTasks) : null;
    }

    private void runTasks() {
        for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
            task.run(); // keeps what it throws for the next call of the engine
        }
    }

    @Override
    public void resume(TlsSink sink) throws TlsException {
        needsTask = false;
        attempt(sink, () -> advance(engine.getHandshakeStatus(), sink));
    }

    @Override
    public @Nullable TlsSession session() {
        return session;
    }

    @Override
    public byte[] exportKeyingMaterial(String label, byte @Nullable [] context, int length)
            throws TlsException {
        return JdkSessions.export(engine, label, context, length);
    }

    @Override
    public void close() {
        failed = true; // nothing native is held
    }

    // ---- in ----

    private void readRecords(Buffer records, TlsSink sink) throws SSLException {
        Plaintext plaintext = new Plaintext();
        try {
            while (!needsTask && !inboundClosed && !failed) {
                int length = Records.next(records, first);
                if (length < 0) {
                    break;
                }
                first = false;
                check(records, length);
                readRecord(records, length, plaintext, sink);
            }
        } finally {
            plaintext.emit(sink);
        }
        if (inboundClosed && !closeTold) {
            closeTold = true;
            if (session == null) {
                throw new AlertReceived(TlsAlert.CLOSE_NOTIFY, null);
            }
            sink.closed();
        }
    }

    private void check(Buffer records, int length) throws TlsException {
        if (session == null) {
            handshakeBytes += length;
            if (handshakeBytes > MAX_HANDSHAKE_BYTES) {
                throw new LimitReached(
                        "handshake: over "
                                + MAX_HANDSHAKE_BYTES
                                + " bytes (expected: at most that)");
            }
        } else if (session.protocol() == TlsProtocol.TLS_1_2
                && records.getUnsignedByte(records.readOffset()) == Records.HANDSHAKE) {
            throw new Renegotiation();
        }
    }

    private void readRecord(Buffer records, int length, Plaintext plaintext, TlsSink sink)
            throws SSLException {
        ByteBuffer in = JdkScratch.get().in;
        in.clear().limit(length);
        records.readBytes(in);
        in.flip();
        // A record may have to be offered again after something was sent or finished.
        for (int round = 0; in.hasRemaining(); round++) {
            if (round == 4) {
                throw new Failed("the JDK's engine makes no progress", null);
            }
            if (needsTask) {
                records.readOffset(records.readOffset() - length); // offered again after it
                return;
            }
            ByteBuffer out = plaintext.room(length, records.readableBytes(), sink);
            SSLEngineResult result = engine.unwrap(in, out);
            plaintext.filled(result.bytesProduced());
            HandshakeStatus next = result.getHandshakeStatus();
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                inboundClosed = true;
                var _ = drain(sink); // TLS 1.2 answers close_notify at once
                return;
            }
            if (session != null && next == HandshakeStatus.NOT_HANDSHAKING) {
                countIdle(result.bytesProduced());
            } else {
                plaintext.emit(sink);
                boolean established = session != null;
                advance(next, sink);
                if (established) {
                    countIdle(0);
                }
            }
        }
    }

    private void countIdle(int produced) throws TlsException {
        idleRecords = produced > 0 ? 0 : idleRecords + 1;
        if (idleRecords > MAX_IDLE_RECORDS) {
            throw new LimitReached(
                    "records without data: over "
                            + MAX_IDLE_RECORDS
                            + " in a row (expected: at most that)");
        }
    }

    /// A buffer that collects plaintext before it is emitted.
    private final class Plaintext {
        private @Nullable Buffer buffer;
        private ByteBuffer view = NOTHING;

        /// @param more what is behind the record
        ByteBuffer room(int record, int more, TlsSink sink) {
            if (session == null) {
                return NOTHING; // a handshake brings no data
            }
            if (view.remaining() < record) {
                emit(sink);
                int size = Math.min(record + more, Math.max(record, MAX_PLAINTEXT_BUFFER));
                Buffer next = allocator.allocate(size);
                buffer = next;
                view = next.byteBuffer(0, size);
            }
            return view;
        }

        void filled(int count) {
            if (count > 0 && buffer != null) {
                buffer.writeOffset(buffer.writeOffset() + count);
            }
        }

        void emit(TlsSink sink) {
            Buffer full = buffer;
            buffer = null;
            view = NOTHING;
            if (full == null) {
                return;
            }
            if (full.isReadable()) {
                sink.plaintext(full);
            } else {
                full.release();
            }
        }
    }

    // ---- out ----

    private void wrapAll(Buffer plaintext, TlsSink sink) throws SSLException {
        ByteBuffer from = plaintext.byteBuffer(plaintext.readOffset(), plaintext.readableBytes());
        while (plaintext.isReadable() && !needsTask) {
            ByteBuffer out = JdkScratch.get().out.clear();
            HandshakeStatus next = HandshakeStatus.NOT_HANDSHAKING;
            while (from.hasRemaining()
                    && out.remaining() >= JdkScratch.PACKET
                    && next == HandshakeStatus.NOT_HANDSHAKING) {
                SSLEngineResult result = engine.wrap(from, out);
                plaintext.skipReadable(result.bytesConsumed());
                next = result.getHandshakeStatus();
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    throw new Failed("write: the engine is closed (expected: open)", null);
                }
                if (result.bytesProduced() == 0 && next != HandshakeStatus.NEED_TASK) {
                    throw new Failed("the JDK's engine makes no progress", null);
                }
            }
            var _ = emit(out, sink);
            advance(next, sink);
        }
    }

    /// Does what the engine asks for until it wants records, or a task.
    private void advance(HandshakeStatus asked, TlsSink sink) throws SSLException {
        HandshakeStatus next = asked;
        for (int round = 0; round < 64; round++) {
            switch (next) {
                case NEED_TASK -> {
                    needsTask = true;
                    return;
                }
                case NEED_WRAP -> next = wrapHandshake(sink);
                case FINISHED -> {
                    complete(sink);
                    next = engine.getHandshakeStatus();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
        throw new Failed("the JDK's engine makes no progress", null);
    }

    /// Messages of one flight go into one buffer.
    private HandshakeStatus wrapHandshake(TlsSink sink) throws SSLException {
        ByteBuffer out = JdkScratch.get().out.clear();
        HandshakeStatus next = HandshakeStatus.NEED_WRAP;
        try {
            while (next == HandshakeStatus.NEED_WRAP && out.remaining() >= JdkScratch.PACKET) {
                SSLEngineResult result = engine.wrap(NOTHING, out);
                next = result.getHandshakeStatus();
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    outboundClosed = true;
                    return HandshakeStatus.NOT_HANDSHAKING;
                }
                if (result.bytesProduced() == 0) {
                    break;
                }
            }
            return next;
        } finally {
            var _ = emit(out, sink);
        }
    }

    /// Emits what is left to say: an alert, or nothing.
    ///
    /// @return whether there was something
    private boolean drain(TlsSink sink) {
        ByteBuffer out = JdkScratch.get().out.clear();
        for (int round = 0; round < 4; round++) {
            try {
                if (engine.wrap(NOTHING, out).bytesProduced() == 0) {
                    break;
                }
            } catch (SSLException e) {
                // What a task threw is thrown first; the alert follows.
            }
        }
        return emit(out, sink);
    }

    private boolean emit(ByteBuffer out, TlsSink sink) {
        out.flip();
        if (!out.hasRemaining()) {
            return false;
        }
        sink.records(allocator.allocate(out.remaining()).writeBytes(out));
        return true;
    }

    private void complete(TlsSink sink) throws TlsException {
        if (session == null) {
            session = JdkSessions.of(engine, client ? peer.host() : null, !full);
            sink.handshakeComplete(session);
        }
    }

    // ---- failure ----

    private interface Step {
        void run() throws SSLException;
    }

    private void attempt(TlsSink sink, Step step) throws TlsException {
        if (failed) {
            throw new Failed("the engine has failed or is closed (expected: open)", null);
        }
        try {
            step.run();
        } catch (NotTls e) {
            failed = true; // who speaks no TLS gets no alert
            throw e;
        } catch (AlertReceived e) {
            failed = true;
            throw e;
        } catch (BadRecord | LimitReached | Renegotiation e) {
            poison();
            var _ = drain(sink);
            failed = true;
            throw e;
        } catch (SSLException | RuntimeException | Error e) {
            failed = true;
            TlsException failure = JdkFailures.of(e);
            if (!drain(sink) && failure instanceof Failed) {
                engine.closeOutbound(); // it has made no alert of it
                var _ = drain(sink);
            }
            throw failure;
        }
    }

    /// The engine makes its own alerts only: a header that no record has makes it make one,
    /// encrypted if the peer expects that.
    private void poison() {
        ByteBuffer header = ByteBuffer.wrap(new byte[] {23, 3, 3, -1, -1});
        try {
            engine.unwrap(header, NOTHING);
        } catch (SSLException e) {
            // As it should.
        }
    }
}
