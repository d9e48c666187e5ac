package io.weft.transport.serial;

import io.weft.ffi.Memory;
import io.weft.ffi.Termios2;
import io.weft.ffi.Tty;
import io.weft.transport.serial.SerialLine.FlowControl;
import io.weft.transport.serial.SerialLine.Parity;

/// The settings of a line as flags of `struct termios2`.
final class TermiosFlags {
    /// 0x11 and 0x13 of ASCII: DC1 and DC3.
    private static final byte XON = 0x11;

    private static final byte XOFF = 0x13;

    /// Flags of the input that would change, drop or act on bytes.
    private static final int COOKED_INPUT =
            Tty.IGNBRK
                    | Tty.BRKINT
                    | Tty.IGNPAR
                    | Tty.PARMRK
                    | Tty.INPCK
                    | Tty.ISTRIP
                    | Tty.INLCR
                    | Tty.IGNCR
                    | Tty.ICRNL
                    | Tty.IXON
                    | Tty.IXANY
                    | Tty.IXOFF;

    private static final int FRAME =
            Tty.CSIZE | Tty.CSTOPB | Tty.PARENB | Tty.PARODD | Tty.CMSPAR | Tty.CRTSCTS;

    private static final int SPEEDS = Tty.CBAUD | Tty.CBAUD << Tty.IBSHIFT;

    private TermiosFlags() {}

    /// Changes the settings at `at` so that bytes pass as they are, and the line is as told.
    ///
    /// @param carrier whether the modem line DCD is obeyed
    /// @param hangUp whether the last close drops DTR and RTS
    static void put(long at, SerialLine line, boolean carrier, boolean hangUp) {
        int input = Memory.getInt(at + Termios2.C_IFLAG) & ~COOKED_INPUT;
        if (line.parity() != Parity.NONE) {
            input |= Tty.INPCK;
        }
        if (line.flowControl() == FlowControl.XON_XOFF) {
            input |= Tty.IXON | Tty.IXOFF;
        }
        Memory.putInt(at + Termios2.C_IFLAG, input);
        Memory.putInt(at + Termios2.C_OFLAG, 0); // no processing of output
        Memory.putInt(at + Termios2.C_LFLAG, 0); // no lines, no echo, no signals
        int control = Memory.getInt(at + Termios2.C_CFLAG) & ~(FRAME | SPEEDS);
        control &= ~(Tty.CLOCAL | Tty.HUPCL);
        control |= Tty.CREAD | (carrier ? 0 : Tty.CLOCAL) | (hangUp ? Tty.HUPCL : 0);
        // B0, which hangs up, is 0; with BOTHER the numbers below count.
        control |= frame(line) | (line.speed() == 0 ? 0 : Tty.BOTHER);
        Memory.putInt(at + Termios2.C_CFLAG, control);
        Memory.putByte(at + Termios2.C_CC + Tty.VMIN, (byte) 1);
        Memory.putByte(at + Termios2.C_CC + Tty.VTIME, (byte) 0);
        Memory.putByte(at + Termios2.C_CC + Tty.VSTART, XON);
        Memory.putByte(at + Termios2.C_CC + Tty.VSTOP, XOFF);
        Memory.putInt(at + Termios2.C_ISPEED, line.speed());
        Memory.putInt(at + Termios2.C_OSPEED, line.speed());
    }

    private static int frame(SerialLine line) {
        int flags =
                switch (line.dataBits()) {
                    case 5 -> Tty.CS5;
                    case 6 -> Tty.CS6;
                    case 7 -> Tty.CS7;
                    default -> Tty.CS8;
                };
        flags |=
                switch (line.parity()) {
                    case NONE -> 0;
                    case EVEN -> Tty.PARENB;
                    case ODD -> Tty.PARENB | Tty.PARODD;
                    case SPACE -> Tty.PARENB | Tty.CMSPAR;
                    case MARK -> Tty.PARENB | Tty.CMSPAR | Tty.PARODD;
                };
        flags |= line.stopBits() == 2 ? Tty.CSTOPB : 0;
        return flags | (line.flowControl() == FlowControl.RTS_CTS ? Tty.CRTSCTS : 0);
    }

    /// Reads the line that the settings at `at` describe.
    static SerialLine line(long at) {
        int control = Memory.getInt(at + Termios2.C_CFLAG);
        int dataBits =
                switch (control & Tty.CSIZE) {
                    case Tty.CS5 -> 5;
                    case Tty.CS6 -> 6;
                    case Tty.CS7 -> 7;
                    default -> 8;
                };
        boolean odd = (control & Tty.PARODD) != 0;
        Parity parity;
        if ((control & Tty.PARENB) == 0) {
            parity = Parity.NONE;
        } else if ((control & Tty.CMSPAR) != 0) {
            parity = odd ? Parity.MARK : Parity.SPACE;
        } else {
            parity = odd ? Parity.ODD : Parity.EVEN;
        }
        FlowControl flow = FlowControl.NONE;
        if ((control & Tty.CRTSCTS) != 0) {
            flow = FlowControl.RTS_CTS;
        } else if ((Memory.getInt(at + Termios2.C_IFLAG) & Tty.IXON) != 0) {
            flow = FlowControl.XON_XOFF;
        }
        int speed = (control & Tty.CBAUD) == 0 ? 0 : Memory.getInt(at + Termios2.C_OSPEED);
        return new SerialLine(
                Math.max(speed, 0), dataBits, parity, (control & Tty.CSTOPB) != 0 ? 2 : 1, flow);
    }
}
