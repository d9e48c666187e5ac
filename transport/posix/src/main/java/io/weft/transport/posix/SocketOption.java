package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.RawOption;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One option as the kernel sets and reports it.
///
/// @param kinds of sockets that have it
/// @param setter null when it can only be read
/// @param getter null when it can only be set
record SocketOption<T>(
        Set<SocketKind> kinds, @Nullable Setter<T> setter, @Nullable Getter<T> getter) {
    interface Setter<T> {
        /// Sets the option.
        ///
        /// @return the result of `setsockopt`
        int set(int fd, T value);
    }

    interface Getter<T> {
        T get(int fd, ChannelOption<T> option) throws IOException;
    }

    boolean isOf(SocketKind kind) {
        return kinds.contains(kind);
    }

    boolean isReadOnly() {
        return setter == null;
    }

    int set(int fd, T value) {
        if (setter == null) {
            throw new UnsupportedOperationException("can only be read");
        }
        return setter.set(fd, value);
    }

    T get(int fd, ChannelOption<T> option) throws IOException {
        if (getter == null) {
            throw new UnsupportedOperationException(option + ": cannot be read");
        }
        return getter.get(fd, option);
    }

    static SocketOption<Integer> number(Set<SocketKind> kinds, int level, int number) {
        return new SocketOption<>(
                kinds,
                (fd, value) -> Sockets.setOption(fd, level, number, value),
                (fd, option) -> getInt(fd, level, number, option));
    }

    static SocketOption<Boolean> flag(Set<SocketKind> kinds, int level, int number) {
        return new SocketOption<>(
                kinds,
                (fd, value) -> Sockets.setOption(fd, level, number, value ? 1 : 0),
                (fd, option) -> getInt(fd, level, number, option) != 0);
    }

    static int getInt(int fd, int level, int number, ChannelOption<?> option) throws IOException {
        long value = Sockets.getOption(fd, level, number);
        SocketOptions.check(value, "getsockopt", option);
        return (int) value;
    }

    static SocketOption<?> raw(ChannelOption<?> option, RawOption raw) {
        int level = Sockets.systemLevel(raw.level());
        return option.isInt()
                ? number(SocketKind.ALL, level, raw.number())
                : bytes(SocketKind.ALL, level, raw.number(), raw.length());
    }

    static SocketOption<byte[]> bytes(Set<SocketKind> kinds, int level, int number, int length) {
        return new SocketOption<>(
                kinds,
                (fd, value) -> setBytes(fd, level, number, value),
                (fd, option) -> getBytes(fd, level, number, length, option));
    }

    static int setBytes(int fd, int level, int number, byte[] value) {
        long at = Memory.allocate(Math.max(value.length, 1), 8);
        try {
            Memory.copy(value, 0, at, value.length);
            return Sockets.setsockopt(fd, level, number, at, value.length);
        } finally {
            Memory.free(at, Math.max(value.length, 1));
        }
    }

    static byte[] getBytes(int fd, int level, int number, int length, ChannelOption<?> option)
            throws IOException {
        int room = ((length + 7) & -8) + 8;
        long at = Memory.allocate(room, 8);
        try {
            Memory.fill(at, room, (byte) 0);
            long lengthAt = at + room - 8;
            Memory.putInt(lengthAt, length);
            SocketOptions.check(
                    Sockets.getsockopt(fd, level, number, at, lengthAt), "getsockopt", option);
            byte[] value = new byte[Math.min(Memory.getInt(lengthAt), length)];
            Memory.copy(at, value, 0, value.length);
            return value;
        } finally {
            Memory.free(at, room);
        }
    }
}
