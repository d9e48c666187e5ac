package io.weft.transport.uring;

/// Purpose of a submission. With a [Target] it is the submission's user data, by which its
/// completion is told apart.
///
/// | bits | 63 to 32 | 31 to 8 | 7 to 0 |
/// | --- | --- | --- | --- |
/// | | generation of the slot | slot | operation |
final class Operation {
    static final int IGNORED = 0;
    static final int WAKEUP = 1;
    static final int ACCEPT = 2;
    static final int CONNECT = 3;
    static final int RECEIVE = 4;
    static final int SEND = 5;
    static final int POLL = 6;
    static final int POLL_OUT = 7;
    static final int POLL_IN = 8;
    static final int READ_FILE = 9;
    static final int SEND_FILE = 10;
    static final int FILE = 11;

    static final int MAX_SLOTS = 1 << 24;

    private Operation() {}

    static long userData(int generation, int slot, int operation) {
        return (long) generation << 32 | (long) slot << 8 | operation;
    }

    static int of(long userData) {
        return (int) userData & 0xFF;
    }

    static int slot(long userData) {
        return (int) (userData >>> 8) & (MAX_SLOTS - 1);
    }

    static int generation(long userData) {
        return (int) (userData >>> 32);
    }
}
