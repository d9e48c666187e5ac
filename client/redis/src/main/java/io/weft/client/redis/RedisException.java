package io.weft.client.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A command has failed: see the subclasses.
public abstract sealed class RedisException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private RedisException(String message) {
        super(message, null, false, false);
    }

    /// The server has answered with an error.
    public static final class Replied extends RedisException {
        private static final long serialVersionUID = 1L;

        Replied(String text) {
            super(text);
        }

        /// The first word, such as ERR, WRONGTYPE or MOVED.
        public String code() {
            String text = String.valueOf(getMessage());
            int space = text.indexOf(' ');
            return space < 0 ? text : text.substring(0, space);
        }
    }

    /// The connection ended before the reply came. If the command was sent, it may have been
    /// executed.
    public static final class Disconnected extends RedisException {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        Disconnected(boolean sent, String why) {
            super((sent ? "sent without a reply: " : "not sent: ") + why);
            this.sent = sent;
        }

        /// Tells if the command may have been executed.
        public boolean wasSent() {
            return sent;
        }
    }

    /// No reply came within [RedisClientLimits#timeout], or of a cluster within
    /// [RedisClusterLimits#total]. If the command was sent, it may have been executed.
    public static final class TimedOut extends RedisException {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        /// @param lastFailure reason for which there is no connection; null where none is known
        TimedOut(boolean sent, Duration limit, @Nullable Throwable lastFailure) {
            super(
                    (sent ? "sent without a reply" : "not sent")
                            + ": after "
                            + limit
                            + (lastFailure == null ? "" : " without a connection: " + lastFailure));
            this.sent = sent;
        }

        /// Tells if the command may have been executed.
        public boolean wasSent() {
            return sent;
        }
    }

    /// More commands wait than may.
    public static final class Overloaded extends RedisException {
        private static final long serialVersionUID = 1L;

        Overloaded(int waiting) {
            super("waiting commands: " + waiting + " (expected: fewer)");
        }
    }
}
