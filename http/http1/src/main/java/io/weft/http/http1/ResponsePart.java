package io.weft.http.http1;

import io.weft.buffer.Buffer;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import io.weft.http.model.Version;

/// The parts that a [ResponseDecoder] makes of the answer to a request: any number of interim
/// responses, one head, any number of body parts, one end. A head that begins a
/// [tunnel][Framing#TUNNEL] is the last part.
public sealed interface ResponsePart {
    /// The ways in which a body is delimited (RFC 9112, 6.3).
    enum Framing {
        /// No body: the end follows. So it is for HEAD, 204 and 304, whatever the fields say.
        NONE,
        /// By Content-Length.
        LENGTH,
        /// By chunks.
        CHUNKED,
        /// By the end of the connection.
        CLOSE,
        /// No body and no end: behind 101, and behind 2xx to CONNECT, the connection no longer
        /// carries HTTP (RFC 9110, 7.8 and 9.3.6).
        TUNNEL
    }

    /// A response of the class 1xx but 101. It answers nothing: the final response is still to
    /// come.
    record InterimResponse(Status status, Headers headers) implements ResponsePart {}

    /// The status line and the header section of a final response.
    ///
    /// @param contentLength 0 without a body, -1 when only the end will tell
    /// @param keepAlive whether the connection can go on after this response
    record ResponseHead(
            Status status,
            Version version,
            Headers headers,
            Framing framing,
            long contentLength,
            boolean keepAlive)
            implements ResponsePart {}

    /// A piece of the body, never empty, cut as it arrived. The receiver owns the buffer.
    record BodyPart(Buffer data) implements ResponsePart {}

    /// The response is whole.
    record EndOfResponse(Headers trailers) implements ResponsePart {
        /// The end of a response without trailers: always this object.
        public static final EndOfResponse WITHOUT_TRAILERS = new EndOfResponse(Headers.EMPTY);
    }
}
