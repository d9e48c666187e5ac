package io.weft.transport.posix;

import io.weft.engine.FileRegion;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import java.nio.charset.StandardCharsets;

/// A file that an engine has opened for calls of its own, as the JDK does not tell descriptors of
/// files.
///
/// @param fd closed with the region that it was opened for
public record OpenFile(int fd) implements AutoCloseable {
    /// Bytes of a file that one stream sends before others get their turn.
    private static final int MAX_SEND = 1 << 20;

    /// A descriptor of the region's file; negative when it has to be read through the JDK: its path
    /// leads elsewhere by now, or cannot be opened a second time.
    public static int of(FileRegion region) {
        if (region.descriptor() instanceof OpenFile open) {
            return open.fd;
        }
        int fd = open(region.path().toString());
        if (fd >= 0 && !region.isAtPath()) {
            Libc.close(fd);
            return -1;
        }
        if (fd >= 0) {
            region.descriptor(new OpenFile(fd));
        }
        return fd;
    }

    /// Returns how much of a region one [#send] is asked for.
    public static int offered(FileRegion region) {
        return (int) Math.min(region.remaining(), MAX_SEND);
    }

    /// Sends a part of a file with `sendfile`, from where the region stands.
    ///
    /// @param file as [#of] returned
    /// @param length as [#offered] returned
    /// @param memory 8 bytes that this may write to
    /// @return bytes sent, 0 at the end of the file, or -errno, which is never `EINTR`
    public static int send(int socket, int file, FileRegion region, int length, long memory) {
        long result;
        do {
            Memory.putLong(memory, region.position());
            result = Libc.sendfile(socket, file, memory, length);
        } while (result == -Errno.EINTR);
        return (int) result;
    }

    private static int open(String path) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        int size = name.length + 1;
        long at = Memory.allocate(size, 8);
        try {
            Memory.copy(name, 0, at, name.length);
            Memory.putByte(at + name.length, (byte) 0);
            return Libc.open(at, Libc.O_RDONLY | Libc.O_CLOEXEC);
        } finally {
            Memory.free(at, size);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
