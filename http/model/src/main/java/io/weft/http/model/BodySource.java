package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A source of the bytes of a streamed body. The wire pulls: it asks for more when it has room, so
/// a slow receiver slows the source down (back-pressure), and no byte is produced without a place
/// to go.
///
/// **Threads.** [#read], [#take], [#onWake] and [#close] are called by one thread at a time, an
/// event loop, which they must not block. The wake-up may be run from any thread.
///
/// **Order.** [#onWake] once, first; [#read] until `END` or a failure; [#close] once, last, also
/// when the body is given up half-way. Nothing is called after it.
public interface BodySource {
    /// The outcome of a call of [#read].
    enum Step {
        /// There may be more at once.
        MORE,
        /// Nothing now; the wake-up will be run when there is.
        WAIT,
        /// That was all. Bytes written by the same call still count.
        END
    }

    /// Writes bytes to `out`, at most as many as it has writable ones. `out` stays the caller's.
    ///
    /// A source that answers `MORE` has written at least one byte. One that answers `WAIT` promises
    /// a later wake-up, which may come before `read` has returned.
    ///
    /// @throws IOException when the body cannot be completed; the message is cut off then
    Step read(Buffer out) throws IOException;

    /// Hands over bytes that the source has in a buffer, for a wire that sends them from there: a
    /// proxy passes on what it has received without a copy. They are the bytes that [#read] would
    /// have written next, so the two may be called in any order. Sources that make their bytes need
    /// not override this.
    ///
    /// @param most readable bytes of the buffer, at least 1
    /// @return at least one readable byte, whose owner is the caller; null if there is no such
    ///     buffer now, and `read` tells what is next
    /// @throws IOException as `read` does
    default @Nullable Buffer take(int most) throws IOException {
        return null;
    }

    /// Tells how to ask for another [#read] after `WAIT`. A wake-up too many does no harm. Sources
    /// that never wait need not override this.
    default void onWake(Runnable wake) {}

    /// Tells if the calling thread may wait for this source's wake-up. A thread that runs the
    /// wake-up must not: it would wait for itself.
    default boolean mayWait() {
        return true;
    }

    /// Returns the fields that came behind the body (RFC 9110, 6.5): complete after `END`, empty
    /// before.
    default Headers trailers() {
        return Headers.EMPTY;
    }

    /// The body is over or no longer wanted. Must not throw.
    default void close() {}
}
