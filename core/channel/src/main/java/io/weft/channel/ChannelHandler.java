package io.weft.channel;

import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Handles a channel's events; each method passes its event on unless overridden, and events skip
/// handlers that do not override them.
///
/// All methods are called on the channel's loop and must not block. An exception that one throws
/// goes to [#exceptionCaught] of the same handler. If no handler handles it, that channel alone is
/// closed; a datagram channel goes on. The handler that receives a message owns it.
///
/// A handler serves one pipeline at a time, unless it declares [#isSharable]: a pipeline refuses
/// one that stands in another.
public interface ChannelHandler {
    /// Tells if one instance may be in several pipelines at once.
    default boolean isSharable() {
        return false;
    }

    default void handlerAdded(ChannelHandlerContext ctx) throws Exception {}

    default void handlerRemoved(ChannelHandlerContext ctx) throws Exception {}

    // ---- inbound ----

    default void channelActive(ChannelHandlerContext ctx) throws Exception {
        ctx.fireChannelActive();
    }

    /// The channel is closed; no read follows.
    default void channelInactive(ChannelHandlerContext ctx) throws Exception {
        ctx.fireChannelInactive();
    }

    default void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ctx.fireChannelRead(message);
    }

    /// Called when the input that had arrived has been read: a good moment to flush.
    default void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        ctx.fireChannelReadComplete();
    }

    /// The peer closed its sending direction. Unless the channel allows half-closure it closes
    /// next.
    default void channelInputClosed(ChannelHandlerContext ctx) throws Exception {
        ctx.fireChannelInputClosed();
    }

    default void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
        ctx.fireChannelWritabilityChanged();
    }

    default void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        ctx.fireUserEventTriggered(event);
    }

    /// Handles an exception of this handler, or one that a handler before it or the channel passed
    /// on.
    ///
    /// If no handler overrides this, a stream is aborted, and the exception logged. A datagram
    /// channel goes on, since any sender could close it by one datagram otherwise: the datagram is
    /// lost, and the log warns of the first, second, fourth, eighth … exception of a kind, where a
    /// kind is its class and the handlers.
    ///
    /// @throws Exception treated as one that no handler handles
    default void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        ctx.fireExceptionCaught(cause);
    }

    // ---- outbound ----

    /// @param promise null if the caller did not ask for the outcome
    default void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise)
            throws Exception {
        ctx.write(message, promise);
    }

    default void flush(ChannelHandlerContext ctx) throws Exception {
        ctx.flush();
    }

    /// Asks for input where the channel does not read by itself.
    default void read(ChannelHandlerContext ctx) throws Exception {
        ctx.read();
    }

    default void close(ChannelHandlerContext ctx) throws Exception {
        ctx.close();
    }

    /// Ends the output. All that handlers [held][ChannelHandlerContext#holds] has been passed on
    /// before. A protocol with an end of its own, as TLS has, writes that first.
    default void shutdownOutput(ChannelHandlerContext ctx) throws Exception {
        ctx.shutdownOutput();
    }
}
