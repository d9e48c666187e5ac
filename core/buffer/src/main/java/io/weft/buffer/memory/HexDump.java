package io.weft.buffer.memory;

import io.weft.ffi.Memory;
import java.util.HexFormat;

/// Lines of sixteen bytes: offset, hexadecimal, and what of them is printable ASCII.
public final class HexDump {
    private static final int WIDTH = 16;
    private static final HexFormat HEX = HexFormat.of();

    private HexDump() {}

    public static String of(long address, int length) {
        StringBuilder out = new StringBuilder();
        for (int line = 0; line < length; line += WIDTH) {
            int end = Math.min(WIDTH, length - line);
            out.append(HEX.toHexDigits(line)).append(' ');
            for (int i = 0; i < WIDTH; i++) {
                out.append(i == WIDTH / 2 ? "  " : " ");
                out.append(i < end ? HEX.toHexDigits(Memory.getByte(address + line + i)) : "  ");
            }
            out.append("  |");
            for (int i = 0; i < end; i++) {
                byte b = Memory.getByte(address + line + i);
                out.append(b >= ' ' && b < 0x7F ? (char) b : '.');
            }
            out.append("|\n");
        }
        return out.toString();
    }
}
