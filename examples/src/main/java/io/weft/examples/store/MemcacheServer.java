package io.weft.examples.store;

import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.codec.memcache.MemcacheException;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;

/// A memcached in memory, in the binary protocol and the text protocol, told apart by the first
/// byte. Try it with `memccapable -h 127.0.0.1 -p 11311`, or with
/// `printf 'set a 0 0 2\r\nhi\r\nget a\r\nquit\r\n' | nc 127.0.0.1 11311`.
public final class MemcacheServer {
    /// Values above 1 MiB are refused, as memcached does.
    private static final MemcacheLimits LIMITS = MemcacheLimits.DEFAULT.valueBytes(1 << 20);

    private static final MemcacheStore STORE =
            new MemcacheStore(() -> System.currentTimeMillis() / 1000);

    private MemcacheServer() {}

    public static void main(String[] args) {
        Example.main(11311, args, MemcacheServer::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                channel -> {
                    MemcacheDecoder decoder = MemcacheDecoder.requests(LIMITS);
                    channel.pipeline()
                            .addLast(new DecoderHandler<>(decoder))
                            .addLast(
                                    new EncoderHandler<>(MemcachePart.class, new MemcacheEncoder()))
                            .addLast(new Connection(decoder));
                });
    }

    private static final class Connection implements MessageHandler<MemcachePart> {
        private final MemcacheDecoder decoder;

        Connection(MemcacheDecoder decoder) {
            this.decoder = decoder;
        }

        @Override
        public Class<MemcachePart> messageType() {
            return MemcachePart.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, MemcachePart part) {
            boolean on =
                    switch (part) {
                        case TextMessage command -> {
                            TextCommands commands = new TextCommands(STORE, ctx::write);
                            yield commands.run(command);
                        }
                        case BinaryMessage request -> {
                            BinaryCommands commands = new BinaryCommands(STORE, ctx::write);
                            yield commands.run(request);
                        }
                        default -> true; // no value is above the limit of whole ones
                    };
            if (!on) {
                ctx.flush();
                ctx.close();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof MemcacheException broken) {
                ctx.write(decoder.isBinary() ? broken.binaryReply() : broken.textReply());
                ctx.flush();
                ctx.close();
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }
    }
}
