package io.weft.transport.sctp;

import io.weft.engine.ChannelOption;
import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// One option as the kernel sets and reports it: a structure.
///
/// @param number of the option
/// @param size of the structure in bytes
/// @param reader null where it can only be set
/// @param writer null where it can only be read
record Setting<T>(int number, int size, @Nullable Reader<T> reader, @Nullable Writer<T> writer) {
    /// Reads a structure.
    interface Reader<T> {
        T read(long at);
    }

    /// Writes a structure, of which all bytes are zero before.
    interface Writer<T> {
        void write(T value, long at);
    }

    T get(int fd, ChannelOption<T> option) throws IOException {
        if (reader == null) {
            throw new UnsupportedOperationException(option + ": can only be set");
        }
        int room = (size + 7) & -8;
        long at = Memory.allocate(room + 8, 8);
        try {
            Memory.fill(at, room, (byte) 0);
            Memory.putInt(at + room, size);
            check(
                    Sockets.getsockopt(fd, Sctp.IPPROTO_SCTP, number, at, at + room),
                    "getsockopt",
                    option);
            return reader.read(at);
        } finally {
            Memory.free(at, room + 8);
        }
    }

    void set(int fd, ChannelOption<T> option, T value) throws IOException {
        if (writer == null) {
            throw new UnsupportedOperationException(option + ": can only be read");
        }
        long at = Memory.allocate(size, 8);
        try {
            Memory.fill(at, size, (byte) 0);
            writer.write(value, at);
            check(
                    Sockets.setsockopt(fd, Sctp.IPPROTO_SCTP, number, at, size),
                    "setsockopt",
                    option);
        } finally {
            Memory.free(at, size);
        }
    }

    static void check(int result, String call, ChannelOption<?> option) throws SocketException {
        if (result < 0) {
            throw new SocketException(call + " " + option + ": " + Errno.describe(-result));
        }
    }
}
