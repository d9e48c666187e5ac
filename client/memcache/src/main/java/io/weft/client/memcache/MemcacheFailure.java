package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryStatus;
import org.jspecify.annotations.Nullable;

/// A request has failed: see the subclasses. That a key is not there, or is there, is no failure.
public abstract sealed class MemcacheFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private MemcacheFailure(String message) {
        super(message, null, false, false);
    }

    /// The server has answered with an error.
    public static final class Refused extends MemcacheFailure {
        private static final long serialVersionUID = 1L;

        private final int number;

        Refused(int number, String text) {
            super(named(number) + ": " + text);
            this.number = number;
        }

        private static String named(int number) {
            BinaryStatus known = BinaryStatus.of(number);
            return known == null ? "status " + number : known.toString();
        }

        /// The status; null if it is not known.
        public @Nullable BinaryStatus status() {
            return BinaryStatus.of(number);
        }
    }

    /// The connection ended before the answer came.
    public static final class Disconnected extends MemcacheFailure {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        Disconnected(boolean sent, String why) {
            super((sent ? "sent without an answer: " : "not sent: ") + why);
            this.sent = sent;
        }

        /// Tells if the request may have been executed.
        public boolean wasSent() {
            return sent;
        }
    }

    /// No answer came in time; if the request was sent, it may be executed yet.
    public static final class TimedOut extends MemcacheFailure {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        TimedOut(boolean sent, String why) {
            super((sent ? "sent without an answer: " : "not sent: ") + why);
            this.sent = sent;
        }

        /// Tells if the request may be executed.
        public boolean wasSent() {
            return sent;
        }
    }

    /// More requests wait than may.
    public static final class Overloaded extends MemcacheFailure {
        private static final long serialVersionUID = 1L;

        Overloaded(int waiting) {
            super("waiting requests: " + waiting + " (expected: fewer)");
        }
    }
}
