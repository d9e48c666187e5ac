package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.http.model.Headers;

/// The events of an [Http2Connection]. They may call back into it and its streams, except for
/// [Http2Connection#receive].
public interface Http2Events {
    /// A request has begun, on a new stream. Servers only.
    ///
    /// @param end whether it has neither content nor trailers
    default void request(Http2Stream stream, RequestHead head, boolean end) {}

    /// The head of a request was larger than the limits. The stream is open to be answered, with
    /// 431 for example; whatever follows on it is dropped. Servers only.
    default void requestTooLarge(Http2Stream stream) {
        stream.reset(ErrorCode.ENHANCE_YOUR_CALM);
    }

    /// The head of an interim or the final response. Clients only.
    ///
    /// @param end whether it has neither content nor trailers
    default void response(Http2Stream stream, ResponseHead head, boolean end) {}

    /// Content, which the receiver owns; empty ones come with `end` only. The peer may send as much
    /// again when [Http2Stream#consumed] has been told.
    void data(Http2Stream stream, Buffer data, boolean end);

    /// The message ends with these fields.
    void trailers(Http2Stream stream, Headers trailers);

    /// The stream has ended before both sides had sent everything: the peer has reset it, has made
    /// an error of it, or will not process it. Nothing further comes of it, nor may anything be
    /// sent.
    ///
    /// @param code as on the wire
    void reset(Http2Stream stream, int code);

    /// It is this stream's turn to send, after [Http2Stream#wantsToSend]: [Http2Stream#room] is
    /// above
    /// 0. Send a frame or two, and want again.
    void send(Http2Stream stream);

    /// The peer's settings have come or changed, and are in force.
    default void settings(Settings settings) {}

    /// The peer takes no streams beyond `lastStream`. Streams of this side beyond it are reset with
    /// REFUSED_STREAM behind this: their requests may be sent again.
    ///
    /// @param code as on the wire
    default void goAway(int lastStream, int code) {}

    /// As [#goAway(int, int)], which it calls, with what the peer says of the reason.
    ///
    /// @param debug at most 120 octets, fit for a log: all but printable ASCII is escaped
    default void goAway(int lastStream, int code, String debug) {
        goAway(lastStream, code);
    }

    /// Much was decoded since this was told last, whatever became of it: some hundreds of frames,
    /// or field sections of several KiB. Those who serve others too [pause][Http2Connection#pause].
    default void worked() {}

    /// The answer to a [Http2Connection#ping].
    default void pong(long data) {}

    /// The peer has broken the protocol, or a limit. GOAWAY is written: send it, and close. Streams
    /// are reset behind this.
    void failed(Http2Exception cause);
}
