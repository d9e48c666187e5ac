package io.weft.http.http1;

import io.weft.buffer.Buffer;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Version;

/// The parts that a [RequestDecoder] makes of a request: one head, any number of body parts, one
/// end.
public sealed interface RequestPart {
    /// The ways in which a body is delimited.
    enum Framing {
        /// No body: the end follows.
        NONE,
        /// By Content-Length.
        LENGTH,
        /// By chunks.
        CHUNKED
    }

    /// The request line and the header section. Immutable, and possibly the same object as an equal
    /// head before.
    ///
    /// @param contentLength 0 without a body, -1 when only the end will tell
    /// @param keepAlive whether the client wants the connection to go on after this request
    /// @param expectContinue whether the client waits for 100 (Continue) before it sends the body
    record RequestHead(
            Method method,
            RequestTarget target,
            Version version,
            Headers headers,
            Framing framing,
            long contentLength,
            boolean keepAlive,
            boolean expectContinue)
            implements RequestPart {}

    /// A piece of the body, never empty, cut as it arrived. The receiver owns the buffer.
    record BodyPart(Buffer data) implements RequestPart {}

    /// The request is whole.
    record EndOfRequest(Headers trailers) implements RequestPart {
        /// The end of a request without trailers: always this object.
        public static final EndOfRequest WITHOUT_TRAILERS = new EndOfRequest(Headers.EMPTY);
    }
}
