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
import java.util.ArrayDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs a [RedisService] in a pipeline, behind a decoder of commands.
///
/// **Pipelining.** Replies to all commands of one read are gathered in one buffer and sent with one
/// flush; those above 64 KiB on the way.
///
/// **Back-pressure.** Replies are written while the channel is writable; the rest waits here,
/// nothing is read, and commands that were read wait with it, so that a peer that takes nothing
/// costs one reply, however many it asks for. When others publish more than 64 MiB to it, the
/// connection is aborted.
///
/// **The end.** An end of the input waits with the commands before it, and so does the close that
/// comes with it: TLS tells the end in their batch, whoever suspends reading.
///
/// **Errors.** A command that breaks the protocol or a limit is answered with its error, and the
/// connection closes in order. So it does when a service fails behind a reply, or part of one.
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

    /// Commands of the last read that wait for the peer to take replies.
    private final ArrayDeque<Command> waiting = new ArrayDeque<>(0);

    /// The error behind them.
    private @Nullable RespException broken;

    private boolean closing;

    /// The input has ended behind what waits.
    private boolean ended;

    /// The channel closes for that end.
    private boolean closesAtEnd;

    /// The command that is being handled has a reply, or part of one.
    private boolean replied;

    // More is to be sent while something is.
    private boolean sending;
    private boolean again;

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
        if (!waiting.isEmpty() || isHeld(ctx)) {
            waiting.add(command.share());
        } else {
            run(ctx, command);
        }
    }

    private void run(ChannelHandlerContext ctx, Command command) {
        replied = false;
        try {
            service.handle(command);
        } catch (IllegalArgumentException e) {
            if (replied) {
                ctx.fireExceptionCaught(e); // the peer does not hear of it
            }
            failed(ctx, e.getMessage());
        } catch (Throwable e) {
            failed(ctx, "internal error");
            ctx.fireExceptionCaught(e);
        }
    }

    /// Answers a command that failed. If there is a reply to it already, or part of one, the peer
    /// would take the error for an element, or for the reply to the next command: the connection
    /// closes.
    private void failed(ChannelHandlerContext ctx, @Nullable String message) {
        if (replied) {
            closing = true;
        } else {
            replyOrClose(ctx, failure(message));
        }
    }

    private void replyOrClose(ChannelHandlerContext ctx, SimpleError error) {
        try {
            reply(error);
        } catch (RuntimeException e) {
            closing = true;
            ctx.fireExceptionCaught(e);
        }
    }

    private static SimpleError failure(@Nullable String message) {
        String line = message == null ? "error" : message;
        return new SimpleError("ERR " + line.replaceAll("[\\r\\n\\x00]", " "));
    }

    void reply(RespPart part) {
        encode(part);
        replied = true;
        if (out.size() > MAX_GATHERED) {
            write(context());
        }
    }

    /// Appends all bytes of a part, or none.
    private void encode(RespPart part) {
        Output.Mark mark = out.mark();
        try {
            encoder.encode(part, out);
        } catch (Throwable t) {
            out.rollback(mark);
            throw t;
        }
    }

    void push(RespValue value) {
        ChannelHandlerContext context = context();
        if (context.eventLoop().inLoop()) {
            pushOnLoop(context, value);
        } else {
            try {
                context.eventLoop().execute(() -> pushFromElsewhere(context, value));
            } catch (RuntimeException e) {
                value.close();
                throw e;
            }
        }
    }

    /// Ends the connection if a value is lost: nobody else is there to be told.
    private void pushFromElsewhere(ChannelHandlerContext context, RespValue value) {
        try {
            pushOnLoop(context, value);
        } catch (RuntimeException | Error e) {
            closing = true;
            context.channel().abort();
            System.getLogger("io.weft.handler.redis")
                    .log(
                            System.Logger.Level.DEBUG,
                            "a pushed value is lost, and its connection",
                            e);
        }
    }

    /// Gathers values that other connections publish, until the loop has come round.
    private void pushOnLoop(ChannelHandlerContext context, RespValue value) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            value.close();
            return;
        }
        boolean first = !isHolding();
        encode(value);
        if (out.size() > MAX_GATHERED) {
            write(context);
            if (out.size() > MAX_HELD) {
                closing = true;
                context.channel().abort(); // others say more than it takes
                return;
            }
        }
        if (first) {
            context.eventLoop().executeUnbounded(() -> send(context));
        }
    }

    private void send(ChannelHandlerContext context) {
        again = true;
        if (sending) {
            return;
        }
        sending = true;
        try {
            while (again && !context.isRemoved()) {
                again = false;
                write(context);
                runWaiting(context);
                context.flush(); // which may make it writable, and this be called
            }
        } finally {
            sending = false;
        }
        if (!isHolding() && (closing || waiting.isEmpty()) && !context.isRemoved()) {
            answeredAll(context);
        }
    }

    private void answeredAll(ChannelHandlerContext context) {
        if (ended) {
            ended = false;
            context.fireChannelInputClosed();
        }
        if ((closing || closesAtEnd) && !context.isRemoved()) {
            context.close();
        }
    }

    /// Runs commands that waited while the peer takes their replies.
    private void runWaiting(ChannelHandlerContext context) {
        boolean some = !waiting.isEmpty();
        while (!isHeld(context) && !closing && !waiting.isEmpty()) {
            try (Command next = waiting.remove()) {
                run(context, next);
            }
        }
        RespException violation = broken;
        if (violation != null && waiting.isEmpty() && !closing) {
            closing = true;
            replyOrClose(context, violation.reply());
            some = true;
        }
        if (some) {
            write(context);
        }
    }

    private boolean isHeld(ChannelHandlerContext context) {
        return isHolding() && !context.channel().isWritable();
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
        if (isHolding() || !waiting.isEmpty()) {
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
        if (ctx.channel().isWritable() && (isHolding() || !waiting.isEmpty())) {
            send(ctx);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        send(ctx);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (isHolding() || !waiting.isEmpty()) {
            ended = true;
        } else {
            ctx.fireChannelInputClosed();
        }
    }

    /// Lets the close that an end of the input brings about wait with it; another one does not.
    @Override
    public void close(ChannelHandlerContext ctx) {
        if (ended && !closesAtEnd && ctx.channel().closesAtInputEnd()) {
            closesAtEnd = true;
        } else {
            ctx.close();
        }
    }

    void close() {
        closing = true;
        ChannelHandlerContext context = context();
        context.eventLoop().executeUnbounded(() -> send(context));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof RespException violation && !closing) {
            broken = violation;
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
        waiting.forEach(Command::close);
        waiting.clear();
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
