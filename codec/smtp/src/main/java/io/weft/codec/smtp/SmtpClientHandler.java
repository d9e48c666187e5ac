package io.weft.codec.smtp;

import io.weft.buffer.Buffer;

/// The surroundings of an [SmtpClientSession]: its connection, and the application that sends mail.
public interface SmtpClientHandler {
    /// Writes bytes, which become the handler's.
    void send(Buffer bytes);

    /// Sends what was written.
    void flush();

    /// Tells if the connection takes more bytes of a content; when it does again,
    /// [SmtpClientSession#writable()] has to be called.
    default boolean isWritable() {
        return true;
    }

    /// Begins TLS; [SmtpClientSession#secured()] follows.
    void startTls();

    /// The session takes mail: the greeting, TLS and AUTH are done.
    default void ready(SmtpExtensions extensions) {}

    /// The session has failed. Mail that was not answered has failed before; [#close] follows.
    void failed(SmtpException cause);

    /// Closes the connection when what was written is sent.
    void close();
}
