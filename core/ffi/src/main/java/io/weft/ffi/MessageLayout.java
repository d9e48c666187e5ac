package io.weft.ffi;

/// Layout in which systems differ of `struct msghdr` and of control data.
///
/// Name, vectors and control data have the same offsets everywhere. Their counts are `size_t` on
/// Linux, and on BSD `int`s with or without padding behind them: on little-endian processors, which
/// are all that these systems run on here, a `long` written there is both.
///
/// @param flags offset of `msg_flags`
/// @param wide whether lengths of control data are `size_t`, not `socklen_t`
/// @param align of messages of control data
/// @param data offset of the data in a message of control data
record MessageLayout(int flags, boolean wide, int align, int data) {
    static final MessageLayout LINUX = new MessageLayout(48, true, 8, 16);

    /// `bsd/sys/socket.h` of xnu: `CMSG_DATA` and others align to 4 bytes.
    static final MessageLayout MACOS = new MessageLayout(44, false, 4, 12);

    /// `sys/sys/socket.h` of FreeBSD: `_ALIGN` of 64-bit processors is to 8 bytes.
    static final MessageLayout FREEBSD = new MessageLayout(44, false, 8, 16);

    /// Size of `struct cmsghdr`.
    private int head() {
        return wide ? 16 : 12;
    }

    private long aligned(long length) {
        return (length + align - 1) & -align;
    }

    /// `CMSG_SPACE`.
    int space(int length) {
        return data + (int) aligned(length);
    }

    /// Writes the head of a message of control data, for `length` bytes of it.
    void put(long at, int level, int type, int length) {
        long whole = data + (long) length;
        if (wide) {
            Memory.putLong(at, whole);
        } else {
            Memory.putInt(at, (int) whole);
        }
        Memory.putInt(at + head() - 8, level);
        Memory.putInt(at + head() - 4, type);
    }

    /// Returns the message of control data that follows the one at `at`, or the first one if that
    /// is 0; 0 if there is none.
    long next(long header, long at) {
        long control = Memory.getLong(header + Sockets.MSGHDR_CONTROL);
        long end = control + controlLength(header);
        long next = at == 0 ? control : at + Math.max(aligned(whole(at)), head());
        if (next < control || next + head() > end) {
            return 0;
        }
        long length = whole(next);
        return length >= head() && length <= end - next ? next : 0;
    }

    private long whole(long at) {
        return wide ? Memory.getLong(at) : Integer.toUnsignedLong(Memory.getInt(at));
    }

    int level(long at) {
        return Memory.getInt(at + head() - 8);
    }

    int type(long at) {
        return Memory.getInt(at + head() - 4);
    }

    /// Returns the number of bytes of data in the message of control data at `at`.
    int length(long at) {
        return (int) Math.max(whole(at) - data, 0);
    }

    /// Returns the number of bytes of control data that a message header has.
    long controlLength(long header) {
        long at = header + Sockets.MSGHDR_CONTROLLEN;
        return wide ? Memory.getLong(at) : Integer.toUnsignedLong(Memory.getInt(at));
    }

    /// Returns `msg_flags`, in numbers of this system.
    int flags(long header) {
        return Memory.getInt(header + flags);
    }
}
