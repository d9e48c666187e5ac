package io.weft.http.server.exchange;

/// Sends the body of an answer behind its head. Thread: the loop.
sealed interface Sender permits BodySender, FileSender {
    /// Begins. Once, first; the body may be out when this returns.
    void start();

    /// Goes on: the client takes more, or it is the wire's turn.
    void pump();

    /// Gives the body up if it is not out.
    void close();
}
