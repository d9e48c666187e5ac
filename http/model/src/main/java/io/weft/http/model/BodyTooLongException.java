package io.weft.http.model;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A body that is longer than it may be. A server answers 413 when a handler fails with it, unless
/// it tells another body than the request's.
///
/// A source that an application has put around the request's counts as another, since it may as
/// well be around an upstream's response: the answer is 500. A handler that wants 413 fails with an
/// exception [without a subject][#BodyTooLongException(long)], or with an [HttpException].
public final class BodyTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Object subject;

    /// @param limit bytes that the body may have
    public BodyTooLongException(long limit) {
        this(limit, null);
    }

    /// @param limit bytes that the body may have
    /// @param subject the body in memory, or the source of the stream; null if not known
    public BodyTooLongException(long limit, @Nullable Object subject) {
        super("body: longer (expected: at most " + limit + " bytes)");
        this.subject = subject;
    }

    /// Returns the body that is too long if it is in memory, or the source of the stream; null if
    /// not known.
    public @Nullable Object subject() {
        return subject;
    }
}
