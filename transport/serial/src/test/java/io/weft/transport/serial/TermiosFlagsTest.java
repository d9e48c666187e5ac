package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Memory;
import io.weft.ffi.Termios2;
import io.weft.ffi.Tty;
import io.weft.transport.serial.SerialLine.FlowControl;
import io.weft.transport.serial.SerialLine.Parity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Settings of lines as the kernel has them.
class TermiosFlagsTest {
    private final long at = Memory.allocate(Termios2.SIZE, 8);

    @AfterEach
    void free() {
        Memory.free(at, Termios2.SIZE);
    }

    private int flags(int offset) {
        return Memory.getInt(at + offset);
    }

    @Test
    void everyLineIsReadAsItWasWritten() {
        for (byte before : new byte[] {0, -1, 0x5A}) {
            for (int dataBits = 5; dataBits <= 8; dataBits++) {
                for (Parity parity : Parity.values()) {
                    for (FlowControl flow : FlowControl.values()) {
                        for (int speed : new int[] {0, 1, 50, 9600, 12_345, 4_000_000}) {
                            check(before, new SerialLine(speed, dataBits, parity, 1, flow));
                            check(before, new SerialLine(speed, dataBits, parity, 2, flow));
                        }
                    }
                }
            }
        }
    }

    private void check(byte before, SerialLine line) {
        Memory.fill(at, Termios2.SIZE, before);
        TermiosFlags.put(at, line, false, true);
        assertThat(TermiosFlags.line(at)).isEqualTo(line);
    }

    /// As `stty raw` and `cfmakeraw` do it.
    @Test
    void bytesPassAsTheyAre() {
        Memory.fill(at, Termios2.SIZE, (byte) -1);
        TermiosFlags.put(at, SerialLine.DEFAULT, false, false);
        int changing = Tty.ISTRIP | Tty.INLCR | Tty.IGNCR | Tty.ICRNL | Tty.PARMRK | Tty.BRKINT;
        assertThat(flags(Termios2.C_IFLAG) & (changing | Tty.IXON | Tty.IXOFF)).isZero();
        assertThat(flags(Termios2.C_OFLAG)).isZero();
        assertThat(flags(Termios2.C_LFLAG)).isZero();
        assertThat(Memory.getByte(at + Termios2.C_CC + Tty.VMIN)).isEqualTo((byte) 1);
        assertThat(Memory.getByte(at + Termios2.C_CC + Tty.VTIME)).isZero();
        assertThat(flags(Termios2.C_CFLAG) & Tty.CREAD).isNotZero();
    }

    @Test
    void carrierAndHangUpAreFlags() {
        Memory.fill(at, Termios2.SIZE, (byte) 0);
        TermiosFlags.put(at, SerialLine.DEFAULT, true, true);
        assertThat(flags(Termios2.C_CFLAG) & (Tty.CLOCAL | Tty.HUPCL)).isEqualTo(Tty.HUPCL);
        TermiosFlags.put(at, SerialLine.DEFAULT, false, false);
        assertThat(flags(Termios2.C_CFLAG) & (Tty.CLOCAL | Tty.HUPCL)).isEqualTo(Tty.CLOCAL);
    }

    @Test
    void speedZeroHangsUp() {
        Memory.fill(at, Termios2.SIZE, (byte) -1);
        TermiosFlags.put(at, SerialLine.DEFAULT.withSpeed(0), false, true);
        assertThat(flags(Termios2.C_CFLAG) & Tty.CBAUD).isZero(); // B0
    }
}
