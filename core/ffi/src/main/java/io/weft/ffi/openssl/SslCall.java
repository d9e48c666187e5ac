package io.weft.ffi.openssl;

import org.jspecify.annotations.Nullable;

/// The call into an `SSL` that is in flight on a thread: the receiver of its events, and the
/// failures in them.
///
/// ```
/// SslCall call = SslCall.enter(events);
/// try {
///     result = Ssl.handshake(ssl);
/// } finally {
///     call.exit();
/// }
/// ```
public final class SslCall {
    private static final ThreadLocal<SslCall> CURRENT = ThreadLocal.withInitial(SslCall::new);
    private static final SslEvents NOBODY = new SslEvents() {};

    private SslEvents events = NOBODY;
    private @Nullable Throwable thrown;

    private SslCall() {}

    /// Begins calls on an `SSL`; the thread's queue of errors is empty then.
    ///
    /// @throws IllegalStateException in the middle of another call, that is, in an event
    public static SslCall enter(SslEvents events) {
        SslCall call = CURRENT.get();
        if (call.events != NOBODY) {
            throw new IllegalStateException("a call of OpenSSL is under way on this thread");
        }
        call.events = events;
        call.thrown = null;
        SslErrors.clear();
        return call;
    }

    /// Ends what [#enter] began.
    public void exit() {
        events = NOBODY;
    }

    /// Returns the exception that an event threw since [#enter]; null if none did.
    public @Nullable Throwable thrown() {
        return thrown;
    }

    // ---- for SslUpcalls ----

    static SslCall current() {
        return CURRENT.get();
    }

    SslEvents events() {
        return events;
    }

    /// An exception must not get to C, which cannot unwind, and would end the process: it waits in
    /// the call.
    static void caught(Throwable thrown) {
        try {
            SslCall call = CURRENT.get();
            if (call.thrown == null) {
                call.thrown = thrown;
            }
        } catch (Throwable e) {
            // The stack or the memory is at its end: that the call fails is all that can be told.
        }
    }
}
