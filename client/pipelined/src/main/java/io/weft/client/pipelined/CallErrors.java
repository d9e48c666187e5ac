package io.weft.client.pipelined;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Errors of calls, in the types of one client.
public interface CallErrors {
    /// The connection ended, or none will come.
    ///
    /// @param sent the call may have been executed
    Throwable disconnected(boolean sent, String reason);

    /// More calls wait than may.
    Throwable overloaded(int waiting);

    /// No answer came in time.
    ///
    /// @param sent the call may have been executed
    /// @param limit from a call to its answer
    /// @param lastFailure reason for which there is no connection, where it is known
    Throwable timedOut(boolean sent, Duration limit, @Nullable Throwable lastFailure);
}
