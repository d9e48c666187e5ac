package io.weft.examples;

import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.serialization.AllowList;
import io.weft.codec.serialization.ObjectDecoder;
import io.weft.codec.serialization.ObjectEncoder;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.io.Serializable;

/// Sends back serialized objects, each behind its length in four bytes. A peer chooses the classes
/// that deserialization makes objects of, so the decoder takes only those on its list: lists,
/// texts, numbers and times here. A connection that sends anything else is closed.
public final class ObjectEcho {
    /// Beside texts and numbers, which need not be named. An `Instant` is a `Ser` in the stream.
    private static final AllowList ALLOWED =
            AllowList.patterns("java.util.ArrayList", "java.time.Instant", "java.time.Ser");

    private ObjectEcho() {}

    public static void main(String[] args) {
        Example.main(8029, args, ObjectEcho::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                channel ->
                        channel.pipeline()
                                .addLast(
                                        new DecoderHandler<>(
                                                ObjectDecoder.framed(Serializable.class, ALLOWED)))
                                .addLast(
                                        new EncoderHandler<>(
                                                Serializable.class, new ObjectEncoder()))
                                .addLast(new EchoHandler()));
    }

    private static final class EchoHandler implements MessageHandler<Serializable> {
        @Override
        public Class<Serializable> messageType() {
            return Serializable.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Serializable object) {
            ctx.writeAndFlush(object);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            System.err.println(ctx.channel().remoteAddress() + ": " + cause.getMessage());
            ctx.close();
        }
    }
}
