package io.weft.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.ffi.openssl.Ssl;
import io.weft.tls.machine.Records;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.AlertReceived;
import io.weft.tls.machine.TlsException.BadRecord;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsException.Failed;
import io.weft.tls.machine.TlsException.LimitReached;
import io.weft.tls.machine.TlsException.NotTls;
import io.weft.tls.machine.TlsException.Renegotiation;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.machine.spi.PeerVerifier;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/// A machine over an `SSL` of OpenSSL.
///
/// **Tasks.** A client's check of the server's certificate. At a server with a key of RSA, or one
/// that asks for certificates, each step of its handshake: OpenSSL cannot put off a signature, nor
/// a server's check.
///
/// **Threads.** As the interface says; use by two at once, or after [#close], throws and touches
/// nothing of OpenSSL.
final class OpenSslEngine implements TlsEngine {
    /// A handshake, with a long chain each way, is a tenth of it.
    static final int MAX_HANDSHAKE_BYTES = 256 * 1024;

    /// Records in a row that bring no data: tickets, updates of keys, padding.
    static final int MAX_IDLE_RECORDS = 32;

    /// Plaintext that is encrypted, or records that are decrypted, at a time: so large a buffer is
    /// emitted at most.
    private static final int MOST_AT_ONCE = 1 << 16;

    private enum Task {
        NONE,
        /// The peer's certificate is checked, in the middle of a handshake.
        VERIFY,
        /// Its status is, which came behind it or did not.
        RECHECK,
        /// A whole step of the handshake.
        HANDSHAKE
    }

    private final TlsSettings settings;
    private final Answers answers;
    private final TlsPeer peer;
    private final BufferAllocator allocator;
    private final NativeSide side;
    private final Cleaner.Cleanable freeing;
    private final SslCalls calls;
    private final PeerCheck check;
    private final boolean slow;

    private Task task = Task.NONE;
    private @Nullable TlsSession session;
    private boolean started;
    private boolean first = true;
    private boolean inboundClosed;
    private boolean outboundClosed;
    private boolean failed;
    private int handshakeBytes;
    private int idleRecords;

    /// `SSL_ERROR_` of the last step of the handshake.
    private int step;

    private @Nullable Throwable taskFailure;

    OpenSslEngine(
            long context,
            TlsSettings settings,
            PeerVerifier verifier,
            ClientSessions sessions,
            TlsPeer peer,
            BufferAllocator allocator) {
        this.settings = settings;
        this.peer = peer;
        this.allocator = allocator;
        check = new PeerCheck(verifier, peer, settings.server(), settings.ocspStapling());
        slow = settings.server() && Sessions.blocks(settings);
        side = new NativeSide(settings.server(), context, allocator);
        freeing = OpenSslFactory.CLEANER.register(this, side);
        answers = new Answers(settings, sessions, peer, check, side);
        calls = new SslCalls(side, answers);
        if (!settings.server()) {
            Sessions.askFor(side.ssl, settings, peer);
            check.resumable(sessions.resume(peer, side.ssl));
        }
    }

    // ---- what the owner calls ----

    @Override
    public void start(TlsSink sink) throws TlsException {
        started = true;
        if (!settings.server()) {
            attempt(sink, () -> handshake(null, 0, sink));
        }
    }

    @Override
    public void received(Buffer records, TlsSink sink) throws TlsException {
        attempt(sink, () -> readRecords(records, sink));
    }

    @Override
    public void write(Buffer plaintext, TlsSink sink) throws TlsException {
        if (session == null || outboundClosed || failed || task != Task.NONE) {
            throw new IllegalStateException("write: not now (expected: after the handshake)");
        }
        attempt(
                sink,
                () -> {
                    while (plaintext.isReadable()) {
                        int length = Math.min(plaintext.readableBytes(), MOST_AT_ONCE);
                        if (!calls.write(plaintext, length)) {
                            throw calls.failure();
                        }
                        emit(sink);
                    }
                });
    }

    @Override
    public void closeOutbound(TlsSink sink) throws TlsException {
        if (outboundClosed || failed || !started) {
            return;
        }
        outboundClosed = true;
        if (session == null) {
            return; // there is nothing yet that close_notify could end
        }
        attempt(
                sink,
                () -> {
                    if (!calls.shutdown()) {
                        throw calls.failure();
                    }
                    emit(sink);
                });
    }

    @Override
    public boolean needsTask() {
        return task != Task.NONE;
    }

    @Override
    public @Nullable Runnable task() {
        return switch (task) {
            case NONE -> null;
            case VERIFY, RECHECK -> check::decide;
            case HANDSHAKE -> this::stepInTask;
        };
    }

    @Override
    public void resume(TlsSink sink) throws TlsException {
        Task done = task;
        task = Task.NONE;
        attempt(
                sink,
                () -> {
                    switch (done) {
                        case NONE -> {}
                        case VERIFY -> handshake(null, 0, sink);
                        case RECHECK -> complete(sink);
                        case HANDSHAKE -> afterTask(sink);
                    }
                });
    }

    @Override
    public @Nullable TlsSession session() {
        return session;
    }

    @Override
    public byte[] exportKeyingMaterial(String label, byte @Nullable [] context, int length)
            throws TlsException {
        side.enter();
        try {
            byte[] bytes = Ssl.export(side.ssl, label, context, length);
            if (bytes == null) {
                throw new Failed("keying material: none yet (expected: after the handshake)", null);
            }
            return bytes;
        } finally {
            side.exit();
        }
    }

    @Override
    public void close() {
        failed = true;
        freeing.clean();
    }

    // ---- in ----

