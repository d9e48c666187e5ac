package io.weft.channel;

import static io.weft.channel.Log.LOG;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Tells the log of messages that travelled a whole pipeline and were released at its end: as a
/// warning the first time for a type of message and a list of handlers, after that at level FINE.
final class UnreadMessages {
    /// Kinds that get a warning of their own; of more, only the log at level FINE hears.
    private static final int MAX_WARNED = 256;

    private static final Set<Kind> WARNED = ConcurrentHashMap.newKeySet();

    private record Kind(Class<?> message, List<String> handlers) {}

    private UnreadMessages() {}

    /// @param message not released yet
    static void tell(Object message, Channel channel) {
        Kind kind = new Kind(message.getClass(), channel.pipeline().names());
        String text =
                "message: "
                        + kind.message.getName()
                        + " was read by no handler and released (expected: one of "
                        + kind.handlers
                        + " takes it); "
                        + channel;
        if (WARNED.size() < MAX_WARNED && WARNED.add(kind)) {
            LOG.warn(text);
        } else {
            LOG.debug(text);
        }
    }
}
