package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Tty;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A pseudo-terminal: a serial port for the code under test, whose other end the test holds.
final class Pty implements AutoCloseable {
    private static final int SIZE = 64 << 10;

    private final int master;
    private final long memory = Memory.allocate(SIZE, 8);
    private boolean closed;

    Pty() {
        byte[] name = "/dev/ptmx\0".getBytes(StandardCharsets.US_ASCII);
        Memory.copy(name, 0, memory, name.length);
        master = Libc.open(memory, Libc.O_RDWR | Libc.O_NOCTTY | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
        assertThat(master).as("/dev/ptmx").isNotNegative();
        assertThat(Tty.tell(master, Tty.TIOCSPTLCK, 0)).isZero();
    }

    SerialAddress address() {
        return SerialAddress.of("/dev/pts/" + Tty.ask(master, Tty.TIOCGPTN));
    }

    /// Writes as many of the bytes as there is room for.
    int offer(byte[] bytes, int from) {
        int length = Math.min(bytes.length - from, SIZE);
        Memory.copy(bytes, from, memory, length);
        int written = (int) Libc.write(master, memory, length);
        assertThat(written)
                .satisfiesAnyOf(
                        count -> assertThat(count).isNotNegative(),
                        error -> assertThat(error).isEqualTo(-Errno.EAGAIN));
        return Math.max(written, 0);
    }

    void write(byte[] bytes) {
        long deadline = deadline();
        for (int from = 0; from < bytes.length; ) {
            int written = offer(bytes, from);
            from += written;
            if (written == 0) {
                pause(deadline);
            }
        }
    }

    void write(String text) {
        write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    byte[] read(int length) {
        long deadline = deadline();
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            int read = (int) Libc.read(master, memory, Math.min(SIZE, length - count));
            if (read > 0) {
                Memory.copy(memory, bytes, count, read);
                count += read;
            } else {
                // EIO: nobody has the other end open, at the moment or any longer.
                assertThat(read).isIn(-Errno.EAGAIN, -Errno.EIO);
                pause(deadline);
            }
        }
        return Arrays.copyOf(bytes, count);
    }

    String readText(int length) {
        return new String(read(length), StandardCharsets.ISO_8859_1);
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private static void pause(long deadline) {
        assertThat(System.nanoTime() - deadline).as("waited in vain").isNegative();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }

    /// Waits until so many bytes are there to be read from the port.
    void awaitInput(int count) {
        byte[] name = (address().device() + "\0").getBytes(StandardCharsets.US_ASCII);
        Memory.copy(name, 0, memory, name.length);
        int port = Libc.open(memory, Libc.O_RDWR | Libc.O_NOCTTY | Libc.O_CLOEXEC);
        assertThat(port).isNotNegative();
        long deadline = deadline();
        while (Tty.ask(port, Tty.FIONREAD) != count) {
            pause(deadline);
        }
        Libc.close(port);
    }

    /// Hangs up.
    void hangUp() {
        if (!closed) {
            closed = true;
            Libc.close(master);
        }
    }

    @Override
    public void close() {
        hangUp();
        Memory.free(memory, SIZE);
    }
}
