package io.weft.handler.redis;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelPipeline;
import io.weft.channel.MessageHandler;
import io.weft.codec.Output;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.CommandDecoder;
import io.weft.codec.redis.RespEncoder;
import io.weft.codec.redis.RespException;
import io.weft.codec.redis.RespLimits;
import io.weft.codec.redis.RespPart;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.handler.codec.DecoderHandler;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs a [RedisService] in a pipeline, behind a decoder of commands.
///
/// **Pipelining.** Replies to all commands of one read are gathered in one buffer and sent with one
/// flush; those above 64 KiB on the way.
///
/// **Errors.** A command that breaks the protocol or a limit is answered with its error, and the
/// connection closes in order.
public final class RedisServerHandler implements MessageHandler<Command> {
    /// Bytes of replies that are gathered before some are written.
    private static final int MAX_GATHERED = 64 << 10;

    private final Output out = new Output();
    private final RespEncoder encoder = new RespEncoder();
    private final CommandDecoder decoder;
    private final RedisSession session;
    private final RedisService service;
    private @Nullable ChannelHandlerContext ctx;

    /// Replies since the last look at their size.
    private int replies;

    private boolean closing;

    private RedisServerHandler(
            RespLimits limits, Function<? super RedisSession, ? extends RedisService> service) {
        decoder = new CommandDecoder(limits);
        session = new RedisSession(this, decoder, encoder);
        this.service = service.apply(session);
    }

    /// Adds a decoder and a handler to `pipeline`, with the default limits.
    ///
    /// @param service makes the service of this connection
    public static void addTo(
            ChannelPipeline pipeline,
            Function<? super RedisSession, ? extends RedisService> service) {
        addTo(pipeline, RespLimits.DEFAULT, service);
    }

    /// As above, with other limits of what a command may be.
    public static void addTo(
            ChannelPipeline pipeline,
            RespLimits limits,
            Function<? super RedisSession, ? extends RedisService> service) {
        RedisServerHandler handler = new RedisServerHandler(limits, service);
        pipeline.addLast(new DecoderHandler<>(handler.decoder)).addLast(handler);
    }

    @Override
    public Class<Command> messageType() {
        return Command.class;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    @Override
    public void messageRead(ChannelHandlerContext ctx, Command command) {
        if (closing) {
            return;
        }
        try {
            service.handle(command);
        } catch (IllegalArgumentException e) {
            reply(failure(e.getMessage()));
        } catch (RuntimeException e) {
            reply(failure("internal error"));
            ctx.fireExceptionCaught(e);
        }
    }

    private static SimpleError failure(@Nullable String message) {
        String line = message == null ? "error" : message;
        return new SimpleError("ERR " + line.replaceAll("[\\r\\n\\x00]", " "));
    }

    void reply(RespPart part) {
        encoder.encode(part, out);
        // Looked at from time to time: the size is a sum.
        if ((++replies & 31) == 0 && out.size() > MAX_GATHERED) {
            write(context());
        }
    }

    void push(RespValue value) {
        ChannelHandlerContext context = context();
        if (context.eventLoop().inLoop()) {
            pushOnLoop(context, value);
        } else {
            try {
                context.eventLoop().execute(() -> pushOnLoop(context, value));
            } catch (RuntimeException e) {
                value.close();
                throw e;
            }
        }
    }

    /// Gathers what other connections publish until the loop has come round.
    private void pushOnLoop(ChannelHandlerContext context, RespValue value) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            value.close();
            return;
        }
        boolean first = out.size() == 0;
        encoder.encode(value, out);
        if (first) {
            context.eventLoop().executeUnbounded(() -> send(context));
        }
    }

    private void send(ChannelHandlerContext context) {
        if (!context.isRemoved()) {
            write(context);
            context.flush();
        }
    }

    private void write(ChannelHandlerContext context) {
        for (Buffer next; (next = out.next()) != null; ) {
            context.write(next);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        write(ctx);
        ctx.flush();
        if (closing) {
            ctx.close();
        }
        ctx.fireChannelReadComplete();
    }

    void close() {
        closing = true;
        ChannelHandlerContext context = context();
        context.eventLoop()
                .executeUnbounded(
                        () -> {
                            send(context);
                            context.close();
                        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof RespException broken && !closing) {
            closing = true;
            reply(broken.reply());
            send(ctx);
            ctx.close();
        } else if (!(cause instanceof RespException)) {
            ctx.fireExceptionCaught(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        service.closed();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        out.close();
    }

    Channel channel() {
        return context().channel();
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return ctx;
    }
}
