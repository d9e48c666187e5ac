package io.weft.transport.serial;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The settings of a serial line, which both ends have to agree on.
///
/// @param speed bits a second, also such as no table has; 0 hangs up: DTR and RTS are dropped. A
///     driver takes the nearest speed that its hardware has
/// @param dataBits of one character, 5 to 8
/// @param parity of one character
/// @param stopBits 1 or 2; with five data bits the hardware may make 1.5 of 2
/// @param flowControl of both directions
public record SerialLine(
        int speed, int dataBits, Parity parity, int stopBits, FlowControl flowControl) {
    /// 9600 bits a second, 8 data bits, no parity, 1 stop bit, no flow control.
    public static final SerialLine DEFAULT =
            new SerialLine(9600, 8, Parity.NONE, 1, FlowControl.NONE);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}),([5-8])([NEOMS])([12])");

    /// The bit behind those of the character. A character that arrives with a wrong one is read as
    /// a zero byte.
    public enum Parity {
        NONE,
        EVEN,
        ODD,
        /// The bit is always 1.
        MARK,
        /// The bit is always 0.
        SPACE
    }

    /// A way for a side to stop the other one.
    public enum FlowControl {
        NONE,
        /// By the lines RTS and CTS.
        RTS_CTS,
        /// By the bytes 0x11 (XON) and 0x13 (XOFF), which the content must not have then.
        XON_XOFF
    }

    public SerialLine {
        if (speed < 0) {
            throw new IllegalArgumentException("speed: " + speed + " (expected: >= 0)");
        }
        if (dataBits < 5 || dataBits > 8) {
            throw new IllegalArgumentException("dataBits: " + dataBits + " (expected: 5 to 8)");
        }
        if (stopBits < 1 || stopBits > 2) {
            throw new IllegalArgumentException("stopBits: " + stopBits + " (expected: 1 or 2)");
        }
    }

    /// Reads what [#toString] writes, without flow control: `115200,8N1`.
    ///
    /// @throws IllegalArgumentException if it is malformed
    public static SerialLine parse(String text) {
        Matcher parts = TEXT.matcher(text.toUpperCase(Locale.ROOT));
        if (!parts.matches()) {
            throw new IllegalArgumentException("line: " + text + " (expected: as in 115200,8N1)");
        }
        Parity parity =
                switch (parts.group(3)) {
                    case "E" -> Parity.EVEN;
                    case "O" -> Parity.ODD;
                    case "M" -> Parity.MARK;
                    case "S" -> Parity.SPACE;
                    default -> Parity.NONE;
                };
        return new SerialLine(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                parity,
                Integer.parseInt(parts.group(4)),
                FlowControl.NONE);
    }

    public SerialLine withSpeed(int bitsPerSecond) {
        return new SerialLine(bitsPerSecond, dataBits, parity, stopBits, flowControl);
    }

    public SerialLine withDataBits(int bits) {
        return new SerialLine(speed, bits, parity, stopBits, flowControl);
    }

    public SerialLine withParity(Parity bit) {
        return new SerialLine(speed, dataBits, bit, stopBits, flowControl);
    }

    public SerialLine withStopBits(int bits) {
        return new SerialLine(speed, dataBits, parity, bits, flowControl);
    }

    public SerialLine withFlowControl(FlowControl way) {
        return new SerialLine(speed, dataBits, parity, stopBits, way);
    }

    /// As it is usually written: `115200,8N1`, with flow control `115200,8N1,RTS_CTS`.
    @Override
    public String toString() {
        String text = speed + "," + dataBits + parity.name().charAt(0) + stopBits;
        return flowControl == FlowControl.NONE ? text : text + "," + flowControl;
    }
}
