package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Passes on what has come: the bytes of a stream in order, or messages that are whole.
final class Delivery {
    private final boolean messages;
    private final int limit;
    private final int most;
    private final Inbox inbox;

    /// First packet of the message that is being passed in order, `-1` between two messages.
    private long begun = -1;

    /// The next slot to look at of that message, and its bytes so far.
    private long scanned;

    private long length;
    private boolean ended;

    /// The reason why nothing can be delivered any more.
    private @Nullable IOException failure;

    /// @param limit bytes of one message
    /// @param window packets; one message must not fill it
    Delivery(boolean messages, int limit, int window, Inbox inbox) {
        this.messages = messages;
        this.limit = limit;
        most = Math.max(window - 2, 1);
        this.inbox = inbox;
    }

    boolean isOfMessages() {
        return messages;
    }

    /// Returns the greatest number of packets of one message.
    int most() {
        return most;
    }

    long held() {
        return inbox.held();
    }

    @Nullable IOException failure() {
        return failure;
    }

    /// The packet with this number has come into its slot, or slots were given up.
    void deliver(Slots slots, long arrived) {
        if (messages) {
            deliverMessages(slots, arrived);
            return;
        }
        while (slots.state(slots.base()) == Slots.State.FULL) {
            Buffer payload = slots.payload(slots.base());
            if (!payload.isReadable()) {
                end();
            } else if (!ended) {
                inbox.bytes(payload.retain());
            }
            slots.pass();
        }
    }

    /// Tells if a packet that is the next one need not go into a slot.
    boolean isDirect(int length) {
        return !messages && length > 0 && !ended;
    }

    /// Passes on the next packet of a stream.
    ///
    /// @return false without memory
    boolean pass(Slots slots, Buffer packet, int length) {
        boolean taken = inbox.copy(packet, packet.readOffset() + Packets.HEADER, length);
        if (taken) {
            slots.pass();
        }
        return taken;
    }

    /// A packet without data is an end of output: see [Handshake#HALF_CLOSURE].
    void end() {
        if (!ended) {
            ended = true;
            inbox.end();
        }
    }

    // ---- messages ----

    private void deliverMessages(Slots slots, long arrived) {
        boolean ahead =
                arrived > slots.base()
                        && slots.state(arrived) == Slots.State.FULL
                        && (slots.word(arrived) & Packets.IN_ORDER) == 0;
        if (ahead) {
            deliverAhead(slots, arrived);
        }
        // From the front: a message that is whole, what was done with, and what can be no message.
        for (; ; ) {
            long at = begun < 0 ? slots.base() : scanned;
            Slots.State state = slots.state(at);
            if (state == Slots.State.EMPTY || failure != null) {
                return;
            }
            if (state == Slots.State.DONE) {
                pass(slots, at);
            } else {
                take(slots, at, slots.word(at));
            }
        }
    }

    private void take(Slots slots, long at, int word) {
        if ((word & Packets.FIRST) != 0) {
            if (begun >= 0) {
                pass(slots, at - 1); // its end never came
            }
            begun = at;
            length = 0;
        } else if (begun < 0) {
            slots.pass(); // its beginning was dropped
            return;
        }
        scanned = at + 1;
        length += slots.payload(at).readableBytes();
        if (length > limit || scanned - begun > most) {
            failure =
                    new IOException(
                            "message: more than "
                                    + Math.min(length, limit)
                                    + " bytes in "
                                    + (scanned - begun)
                                    + " packets (expected: at most "
                                    + limit
                                    + " in "
                                    + most
                                    + ")");
            return;
        }
        if ((word & Packets.LAST) != 0) {
            Buffer whole = join(slots, begun, at);
            pass(slots, at);
            if (whole != null) {
                hand(whole);
            }
        }
    }

    private void pass(Slots slots, long end) {
        while (slots.base() <= end) {
            slots.pass();
        }
        begun = -1;
    }

    private void hand(Buffer message) {
        if (ended) {
            message.release();
        } else if (message.isReadable()) {
            inbox.message(message);
        } else {
            message.release();
            end();
        }
    }

    /// Without order, a message is delivered as soon as it is whole.
    private void deliverAhead(Slots slots, long arrived) {
        int number = slots.word(arrived) & Packets.MAX_MESSAGE;
        long first = arrived;
        while ((slots.word(first) & Packets.FIRST) == 0) {
            if (--first < slots.base() || !isOf(slots, first, number)) {
                return;
            }
        }
        long last = arrived;
        while ((slots.word(last) & Packets.LAST) == 0) {
            if (!isOf(slots, ++last, number)) {
                return;
            }
        }
        if (first == last && !slots.payload(first).isReadable()) {
            return; // an end has its place behind all else
        }
        Buffer whole = join(slots, first, last);
        for (long i = first; i <= last; i++) {
            slots.done(i);
        }
        if (whole != null) {
            hand(whole);
        }
    }

    private static boolean isOf(Slots slots, long sequence, int number) {
        return slots.state(sequence) == Slots.State.FULL
                && (slots.word(sequence) & Packets.MAX_MESSAGE) == number;
    }

    /// Null when it is too long, or there is no memory: the connection fails then.
    private @Nullable Buffer join(Slots slots, long first, long last) {
        if (first == last) {
            return slots.payload(first).retain();
        }
        long sum = 0;
        for (long i = first; i <= last; i++) {
            sum += slots.payload(i).readableBytes();
        }
        if (sum > limit) {
            failure =
                    new IOException("message: " + sum + " bytes (expected: at most " + limit + ")");
            return null;
        }
        try {
            Buffer whole = BufferAllocator.pooled().allocate((int) sum);
            for (long i = first; i <= last; i++) {
                whole.writeBytes(slots.payload(i));
            }
            return whole;
        } catch (MemoryLimitException | OutOfMemoryError e) {
            failure = new IOException("message: no memory for " + sum + " bytes", e);
            return null;
        }
    }

    void clear() {
        begun = -1;
    }
}
