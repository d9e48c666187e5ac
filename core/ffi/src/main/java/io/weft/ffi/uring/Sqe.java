package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_sqe`, a submission, and how to write one. Members of a union share
/// an offset.
public final class Sqe {
    public static final int SIZE = 64;
    public static final int OPCODE = 0;
    public static final int FLAGS = 1;
    public static final int IOPRIO = 2;
    public static final int FD = 4;

    // union
    public static final int OFF = 8;
    public static final int ADDR2 = 8;

    // union
    public static final int ADDR = 16;
    public static final int SPLICE_OFF_IN = 16;

    public static final int LEN = 24;

    // union
    public static final int OP_FLAGS = 28;
    public static final int RW_FLAGS = 28;
    public static final int POLL32_EVENTS = 28;
    public static final int MSG_FLAGS = 28;
    public static final int TIMEOUT_FLAGS = 28;
    public static final int ACCEPT_FLAGS = 28;
    public static final int CANCEL_FLAGS = 28;
    public static final int SPLICE_FLAGS = 28;
    public static final int MSG_RING_FLAGS = 28;

    public static final int USER_DATA = 32;

    // union
    public static final int BUF_INDEX = 40;
    public static final int BUF_GROUP = 40;

    public static final int PERSONALITY = 42;

    // union
    public static final int SPLICE_FD_IN = 44;
    public static final int FILE_INDEX = 44;
    public static final int ADDR_LEN = 44;

    public static final int ADDR3 = 48;

    private Sqe() {}

    /// Writes a whole submission: the members given, and 0 in all others.
    public static void put(
            long sqe,
            int opcode,
            int fd,
            long off,
            long addr,
            int len,
            int opFlags,
            long userData) {
        Memory.putInt(sqe + OPCODE, 0); // flags and ioprio too
        Memory.putByte(sqe + OPCODE, (byte) opcode);
        Memory.putInt(sqe + FD, fd);
        Memory.putLong(sqe + OFF, off);
        Memory.putLong(sqe + ADDR, addr);
        Memory.putInt(sqe + LEN, len);
        Memory.putInt(sqe + OP_FLAGS, opFlags);
        Memory.putLong(sqe + USER_DATA, userData);
        Memory.putLong(sqe + BUF_INDEX, 0);
        Memory.putLong(sqe + ADDR3, 0);
        Memory.putLong(sqe + ADDR3 + 8, 0);
    }

    public static void putFlags(long sqe, int flags) {
        Memory.putByte(sqe + FLAGS, (byte) flags);
    }

    public static void putIoprio(long sqe, int ioprio) {
        Memory.putShort(sqe + IOPRIO, (short) ioprio);
    }

    public static void putBufGroup(long sqe, int group) {
        Memory.putShort(sqe + BUF_GROUP, (short) group);
    }

    public static void putFileIndex(long sqe, int index) {
        Memory.putInt(sqe + FILE_INDEX, index);
    }
}
