package io.weft.tls.machine.spi;

import io.weft.buffer.Buffer;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsSession;
import org.jspecify.annotations.Nullable;

/// One side of one TLS connection, as a pure machine: it knows no channel, no clock and no thread
/// of its own.
///
/// **Failure.** What throws a [TlsException] has ended the engine; the alert for the peer was
/// emitted before. What had been emitted stays valid. Then only [#close] is called. Whatever a peer
/// sends, nothing else is thrown.
///
/// **Tasks.** When a call returns and [#needsTask], the engine waits for work that may block: an
/// operation with a private key, the check of a certificate. Its owner runs [#task] on a thread
/// that may be blocked, then calls [#resume]. Until then the engine takes nothing: neither
/// `received` nor `write` nor `closeOutbound` is called.
///
/// **Threads.** One at a time, with a happens-before edge between; [#task] runs concurrently with
/// nothing but `close`.
public interface TlsEngine extends AutoCloseable {
    /// Begins: a client emits its ClientHello, a server nothing. Once, before everything else.
    void start(TlsSink sink) throws TlsException;

    /// Reads whole records from `records`, which stays the caller's, and leaves an incomplete one
    /// unread: it is offered again with more behind it. It reads no further than it can use:
    /// nothing while it [needs a task][#needsTask], nothing behind the peer's close_notify. It may
    /// change the bytes it has read.
    ///
    /// A record that cannot be one is refused by its header, before its body is there.
    void received(Buffer records, TlsSink sink) throws TlsException;

    /// Reads and encrypts all of `plaintext`, which stays the caller's, unless it comes to
    /// [need a task][#needsTask] meanwhile; emits the records, as few as possible: up to 16 KiB of
    /// plaintext in each. After the handshake and before [#closeOutbound].
    void write(Buffer plaintext, TlsSink sink) throws TlsException;

    /// Emits close_notify; nothing can be written after it, but `received` may go on. Again it does
    /// nothing. Within a handshake it gives that up, which the peer is told if the engine can: then
    /// it may be called in place of a task that cannot be run.
    void closeOutbound(TlsSink sink) throws TlsException;

    /// Tells if the engine waits for [#task] and [#resume].
    default boolean needsTask() {
        return false;
    }

    /// The work that the engine waits for; what goes wrong in it is thrown by [#resume], not by it.
    /// Null when there is none.
    default @Nullable Runnable task() {
        return null;
    }

    /// Goes on when the task has run. It may need another one then. Unread records have to be
    /// offered again.
    default void resume(TlsSink sink) throws TlsException {}

    /// Returns the negotiated session; null before the handshake is complete.
    @Nullable TlsSession session();

    /// Derives `length` bytes from the session's keys (RFC 5705, RFC 8446 section 7.5).
    ///
    /// @throws UnsupportedOperationException where the engine cannot
    default byte[] exportKeyingMaterial(String label, byte @Nullable [] context, int length)
            throws TlsException {
        throw new UnsupportedOperationException("exportKeyingMaterial of " + getClass().getName());
    }

    /// Frees what the engine holds. Again it does nothing.
    @Override
    void close();
}
