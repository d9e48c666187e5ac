package io.weft.http.model;

/// A failure with the status that a client should get for it. A server answers a handler that
/// throws it, or whose stage fails with it, with a problem of that status (RFC 9457) and the
/// message as its detail; the connection goes on.
public final class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /// @param status an error: from 400 on
    /// @param detail for the client to read
    /// @throws IllegalArgumentException for another status
    public HttpException(Status status, String detail) {
        super(detail);
        if (status.code() < 400) {
            throw new IllegalArgumentException("status: " + status + " (expected: from 400 on)");
        }
        this.status = status;
    }

    public Status status() {
        return status;
    }

    /// Returns the problem that the client gets.
    public Response toResponse() {
        return Response.problem(status, String.valueOf(getMessage()));
    }
}
