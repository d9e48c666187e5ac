package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// The payload of one packet on its way to the peer, which owns its buffer.
public final class SendUnit {
    /// Deadline of what is delivered however long it takes.
    public static final long NEVER = Long.MIN_VALUE;

    /// Bytes that a unit takes besides its payload, about: its object, its block, its places.
    public static final int OVERHEAD = 128;

    private final long deadline;
    private final int length;

    /// Null when its message was dropped.
    private @Nullable Buffer payload;

    private int word;

    /// @param payload its readable bytes; the unit's from now on
    /// @param flags among [Packets#FIRST], [Packets#LAST] and [Packets#IN_ORDER]
    /// @param deadline of its message, or [#NEVER]
    public SendUnit(Buffer payload, int flags, long deadline) {
        this.payload = payload;
        this.word = flags;
        this.deadline = deadline;
        this.length = payload.readableBytes();
    }

    @Nullable Buffer payload() {
        return payload;
    }

    /// Returns the number of bytes, also when they are gone.
    public int length() {
        return length;
    }

    /// Returns what it takes of the room for what was sent, in bytes.
    public long weight() {
        return (long) length + OVERHEAD;
    }

    int word() {
        return word;
    }

    int message() {
        return word & Packets.MAX_MESSAGE;
    }

    boolean isFirst() {
        return (word & Packets.FIRST) != 0;
    }

    boolean isLast() {
        return (word & Packets.LAST) != 0;
    }

    void number(int message) {
        word |= message;
    }

    boolean isExpired(long now) {
        return deadline != NEVER && now - deadline > 0;
    }

    /// Releases the payload.
    public void drop() {
        Buffer dropped = payload;
        if (dropped != null) {
            payload = null;
            dropped.release();
        }
    }
}
