import org.jspecify.annotations.NullMarked;

/// Floor 3: SMTP (RFC 5321) with its usual extensions, for clients and servers.
///
/// The sessions are machines without I/O: bytes of the connection go in, replies and events come
/// out.
///
/// ```java
/// SmtpServerConfig config = SmtpServerConfig.of("mail.example.org").withTls(false);
/// SmtpServerSession session = SmtpServerSession.of(config, handler);
/// session.begin();
/// session.received(bytes);
/// ```
///
/// Below them, commands, replies and contents have decoders and encoders of their own.
@NullMarked
module io.weft.codec.smtp {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.smtp;
}
