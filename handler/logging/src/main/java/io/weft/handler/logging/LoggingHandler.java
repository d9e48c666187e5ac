package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Logs all events of its place in a pipeline. What the peer sent is shown in hexadecimal, or with
/// everything escaped that could forge a line, and never more than the first 256 bytes of it.
public final class LoggingHandler implements ChannelHandler {
    /// The form in which contents are shown.
    public enum Format {
        /// Their length alone.
        SIMPLE,

        /// Their first bytes, in lines of sixteen.
        HEX_DUMP
    }

    private static final int MAX_SHOWN = 256;

    private final Logger logger;
    private final Level level;
    private final Format format;

    /// Logs to this class's logger at DEBUG, with hex dumps.
    public LoggingHandler() {
        this(System.getLogger(LoggingHandler.class.getName()), Level.DEBUG, Format.HEX_DUMP);
    }

    public LoggingHandler(Logger logger, Level level, Format format) {
        this.logger = logger;
        this.level = level;
        this.format = format;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    private void log(ChannelHandlerContext ctx, String event) {
        if (logger.isLoggable(level)) {
            logger.log(level, ctx.channel() + " " + event);
        }
    }

    private void log(ChannelHandlerContext ctx, String event, Object message) {
        if (logger.isLoggable(level)) {
            logger.log(level, ctx.channel() + " " + event + ": " + shown(message));
        }
    }

    private String shown(Object message) {
        if (!(message instanceof Buffer buffer)) {
            return escaped(String.valueOf(message));
        }
        int length = buffer.readableBytes();
        if (format == Format.SIMPLE || length == 0) {
            return length + " bytes";
        }
        int shown = Math.min(MAX_SHOWN, length);
        try (Buffer first = buffer.slice(buffer.readOffset(), shown)) {
            String dump = System.lineSeparator() + first.hexDump();
            return length + " bytes" + dump + (shown < length ? "..." : "");
        }
    }

    static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < Math.min(MAX_SHOWN, text.length()); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\\' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return text.length() > MAX_SHOWN ? out.append("...").toString() : out.toString();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        log(ctx, "ACTIVE");
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        log(ctx, "INACTIVE");
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        log(ctx, "READ", message);
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        log(ctx, "READ COMPLETE");
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        log(ctx, "INPUT CLOSED");
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        log(ctx, ctx.channel().isWritable() ? "WRITABLE" : "NOT WRITABLE");
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        log(ctx, "EVENT", event);
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log(ctx, "EXCEPTION", cause);
        ctx.fireExceptionCaught(cause);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        log(ctx, "WRITE", message);
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        log(ctx, "FLUSH");
        ctx.flush();
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        log(ctx, "CLOSE");
        ctx.close();
    }

    @Override
    public void shutdownOutput(ChannelHandlerContext ctx) {
        log(ctx, "SHUTDOWN OUTPUT");
        ctx.shutdownOutput();
    }
}
