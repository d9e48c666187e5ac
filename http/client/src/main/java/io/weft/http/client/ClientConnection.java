package io.weft.http.client;

/// A connection that exchanges run on, as the [ConnectionPool] knows it.
interface ClientConnection {
    /// The destination that it is connected to.
    Route route();

    /// Tells if it can carry another exchange. Any thread.
    boolean isOpen();

    /// Tells if the caller is on its loop, so that [#run] costs no hand-over.
    boolean isNear();

    /// Returns the number of exchanges that it carries at a time; 1 unless the wire has streams.
    int capacity();

    /// Runs an exchange. If the connection has ended meanwhile, the exchange fails as
    /// [unprocessed][ClientExchange#unprocessed]. Any thread.
    void run(ClientExchange exchange);

    /// An exchange that was [run][#run] is [cancelled][ClientExchange#cancel]: if it has not begun,
    /// it ends at once. Any thread.
    default void withdraw(ClientExchange exchange) {}

    /// The pool keeps it without an exchange. Any thread.
    void rests();

    /// Closes it in order. Any thread.
    void close();
}
