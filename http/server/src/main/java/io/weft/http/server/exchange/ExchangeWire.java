package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileRegion;
import io.weft.eventloop.EventLoop;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.server.Upgrade;

/// Carries the answer of an [Exchange] to the client. A wire knows how a message is framed and when
/// its connection ends; an exchange knows neither.
///
/// HTTP/1.1 has one wire for each connection, whose exchanges come one after the other. A wire with
/// streams has one for each stream.
///
/// **Order.** [#head] once; if it says that a body is due, [#data] any number of times and [#end];
/// then [#answered]. [#abort] may take the place of any of them but the first. Behind the head of
/// an answer that begins a tunnel, [#upgrade] takes the place of all of them.
///
/// Thread: the loop.
public interface ExchangeWire {
    EventLoop eventLoop();

    BufferAllocator allocator();

    /// Budget of what the loop does for this wire before others.
    Turn turn();

    /// Tells if the request is an extended CONNECT (RFC 8441), whose answer of success begins a
    /// tunnel.
    default boolean isExtendedConnect() {
        return false;
    }

    /// Tells if [#bodyWanted] is to be told whenever 16 KiB of a body have been read, or all there
    /// is: for wires that give the client credit for what was read.
    default boolean metersBody() {
        return false;
    }

    /// The handler reads the request's body for the first time, has read enough of it for more to
    /// come, or wants no more of it: the wire asks the client, or goes on. It may be told too
    /// often, and when the exchange is over.
    void bodyWanted();

    /// Encodes the head of an answer, and its body if that is wanted, in memory, and short enough
    /// to go with it.
    ///
    /// @return whether the body is due behind it
    /// @throws RuntimeException when the response cannot be encoded; another one may follow then
    boolean head(Response response);

    /// Encodes the readable bytes of `piece`, possibly none, and takes it over.
    ///
    /// @throws RuntimeException when they are more than the head announced
    void data(Buffer piece);

    /// Tells if [#data] sends large pieces from where they lie, whoever made them; else they have
    /// to be of [#piece].
    default boolean takesPieces() {
        return false;
    }

    /// Tells if [#file] sends files without reading them.
    boolean takesFiles();

    /// Sends a part of a file as the body, or as a piece of it; takes it over.
    void file(FileRegion region);

    /// Encodes the end of a streamed body, with the fields behind it where the wire has a place for
    /// them.
    ///
    /// @throws RuntimeException when bytes are missing that the head announced
    void end(Headers trailers);

    /// Sends what was encoded, now.
    void send();

    /// Sends what was encoded, now or together with what is being encoded next.
    void sendSoon();

    /// Tells if the client takes more, so that a body should be read on. A wire that shares its
    /// connection among streams may say so when it is the stream's turn, and then has the body go
    /// on.
    boolean isWritable();

    /// Returns an empty buffer for the next [#data], which the caller owns. It has as many writable
    /// bytes as that may have while the wire [#isWritable], at least 1: flow control of streams
    /// counts them, and what has no place there would wait in memory.
    ///
    /// @param most bytes that the caller has a use for
    default Buffer piece(int most) {
        return allocator().allocate(most);
    }

    /// Makes the answer that is to come the last one, where the wire has an order of answers.
    void last();

    /// The answer is encoded and the exchange over; the wire may begin the next one at once.
    void answered();

    /// Sends the head, which was encoded, and hands the channel over with the bytes behind the
    /// request; the exchange is over.
    void upgrade(Upgrade upgrade);

    /// Cuts the answer off: the client must not take what it has for the whole.
    void abort();

    /// Cuts the connection off after a failure that nothing else is to be done about.
    void giveUp(String what, Throwable cause);

    /// Runs a task of the loop. If it throws, such as for lack of memory, no caller would hear of
    /// that, and the connection would wait indefinitely: it is cut off.
    default void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            giveUp("the connection could not go on; it is cut", t);
        }
    }
}
