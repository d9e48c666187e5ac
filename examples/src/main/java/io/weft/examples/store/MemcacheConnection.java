package io.weft.examples.store;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheException;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A client of the memcached example. Answers are made when the channel takes them: one line may
/// ask for thousands of values, and one read has many lines. Until then its commands wait, and
/// nothing is read.
final class MemcacheConnection implements ChannelHandler {
    private final MemcacheDecoder decoder;
    private final TextCommands texts;
    private final BinaryCommands binaries;
    private final ArrayDeque<MemcachePart> commands = new ArrayDeque<>(0);
    private final ArrayDeque<Supplier<MemcachePart>> answers = new ArrayDeque<>();

    /// The answer to what broke the protocol, behind the commands.
    private @Nullable Supplier<MemcachePart> last;

    private boolean over;
    private boolean running;
    private boolean again;

    MemcacheConnection(MemcacheStore store, MemcacheDecoder decoder) {
        this.decoder = decoder;
        texts = new TextCommands(store, answers::add);
        binaries = new BinaryCommands(store, answers::add);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof MemcachePart part) {
            commands.add(part);
            answer(ctx);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private void answer(ChannelHandlerContext ctx) {
        while (ctx.channel().isWritable() && !ctx.isRemoved()) {
            Supplier<MemcachePart> answer = answers.poll();
            if (answer != null) {
                ctx.write(answer.get());
            } else if (over || !next()) {
                break;
            }
        }
        if (answers.isEmpty() && commands.isEmpty()) {
            ctx.resumeReading();
        } else {
            ctx.suspendReading();
        }
    }

    /// Runs the next command; returns false if there is none.
    private boolean next() {
        MemcachePart part = commands.poll();
        if (part != null) {
            try (part) {
                over =
                        switch (part) {
                            case TextMessage command -> !texts.run(command);
                            case BinaryMessage request -> !binaries.run(request);
                            default -> false; // of a value that was refused
                        };
            }
            return true;
        }
        Supplier<MemcachePart> broken = last;
        if (broken != null) {
            answers.add(broken);
            over = true;
        }
        return broken != null;
    }

    /// Flushes, and goes on with what waited if that made the channel writable.
    private void proceed(ChannelHandlerContext ctx) {
        again = true;
        if (running) {
            return;
        }
        running = true;
        try {
            while (again && !ctx.isRemoved()) {
                again = false;
                answer(ctx);
                ctx.flush();
            }
        } finally {
            running = false;
        }
        if (over && answers.isEmpty() && !ctx.isRemoved()) {
            ctx.close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        proceed(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            proceed(ctx);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof MemcacheException broken) {
            last = decoder.isBinary() ? broken::binaryReply : broken::textReply;
            proceed(ctx);
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        commands.forEach(MemcachePart::close);
        commands.clear();
    }
}
