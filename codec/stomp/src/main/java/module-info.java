import org.jspecify.annotations.NullMarked;

/// Floor 3: STOMP 1.0, 1.1 and 1.2, for clients and servers.
///
/// ```java
/// case StompFrame frame when frame.command() == StompCommand.CONNECT -> {
///     StompVersion version = StompVersion.negotiate(frame.headers().get("accept-version"));
///     decoder.version(version);
///     encoder.version(version);
///     ctx.writeAndFlush(StompFrame.of(StompCommand.CONNECTED, "version", version.text()));
/// }
/// ```
@NullMarked
module io.weft.codec.stomp {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.stomp;
}
