package io.weft.channel;

import io.weft.engine.log.GuardedLog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The log of this module.
final class Log {
    static final GuardedLog LOG = new GuardedLog("io.weft.channel");

    /// Kinds of unhandled exceptions that are counted, and of unread messages that get a warning of
    /// their own; of more, only the log at level FINE hears.
    private static final int MAX_KINDS = 256;

    private static final Set<Unread> WARNED = ConcurrentHashMap.newKeySet();

    private record Unread(Class<?> message, List<String> handlers) {}

    private static final ConcurrentHashMap<Kind, AtomicLong> COUNTS = new ConcurrentHashMap<>();

    /// @param thrower null if a handler fired the exception
    private record Kind(Class<?> exception, @Nullable String thrower, List<String> handlers) {}

    private Log() {}

    /// Tells of a message that travelled a whole pipeline and is to be released at its end: as a
    /// warning the first time for its type and a list of handlers, after that at level FINE.
    ///
    /// @param message not released yet
    static void unread(Object message, Channel channel) {
        Unread kind = new Unread(message.getClass(), channel.pipeline().names());
        String text =
                "message: "
                        + kind.message.getName()
                        + " was read by no handler and released (expected: one of "
                        + kind.handlers
                        + " takes it); "
                        + channel;
        if (WARNED.size() < MAX_KINDS && WARNED.add(kind)) {
            LOG.warn(text);
        } else {
            LOG.debug(text);
        }
    }

    /// Tells of an exception that no handler of a datagram channel handled. Senders may cause them
    /// as often as they like, so the first, second, fourth, eighth … of a kind is a warning, and
    /// the others are told at level FINE.
    ///
    /// @param thrower the handler that threw; null if one fired the exception
    static void unhandled(
            @Nullable ChannelHandlerContext thrower, Throwable cause, Channel channel) {
        Kind kind =
                new Kind(
                        cause.getClass(),
                        thrower == null ? null : thrower.name(),
                        channel.pipeline().names());
        AtomicLong counted =
                COUNTS.size() < MAX_KINDS
                        ? COUNTS.computeIfAbsent(kind, _ -> new AtomicLong())
                        : COUNTS.get(kind);
        long count = counted == null ? 0 : counted.incrementAndGet();
        String text =
                unhandledText(thrower, channel)
                        + "; the channel goes on"
                        + (count > 1 ? "; " + count + " times by now: " : ": ")
                        + channel;
        if (Long.bitCount(count) == 1) {
            LOG.failure(text, cause);
        } else {
            LOG.debug(text, cause);
        }
    }

    /// Says which handlers let the exception pass.
    ///
    /// @param thrower the handler that threw; null if the exception was fired
    static String unhandledText(@Nullable ChannelHandlerContext thrower, Channel channel) {
        return (thrower == null ? "an exception" : "handler " + thrower.name() + " threw; it")
                + " was not handled by any of "
                + channel.pipeline().names();
    }
}
