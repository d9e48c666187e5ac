package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.eventloop.EventLoop;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;

/// Carries the request of a [ClientExchange] to the server. A wire knows how a message is framed
/// and whether its connection goes on; an exchange knows neither.
///
/// HTTP/1.1 has one wire for each connection, whose exchanges come one after the other. A wire with
/// streams has one for each stream.
///
/// **Order.** [#head] once; if it says that a body is due, [#data] any number of times and [#end].
/// What the server answers comes by the methods of the exchange meanwhile. Then [#done] or
/// [#abort], once.
///
/// Thread: the loop.
interface ClientWire {
    EventLoop eventLoop();

    BufferAllocator allocator();

    /// Encodes the head of the request, and its body if that is in memory and need not wait.
    ///
    /// @return whether a body is due
    /// @throws RuntimeException when the request cannot be encoded; nothing was written then
    boolean head(Request request);

    /// Returns an empty buffer for the next [#data], which the caller owns.
    ///
    /// @param most bytes that the caller has a use for; a wire may give fewer, but at least 1
    default Buffer piece(int most) {
        return allocator().allocate(most);
    }

    /// Tells if [#data] sends large pieces from where they lie, whoever made them; else they have
    /// to be of [#piece].
    default boolean takesPieces() {
        return false;
    }

    /// Encodes the readable bytes of `piece`, possibly none, and takes it over.
    ///
    /// @throws RuntimeException when they are more than the head announced
    void data(Buffer piece);

    /// Encodes the end of a body, with the fields behind it where the wire has a place for them.
    ///
    /// @throws RuntimeException when bytes are missing that the head announced
    void end(Headers trailers);

    /// Sends what was encoded.
    void send();

    /// Tells if the server takes more, so that a body should be read on.
    boolean isWritable();

    /// Returns the number of bytes that wait for the server to take them, with those of other
    /// exchanges on the same connection.
    long pendingBytes();

    /// Returns a count that grows while the connection sends what [#pendingBytes] counts, if the
    /// exchange shares that with others; else, or while bytes of its own are held back, 0.
    default long takenBytes() {
        return 0;
    }

    /// Says whether more of the response is wanted now.
    void demand(boolean wanted);

    /// Tells if a response that nobody wants is best given up at once, since the connection goes
    /// on.
    default boolean isStream() {
        return false;
    }

    /// Tells if the connection ends with the response, so that nothing is gained from the rest of
    /// one that nobody wants.
    default boolean endsWithResponse() {
        return false;
    }

    /// The exchange is over in good order.
    void done();

    /// The exchange is over before its end; the wire must not carry another one behind it.
    void abort();
}
