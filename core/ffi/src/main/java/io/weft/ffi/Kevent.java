package io.weft.ffi;

/// `struct kevent` of a system, and the numbers that go into it
/// ([kqueue(2)](https://man.freebsd.org/cgi/man.cgi?query=kqueue)).
///
/// @param size of the structure; what lies behind the members below is zero
/// @param userFilter the number of `EVFILT_USER`
public record Kevent(int size, int userFilter) {
    /// macOS on both of its processors: `bsd/sys/event.h` of xnu, packed to 4 bytes.
    public static final Kevent MACOS = new Kevent(32, -10);

    /// FreeBSD 12 and later, on 64-bit processors: `sys/sys/event.h`, with `ext[4]`.
    public static final Kevent FREEBSD = new Kevent(64, -11);

    /// The library that has kqueue on Linux.
    public static final Kevent LIBKQUEUE = new Kevent(32, -11);

    public static final int EVFILT_READ = -1;
    public static final int EVFILT_WRITE = -2;

    public static final int EV_ADD = 0x1;
    public static final int EV_DELETE = 0x2;
    public static final int EV_ENABLE = 0x4;
    public static final int EV_DISABLE = 0x8;
    public static final int EV_ONESHOT = 0x10;
    public static final int EV_CLEAR = 0x20;
    public static final int EV_RECEIPT = 0x40;
    public static final int EV_DISPATCH = 0x80;
    public static final int EV_ERROR = 0x4000;
    public static final int EV_EOF = 0x8000;

    public static final int NOTE_LOWAT = 0x1;
    public static final int NOTE_TRIGGER = 0x100_0000;

    // The members' offsets are the same everywhere.
    public static final int IDENT = 0;
    public static final int FILTER = 8;
    public static final int FLAGS = 10;
    public static final int FFLAGS = 12;
    public static final int DATA = 16;
    public static final int UDATA = 24;

    /// Writes an event at `at`.
    public void put(long at, long ident, int filter, int flags, int fflags, long udata) {
        Memory.fill(at, size, (byte) 0);
        Memory.putLong(at + IDENT, ident);
        Memory.putShort(at + FILTER, (short) filter);
        Memory.putShort(at + FLAGS, (short) flags);
        Memory.putInt(at + FFLAGS, fflags);
        Memory.putLong(at + UDATA, udata);
    }

    /// Returns the address of element `index` of an array.
    public long element(long array, int index) {
        return array + (long) index * size;
    }

    public static long ident(long at) {
        return Memory.getLong(at + IDENT);
    }

    public static int filter(long at) {
        return Memory.getShort(at + FILTER);
    }

    public static int flags(long at) {
        return Short.toUnsignedInt(Memory.getShort(at + FLAGS));
    }

    public static int fflags(long at) {
        return Memory.getInt(at + FFLAGS);
    }

    public static long data(long at) {
        return Memory.getLong(at + DATA);
    }

    public static long udata(long at) {
        return Memory.getLong(at + UDATA);
    }
}
