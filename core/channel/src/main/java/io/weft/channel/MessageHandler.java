package io.weft.channel;

/// A handler for messages of one type, which need no cast. Messages of other types travel on; what
/// no handler takes is released at the pipeline's end, and logged.
///
/// ```java
/// final class Greeting implements MessageHandler<String> {
///     public Class<String> messageType() { return String.class; }
///
///     public void messageRead(ChannelHandlerContext ctx, String name) {
///         ctx.writeAndFlush("hello, " + name + "\n");
///     }
/// }
/// ```
///
/// @param <M> the messages
public interface MessageHandler<M> extends ChannelHandler {
    /// The type of the messages, which does not change.
    Class<M> messageType();

    /// Takes a message, which is released when this method returns or throws. If a buffer is to
    /// outlive it, as one that is written or passed on, the handler retains it.
    void messageRead(ChannelHandlerContext ctx, M message) throws Exception;

    @Override
    default void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        Class<M> type = messageType();
        if (!type.isInstance(message)) {
            ctx.fireChannelRead(message);
            return;
        }
        try {
            messageRead(ctx, type.cast(message));
        } finally {
            Messages.release(message);
        }
    }
}
