package io.weft.transport.udt.machine;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Units that were sent and not acknowledged, by sequence number, and those that wait behind them.
final class SendBuffer {
    private static final int INITIAL = 16;

    /// A ring of the units from `unacknowledged` to `next`.
    private @Nullable SendUnit[] sent = new @Nullable SendUnit[INITIAL];

    private final ArrayDeque<SendUnit> waiting = new ArrayDeque<>();
    private long unacknowledged;
    private long next;
    private int message = 1;
    private long bytes;

    SendBuffer(long first) {
        unacknowledged = first;
        next = first;
    }

    /// Returns the first number that the peer has not acknowledged.
    long unacknowledged() {
        return unacknowledged;
    }

    /// Returns the number that the next new packet gets.
    long next() {
        return next;
    }

    int inFlight() {
        return (int) (next - unacknowledged);
    }

    /// Returns what units take, sent or not, in bytes.
    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return next == unacknowledged && waiting.isEmpty();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    void add(SendUnit unit) {
        unit.number(message);
        if (unit.isLast()) {
            message = message == Packets.MAX_MESSAGE ? 1 : message + 1;
        }
        bytes += unit.weight();
        waiting.add(unit);
    }

    /// Drops whole messages at the front that have expired before any of them was sent.
    void dropExpired(long now) {
        for (SendUnit first; (first = waiting.peek()) != null; ) {
            if (!first.isFirst() || !first.isExpired(now)) {
                return;
            }
            dropWaiting(first.message());
        }
    }

    private void dropWaiting(int number) {
        for (SendUnit unit; (unit = waiting.peek()) != null && unit.message() == number; ) {
            waiting.remove();
            bytes -= unit.weight();
            unit.drop();
        }
    }

    /// Takes the first that waits into the ring, as number [#next]; there is one.
    SendUnit sendNext() {
        SendUnit unit = waiting.remove();
        if (inFlight() == sent.length) {
            grow();
        }
        sent[index(next++)] = unit;
        return unit;
    }

    private int index(long sequence) {
        return (int) sequence & (sent.length - 1);
    }

    private void grow() {
        @Nullable SendUnit[] larger = new @Nullable SendUnit[sent.length * 2];
        for (long i = unacknowledged; i < next; i++) {
            larger[(int) i & (larger.length - 1)] = sent[index(i)];
        }
        sent = larger;
    }

    /// Returns the unit with this number, which is in flight.
    SendUnit get(long sequence) {
        SendUnit unit = sent[index(sequence)];
        if (unit == null) {
            throw new IllegalStateException(
                    "sequence: "
                            + sequence
                            + " (expected: "
                            + unacknowledged
                            + " to "
                            + (next - 1)
                            + ")");
        }
        return unit;
    }

    /// Returns the number of the first packet in flight of the message that `sequence` is of.
    long firstOfMessage(long sequence) {
        int number = get(sequence).message();
        long first = sequence;
        while (first > unacknowledged && get(first - 1).message() == number) {
            first--;
        }
        return first;
    }

    /// Returns the number of the last packet that was sent of the message that `sequence` is of.
    long lastOfMessage(long sequence) {
        int number = get(sequence).message();
        long last = sequence;
        while (last + 1 < next && get(last + 1).message() == number) {
            last++;
        }
        return last;
    }

    /// Drops the payloads of [first, last], one message, and what waits of it.
    void drop(long first, long last) {
        int number = get(last).message();
        for (long i = first; i <= last; i++) {
            get(i).drop();
        }
        if (!get(last).isLast()) {
            dropWaiting(number);
        }
    }

    /// The peer has everything below `ack`, which is within the ring.
    void acknowledged(long ack) {
        while (unacknowledged < ack) {
            int at = index(unacknowledged++);
            SendUnit unit = sent[at];
            sent[at] = null;
            if (unit != null) {
                bytes -= unit.weight();
                unit.drop();
            }
        }
    }

    void clear() {
        acknowledged(next);
        for (SendUnit unit; (unit = waiting.poll()) != null; ) {
            bytes -= unit.weight();
            unit.drop();
        }
    }
}
