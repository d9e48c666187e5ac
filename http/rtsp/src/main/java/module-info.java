import org.jspecify.annotations.NullMarked;

/// Floor 4: RTSP 1.0 and 2.0 (RFC 2326, RFC 7826), for clients and servers: requests and responses
/// with the header fields of HTTP, and the binary data that is interleaved with them.
///
/// ```java
/// case RtspRequest describe when describe.method().equals(RtspMethod.DESCRIBE) ->
///         ctx.writeAndFlush(
///                 describe.answer(
///                         Status.OK,
///                         Headers.of("content-type", "application/sdp"),
///                         Body.of(sdp)));
/// case RtspData data -> play(data.channel(), data.payload());
/// ```
@NullMarked
module io.weft.http.rtsp {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.rtsp;
}
