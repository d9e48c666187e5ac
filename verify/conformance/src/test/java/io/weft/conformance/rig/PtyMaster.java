package io.weft.conformance.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Tty;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// The end of a pseudo-terminal that stands for the device at the other end of a serial line.
final class PtyMaster implements AutoCloseable {
    private static final int SIZE = 4096;

    private final int fd;
    private final long memory = Memory.allocate(SIZE, 8);
    private boolean hungUp;

    PtyMaster() {
        byte[] name = "/dev/ptmx\0".getBytes(StandardCharsets.US_ASCII);
        Memory.copy(name, 0, memory, name.length);
        fd = Libc.open(memory, Libc.O_RDWR | Libc.O_NOCTTY | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
        assertThat(fd).as("/dev/ptmx").isNotNegative();
        assertThat(Tty.tell(fd, Tty.TIOCSPTLCK, 0)).isZero();
    }

    /// The device whose port is the other end.
    String device() {
        return "/dev/pts/" + Tty.ask(fd, Tty.TIOCGPTN);
    }

    /// @param text few bytes, for which there is room
    void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Memory.copy(bytes, 0, memory, bytes.length);
        assertThat(Libc.write(fd, memory, bytes.length)).isEqualTo(bytes.length);
    }

    /// Returns so many bytes, or those that came until the other end was closed.
    String read(int length) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Rig.awaitTrue("bytes on the line", () -> readSome(all, length));
        return all.toString(StandardCharsets.UTF_8);
    }

    /// @return true if there is no more to be waited for
    private boolean readSome(ByteArrayOutputStream all, int length) {
        int read = (int) Libc.read(fd, memory, Math.min(SIZE, length - all.size()));
        if (read > 0) {
            byte[] bytes = new byte[read];
            Memory.copy(memory, bytes, 0, read);
            all.writeBytes(bytes);
        } else {
            assertThat(read).isIn(-Errno.EAGAIN, -Errno.EIO);
        }
        return read == -Errno.EIO || all.size() == length;
    }

    /// Ends the line for the other end, too.
    void hangUp() {
        if (!hungUp) {
            hungUp = true;
            Libc.close(fd);
        }
    }

    @Override
    public void close() {
        hangUp();
        Memory.free(memory, SIZE);
    }
}
