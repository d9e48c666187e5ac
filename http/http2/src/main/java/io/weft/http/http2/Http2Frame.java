package io.weft.http.http2;

import io.weft.buffer.Buffer;

/// The frames of HTTP/2 (RFC 9113, 6), as a [FrameDecoder] hands them out: of valid length, on a
/// stream that they may stand on, without padding.
///
/// The receiver of a frame owns its buffers. `stream` is 0 where a frame may concern the
/// connection.
public sealed interface Http2Frame {
    /// Content of a message, possibly empty.
    ///
    /// @param flowControlled bytes that count in flow control: those of `data` and of its padding
    record Data(int stream, boolean endStream, Buffer data, int flowControlled)
            implements Http2Frame {}

    /// The beginning of a field section. [Continuation]s follow, and nothing else, until
    /// `endHeaders`.
    ///
    /// @param dependsOnItself whether it has a priority that makes it an error of its stream
    record Headers(
            int stream,
            boolean endStream,
            boolean endHeaders,
            boolean dependsOnItself,
            Buffer fragment)
            implements Http2Frame {}

    /// More of a field section.
    record Continuation(int stream, boolean endHeaders, Buffer fragment) implements Http2Frame {}

    /// A priority in the style of RFC 7540, which is ignored (RFC 9113, 5.3.2).
    record Priority(int stream) implements Http2Frame {}

    /// A stream ends at once. The code may be one that is not registered.
    record RstStream(int stream, int code) implements Http2Frame {}

    /// Settings that the peer wants this side to keep. Settings that are not known are left out.
    ///
    /// @param entries settings in the frame, known or not
    record SettingsFrame(Settings settings, int entries) implements Http2Frame {}

    /// The peer has taken over this side's settings.
    record SettingsAck() implements Http2Frame {}

    /// A response that a server promises, and the beginning of the request's field section.
    record PushPromise(int stream, int promised, boolean endHeaders, Buffer fragment)
            implements Http2Frame {}

    /// A sign of life to be answered, or the answer.
    record Ping(boolean ack, long data) implements Http2Frame {}

    /// The peer takes no more streams.
    ///
    /// @param debug the first 120 octets of the debug data, fit for a log: all but printable ASCII
    ///     is escaped
    record GoAway(int lastStream, int code, String debug) implements Http2Frame {
        public GoAway(int lastStream, int code) {
            this(lastStream, code, "");
        }
    }

    /// Credit for DATA; the increment is not 0.
    record WindowUpdate(int stream, int increment) implements Http2Frame {}

    /// The priority of a stream that may not have begun (RFC 9218, 7.1).
    ///
    /// @param field in the syntax of the field Priority, one byte a character
    record PriorityUpdate(int stream, String field) implements Http2Frame {}

    /// A frame of a type that is not known, to be ignored (RFC 9113, 5.5).
    record Unknown(int type, int stream, int length) implements Http2Frame {}

    /// A frame that is an error of its stream, not of the connection (RFC 9113, 5.4.2).
    record Malformed(int stream, ErrorCode code, String reason) implements Http2Frame {}
}
