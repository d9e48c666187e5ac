package io.weft.codec.memcache;

import static io.weft.codec.memcache.MemcacheFault.BODY;
import static io.weft.codec.memcache.MemcacheFault.DATA_END;
import static io.weft.codec.memcache.MemcacheFault.DATA_TYPE;
import static io.weft.codec.memcache.MemcacheFault.EMPTY;
import static io.weft.codec.memcache.MemcacheFault.KEY_LIMIT;
import static io.weft.codec.memcache.MemcacheFault.LENGTH;
import static io.weft.codec.memcache.MemcacheFault.LINE_END;
import static io.weft.codec.memcache.MemcacheFault.LINE_LIMIT;
import static io.weft.codec.memcache.MemcacheFault.MAGIC;
import static io.weft.codec.memcache.MemcacheFault.VALUE_LIMIT;

import java.util.List;

/// Streams that break a rule, each with the fault that it has.
final class Malformed {
    record Vector(MemcacheFault fault, String wire) {
        @Override
        public String toString() {
            String escaped = wire.replaceAll("[^\\x20-\\x7E]", ".");
            return fault + " " + escaped.substring(0, Math.min(50, escaped.length()));
        }
    }

    private Malformed() {}

    private static Vector of(MemcacheFault fault, String wire) {
        return new Vector(fault, wire);
    }

    private static String header(int magic, int key, int extras, int type, long body) {
        StringBuilder header = new StringBuilder();
        int[] bytes = {
            magic,
            0,
            key >> 8,
            key & 255,
            extras,
            type,
            0,
            0,
            (int) (body >> 24) & 255,
            (int) (body >> 16) & 255,
            (int) (body >> 8) & 255,
            (int) body & 255
        };
        for (int b : bytes) {
            header.append((char) b);
        }
        return header + "\0".repeat(12);
    }

    static List<Vector> requests() {
        return List.of(
                of(EMPTY, "\r\n"),
                of(EMPTY, "\n"),
                of(EMPTY, "   \r\n"),
                of(EMPTY, "get a\r\n\r\n"),
                of(LINE_END, "get a\rb\r\n"),
                of(LINE_END, "get a\0b\r\n"),
                of(LINE_END, "\r\r\n"),
                of(LENGTH, "set a 0 0 x\r\n"),
                of(LENGTH, "set a 0 0 -1\r\n"),
                of(LENGTH, "set a 0 0 +1\r\n"),
                of(LENGTH, "set a 0 0 1x\r\n"),
                of(LENGTH, "cas a 0 0 0x1 1\r\n"),
                of(LENGTH, "ms a -1\r\n"),
                of(LENGTH, "ms a T0\r\n"),
                of(LENGTH, "append a 0 0 99999999999\r\n"),
                of(LENGTH, "prepend a 0 0 18446744073709551617\r\n"),
                of(DATA_END, "set a 0 0 3\r\nabcd\r\n"),
                of(DATA_END, "set a 0 0 3\r\nabc\n"),
                of(DATA_END, "add a 0 0 0\r\nx"),
                of(DATA_END, "ms a 2\r\nabc\r\n"),
                of(DATA_END, "replace a 0 0 1001\r\n" + "x".repeat(1002)),
                of(LINE_LIMIT, "x".repeat(302)),
                of(LINE_LIMIT, "get " + "x".repeat(297) + "\r\n"),
                of(LINE_LIMIT, "get " + "x".repeat(297) + "\n"),
                of(VALUE_LIMIT, "set a 0 0 5001\r\n"),
                of(VALUE_LIMIT, "set a 0 0 4294967295\r\n"),
                of(VALUE_LIMIT, "ms a 9999999999\r\n"),
                of(MAGIC, header(0x80, 0, 0, 0, 0) + "get a\r\n"),
                of(MAGIC, header(0x80, 0, 0, 0, 0) + header(0x81, 0, 0, 0, 0)),
                of(BODY, header(0x80, 1, 0, 0, 0)),
                of(BODY, header(0x80, 0, 8, 0, 7)),
                of(BODY, header(0x80, 200, 255, 0, 454)),
                of(BODY, header(0x80, 0xFFFF, 0, 0, 0xFFFE)),
                of(DATA_TYPE, header(0x80, 0, 0, 1, 0)),
                of(DATA_TYPE, header(0x80, 0, 0, 255, 0)),
                of(KEY_LIMIT, header(0x80, 251, 0, 0, 251)),
                of(KEY_LIMIT, header(0x80, 0xFFFF, 0, 0, 0xFFFF)),
                of(VALUE_LIMIT, header(0x80, 0, 0, 0, 5001)),
                of(VALUE_LIMIT, header(0x80, 10, 8, 0, 0xFFFF_FFFFL)),
                of(VALUE_LIMIT, header(0x80, 10, 8, 0, 0x8000_0000L)));
    }

    static List<Vector> textReplies() {
        return List.of(
                of(LINE_END, "STORED\n"),
                of(LINE_END, "VALUE a 0 3\nabc\r\n"),
                of(EMPTY, "\r\n"),
                of(LENGTH, "VALUE a 0 x\r\n"),
                of(LENGTH, "VA -2 f\r\n"),
                of(DATA_END, "VALUE a 0 3\r\nabcd\r\n"),
                of(DATA_END, "VA 1 f\r\nab\r\n"),
                of(VALUE_LIMIT, "VALUE a 0 5001\r\n"),
                of(LINE_LIMIT, "x".repeat(400)));
    }

    static List<Vector> binaryReplies() {
        return List.of(
                of(MAGIC, "STORED\r\n"),
                of(MAGIC, header(0x80, 0, 0, 0, 0)),
                of(BODY, header(0x81, 3, 0, 0, 2)),
                of(DATA_TYPE, header(0x81, 0, 0, 2, 0)),
                of(KEY_LIMIT, header(0x81, 251, 0, 0, 300)),
                of(VALUE_LIMIT, header(0x81, 0, 0, 0, 0x7FFF_FFFFL)));
    }
}
