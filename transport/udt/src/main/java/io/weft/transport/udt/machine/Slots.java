package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// Packets that have come and wait for earlier ones, or for the rest of their message: a ring from
/// `base`, which grows with what has come.
final class Slots {
    /// States of a slot.
    enum State {
        EMPTY,
        /// With its payload.
        FULL,
        /// Delivered ahead of its turn, or dropped by the sender.
        DONE
    }

    private static final int INITIAL = 16;

    private @Nullable Buffer[] payloads = new @Nullable Buffer[INITIAL];
    private int[] words = new int[INITIAL];
    private State[] states = empty(INITIAL);
    private long base;

    Slots(long base) {
        this.base = base;
    }

    private static State[] empty(int size) {
        State[] states = new State[size];
        java.util.Arrays.fill(states, State.EMPTY);
        return states;
    }

    /// Returns the first number that has not been passed.
    long base() {
        return base;
    }

    private int index(long sequence) {
        return (int) sequence & (states.length - 1);
    }

    private boolean isWithin(long sequence) {
        return sequence >= base && sequence - base < states.length;
    }

    State state(long sequence) {
        return isWithin(sequence) ? states[index(sequence)] : State.EMPTY;
    }

    int word(long sequence) {
        return words[index(sequence)];
    }

    /// Makes room, so that neither [#put] nor [#done] can fail.
    void reach(long sequence) {
        int size = states.length;
        while (sequence - base >= size) {
            size *= 2;
        }
        if (size == states.length) {
            return;
        }
        @Nullable Buffer[] newPayloads = new @Nullable Buffer[size];
        int[] newWords = new int[size];
        State[] newStates = empty(size);
        for (long i = base; i < base + states.length; i++) {
            int to = (int) i & (size - 1);
            newPayloads[to] = payloads[index(i)];
            newWords[to] = words[index(i)];
            newStates[to] = states[index(i)];
        }
        payloads = newPayloads;
        words = newWords;
        states = newStates;
    }

    void put(long sequence, int word, Buffer payload) {
        int at = index(sequence);
        payloads[at] = payload;
        words[at] = word;
        states[at] = State.FULL;
    }

    /// Returns the payload of a full slot, which stays there.
    Buffer payload(long sequence) {
        Buffer payload = payloads[index(sequence)];
        if (payload == null) {
            throw new IllegalStateException("slot " + sequence + ": empty (expected: full)");
        }
        return payload;
    }

    /// Gives up the payload, if there is one, and marks the slot.
    void done(long sequence) {
        release(index(sequence));
        states[index(sequence)] = State.DONE;
    }

    /// Passes the first slot.
    void pass() {
        int at = index(base++);
        release(at);
        states[at] = State.EMPTY;
    }

    private void release(int at) {
        Buffer payload = payloads[at];
        if (payload != null) {
            payloads[at] = null;
            payload.release();
        }
    }

    void clear() {
        for (int i = 0; i < states.length; i++) {
            release(i);
            states[i] = State.EMPTY;
        }
    }
}
