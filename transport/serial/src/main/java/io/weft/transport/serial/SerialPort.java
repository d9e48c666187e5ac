package io.weft.transport.serial;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Termios2;
import io.weft.ffi.Tty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// The descriptor of an open port, and its settings in the kernel.
final class SerialPort {
    private final String device;
    private final int fd;

    private SerialPort(String device, int fd) {
        this.device = device;
        this.fd = fd;
    }

    /// Opens a device without waiting for a carrier, and checks that it is a terminal.
    ///
    /// @param exclusive whether to fail if another holds the device, and to hold it
    /// @throws IOException a [NoSuchFileException], [AccessDeniedException] or another
    ///     [FileSystemException], which name the device; nothing is left open then
    static SerialPort open(String device, boolean exclusive) throws IOException {
        byte[] name = (device + "\0").getBytes(StandardCharsets.UTF_8);
        long at = Memory.allocate(name.length, 8);
        int fd;
        try {
            Memory.copy(name, 0, at, name.length);
            fd = Libc.open(at, Libc.O_RDWR | Libc.O_NOCTTY | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
        } finally {
            Memory.free(at, name.length);
        }
        if (fd < 0) {
            throw failure(device, -fd, "open");
        }
        SerialPort port = new SerialPort(device, fd);
        try {
            port.check(Tty.ioctl(fd, Tty.TIOCNXCL, 0), "TIOCNXCL"); // as on any terminal
            if (exclusive) {
                port.lock();
            }
            return port;
        } catch (Throwable t) {
            Libc.close(fd);
            throw t;
        }
    }

    private void lock() throws IOException {
        int locked = Libc.flock(fd, Libc.LOCK_EX | Libc.LOCK_NB);
        if (locked == -Errno.EAGAIN) {
            throw failure(device, Errno.EBUSY, "flock");
        }
        check(locked, "flock");
        check(Tty.ioctl(fd, Tty.TIOCEXCL, 0), "TIOCEXCL");
    }

    private void check(long result, String call) throws IOException {
        if (result < 0) {
            throw failure(device, (int) -result, call);
        }
    }

    private static IOException failure(String device, int errno, String call) {
        String reason = call + ": " + Errno.describe(errno);
        return switch (errno) {
            case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO ->
                    new NoSuchFileException(device, null, reason);
            case Errno.EACCES, Errno.EPERM -> new AccessDeniedException(device, null, reason);
            case Errno.EBUSY ->
                    new FileSystemException(
                            device, null, reason + ": another program has the port");
            case Errno.ENOTTY, Errno.EINVAL ->
                    new FileSystemException(device, null, reason + " (expected: a serial port)");
            default -> new FileSystemException(device, null, reason);
        };
    }

    int fd() {
        return fd;
    }

    String device() {
        return device;
    }

    // ---- settings ----

    /// Work on a `struct termios2`.
    private interface Settings<T> {
        T at(long termios) throws IOException;
    }

    private <T> T settings(Settings<T> work) throws IOException {
        long at = Memory.allocate(Termios2.SIZE, 8);
        try {
            check(Tty.ioctl(fd, Tty.TCGETS2, at), "TCGETS2");
            return work.at(at);
        } finally {
            Memory.free(at, Termios2.SIZE);
        }
    }

    /// Sets the line, raw: bytes pass as they are.
    void line(SerialLine line, boolean carrier, boolean hangUp) throws IOException {
        int _ =
                settings(
                        at -> {
                            TermiosFlags.put(at, line, carrier, hangUp);
                            int result = Tty.ioctl(fd, Tty.TCSETS2, at);
                            check(result, "set line to " + line);
                            return result;
                        });
    }

    SerialLine line() throws IOException {
        return settings(TermiosFlags::line);
    }

    // ---- modem lines ----

    /// Raises or drops one of `TIOCM_DTR` and `TIOCM_RTS`.
    void raise(int line, boolean up) throws IOException {
        check(Tty.tell(fd, up ? Tty.TIOCMBIS : Tty.TIOCMBIC, line), up ? "TIOCMBIS" : "TIOCMBIC");
    }

    ModemLines modemLines() throws IOException {
        long up = Tty.ask(fd, Tty.TIOCMGET);
        check(up, "TIOCMGET");
        return new ModemLines(
                (up & Tty.TIOCM_DTR) != 0,
                (up & Tty.TIOCM_RTS) != 0,
                (up & Tty.TIOCM_DSR) != 0,
                (up & Tty.TIOCM_CTS) != 0,
                (up & Tty.TIOCM_CAR) != 0,
                (up & Tty.TIOCM_RNG) != 0);
    }

    void breakCondition(boolean on) throws IOException {
        check(Tty.ioctl(fd, on ? Tty.TIOCSBRK : Tty.TIOCCBRK, 0), on ? "TIOCSBRK" : "TIOCCBRK");
    }

    // ---- the end ----

    /// Returns the number of bytes that were written and have not been sent; 0 also if the port
    /// cannot tell.
    long unsent() {
        return Math.max(0, Tty.ask(fd, Tty.TIOCOUTQ));
    }

    /// Closes the descriptor without waiting: bytes that have not been sent are thrown away, as the
    /// kernel would wait for them, up to 30 s.
    void close() {
        if (unsent() > 0) {
            int _ = Tty.ioctl(fd, Tty.TCFLSH, Tty.TCOFLUSH);
        }
        // The engine may hold the port a little longer than this descriptor.
        int _ = Tty.ioctl(fd, Tty.TIOCNXCL, 0);
        int _ = Libc.flock(fd, Libc.LOCK_UN);
        int _ = Libc.close(fd);
    }

    @Override
    public String toString() {
        return "serial port " + device;
    }
}
