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
/// **Back-pressure.** Replies are written while the channel is writable; the rest waits here, and
/// nothing is read. Above 64 MiB, as when others publish much to a peer that reads nothing, the
/// connection is aborted.
///
/// **Errors.** A command that breaks the protocol or a limit is answered with its error, and the
/// connection closes in order.
public final class RedisServerHandler implements MessageHandler<Command> {
    /// Bytes of replies that are gathered before some are written.
    private static final int MAX_GATHERED = 64 << 10;

    /// Bytes of replies that wait for a peer to take others.
    private static final int MAX_HELD = 64 << 20;

    /// Bytes that are written at once.
    private static final int PIECE = 64 << 10;

    private final Output out = new Output();
    private final RespEncoder encoder = new RespEncoder();
    private final CommandDecoder decoder;
    private final RedisSession session;
    private final RedisService service;
    private @Nullable ChannelHandlerContext ctx;

    /// The rest of a reply of which pieces have been written.
    private @Nullable Buffer rest;

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
        if ((++replies & 31) == 0) {
            bound(context());
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

    /// Gathers values that other connections publish, until the loop has come round.
    private void pushOnLoop(ChannelHandlerContext context, RespValue value) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            value.close();
            return;
        }
        boolean first = !isHolding();
        encoder.encode(value, out);
        bound(context);
        if (first) {
            context.eventLoop().executeUnbounded(() -> send(context));
        }
    }

    private void send(ChannelHandlerContext context) {
        if (context.isRemoved()) {
            return;
        }
        write(context);
        context.flush();
        if (closing && !isHolding()) {
            context.close();
        }
    }

    /// Writes what was gathered, if it is much; gives the connection up if it is too much.
    private void bound(ChannelHandlerContext context) {
        if (out.size() > MAX_GATHERED) {
            write(context);
            if (out.size() > MAX_HELD) {
                closing = true;
                context.channel().abort(); // a peer that asks for more than it takes
            }
        }
    }

    /// Writes as long as the channel is writable, in pieces: a reply may be larger than its queue.
    /// As long as some is left the channel does not read.
    private void write(ChannelHandlerContext context) {
        Buffer next = null;
        while (context.channel().isWritable()
                && (next = rest == null ? out.next() : rest) != null) {
            rest = null;
            if (next.readableBytes() > PIECE) {
                rest = next;
                context.write(next.split(PIECE));
            } else {
                context.write(next);
            }
        }
        if (isHolding()) {
            context.suspendReading();
        } else {
            context.resumeReading();
        }
    }

    private boolean isHolding() {
        return rest != null || out.size() > 0;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (isHolding() && ctx.channel().isWritable()) {
            send(ctx);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        send(ctx);
        ctx.fireChannelReadComplete();
    }

    void close() {
        closing = true;
        ChannelHandlerContext context = context();
        context.eventLoop().executeUnbounded(() -> send(context));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof RespException broken && !closing) {
            closing = true;
            reply(broken.reply());
            send(ctx);
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
        if (rest != null) {
            rest.release();
            rest = null;
        }
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