    private void readRecords(Buffer records, TlsSink sink) throws TlsException {
        while (task == Task.NONE && !inboundClosed) {
            int start = records.readOffset();
            int count = 0;
            int length = 0;
            try {
                for (int next;
                        length < MOST_AT_ONCE && (next = next(records, count)) > 0;
                        count++) {
                    length += next;
                    records.skipReadable(next);
                    first = false;
                }
            } finally {
                records.readOffset(start);
            }
            if (length == 0) {
                return;
            }
            if (session != null) {
                readData(records, length, count, sink);
            } else if (slow) {
                countHandshake(length);
                side.pending = allocator.allocate(length).writeBytes(records, length);
                task = Task.HANDSHAKE;
            } else {
                handshake(records, length, sink);
            }
        }
    }

    /// The length of the next record; 0 when it is not whole, or when it is none: then those before
    /// it are read first.
    private int next(Buffer records, int before) throws TlsException {
        try {
            int length = Records.next(records, first);
            if (length > 0
                    && session != null
                    && session.protocol() == TlsProtocol.TLS_1_2
                    && records.getUnsignedByte(records.readOffset()) == Records.HANDSHAKE) {
                throw new Renegotiation();
            }
            return Math.max(0, length);
        } catch (TlsException e) {
            if (before == 0) {
                throw e;
            }
            return 0;
        }
    }

    private void readData(Buffer records, int length, int count, TlsSink sink) throws TlsException {
        Buffer plaintext = allocator.allocate(length); // longer than what is in them
        int error;
        boolean data;
        try {
            error = calls.read(records, length, plaintext);
        } finally {
            data = plaintext.isReadable();
            if (data) {
                sink.plaintext(plaintext);
            } else {
                plaintext.release();
            }
        }
        switch (error) {
            case Ssl.SSL_ERROR_NONE, Ssl.SSL_ERROR_WANT_READ -> {}
            case Ssl.SSL_ERROR_ZERO_RETURN -> inboundClosed = true;
            default -> throw calls.failure();
        }
        emit(sink); // an answer to an update of keys
        if (inboundClosed) {
            sink.closed();
        }
        idleRecords = data ? 0 : idleRecords + count;
        if (idleRecords > MAX_IDLE_RECORDS) {
            throw new LimitReached(
                    "records without data: over "
                            + MAX_IDLE_RECORDS
                            + " in a row (expected: at most that)");
        }
    }

    // ---- the handshake ----

    private void handshake(@Nullable Buffer records, int length, TlsSink sink) throws TlsException {
        if (records != null) {
            countHandshake(length);
        }
        step = calls.handshake(records, length);
        afterStep(sink);
    }

    private void countHandshake(int bytes) throws TlsException {
        handshakeBytes += bytes;
        if (handshakeBytes > MAX_HANDSHAKE_BYTES) {
            throw new LimitReached(
                    "handshake: over " + MAX_HANDSHAKE_BYTES + " bytes (expected: at most that)");
        }
    }

    /// Runs a step on another thread. If the engine has been closed, does nothing.
    private void stepInTask() {
        if (!side.tryEnter()) {
            return;
        }
        try {
            Buffer records = side.pending;
            step = calls.handshake(records, records == null ? 0 : records.readableBytes());
        } catch (RuntimeException | Error e) {
            taskFailure = e;
        } finally {
            side.exit();
        }
    }

    private void afterTask(TlsSink sink) throws TlsException {
        if (taskFailure != null) {
            throw new Failed(String.valueOf(taskFailure.getMessage()), taskFailure);
        }
        afterStep(sink);
        Buffer rest = side.pending;
        side.pending = null;
        if (rest != null) {
            try (rest) {
                readRecords(rest, sink);
            }
        }
    }

    private void afterStep(TlsSink sink) throws TlsException {
        switch (step) {
            case Ssl.SSL_ERROR_NONE -> {
                if (check.isUndecided(side.ssl)) {
                    task = Task.RECHECK;
                } else {
                    complete(sink);
                }
            }
            case Ssl.SSL_ERROR_WANT_READ -> emit(sink);
            case Ssl.SSL_ERROR_WANT_RETRY_VERIFY -> {
                emit(sink);
                task = Task.VERIFY;
            }
            // The peer gives the handshake up, in order.
            case Ssl.SSL_ERROR_ZERO_RETURN -> throw new AlertReceived(TlsAlert.CLOSE_NOTIFY, null);
            default -> {
                CertificateRefused refusal = check.refusal();
                throw refusal != null ? refusal : calls.failure();
            }
        }
    }

    private void complete(TlsSink sink) throws TlsException {
        CertificateRefused refusal = check.refusal();
        if (refusal != null) {
            calls.poison();
            throw refusal;
        }
        TlsSession agreed = Sessions.of(side.ssl, settings, peer, check);
        answers.completed(agreed);
        emit(sink);
        session = agreed;
        sink.handshakeComplete(agreed);
    }

    private void emit(TlsSink sink) {
        Buffer records = side.takeOut();
        if (records != null) {
            sink.records(records);
        }
    }

    // ---- failure ----

    private interface Step {
        void run() throws TlsException;
    }

    private void attempt(TlsSink sink, Step step) throws TlsException {
        if (failed) {
            throw new Failed("the engine has failed or is closed (expected: open)", null);
        }
        side.enter();
        try {
            step.run();
        } catch (NotTls e) {
            failed = true; // who speaks no TLS gets no alert
            throw e;
        } catch (BadRecord | LimitReached | Renegotiation e) {
            failed = true;
            calls.poison();
            emit(sink);
            throw e;
        } catch (TlsException e) {
            failed = true;
            emit(sink);
            throw e;
        } catch (RuntimeException e) {
            failed = true;
            emit(sink);
            throw new Failed(String.valueOf(e.getMessage()), e);
        } finally {
            side.exit();
        }
    }
}
