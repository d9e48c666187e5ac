package io.weft.codec.websocket;

import static io.weft.codec.websocket.Frames.hex;
import static io.weft.codec.websocket.Frames.join;
import static io.weft.codec.websocket.Frames.masked;
import static io.weft.codec.websocket.Frames.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Streams as clients send them, good and bad.
final class Vectors {
    /// A stream that a server refuses with `code`.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Malformed(String what, byte[] wire, int code) {
        @Override
        public String toString() {
            return what;
        }
    }

    static final List<byte[]> VALID = valid();
    static final List<Malformed> MALFORMED = malformed();

    private Vectors() {}

    private static List<byte[]> valid() {
        List<byte[]> all = new ArrayList<>();
        // RFC 6455, 5.7
        all.add(hex("8185 37fa213d 7f9f4d5158"));
        all.add(lengths());
        all.add(masked(0x81, "x".repeat(2999)));
        all.add(masked(0x81, "\u00E9\u20AC\uD83D\uDE00".repeat(20)));
        all.add(masked(0xC1, hex("f248cdc9c90700")));
        all.add(join(masked(0x41, hex("f248")), masked(0x80, hex("cdc9c90700"))));
        // A character in four frames, and control frames between them.
        all.add(
                join(
                        masked(1, hex("f0")),
                        masked(0x89, "a"),
                        masked(0, hex("9f")),
                        masked(0x8A, ""),
                        masked(0, hex("98")),
                        masked(0x80, hex("80"))));
        all.add(join(masked(2, ""), masked(0, ""), masked(0x80, "")));
        all.add(join(masked(0x89, "p".repeat(125)), masked(0x88, hex("03e8")), hex("ffff")));
        all.add(characters());
        return all;
    }

    private static byte[] lengths() {
        byte[] all = {};
        for (int length : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 124, 125, 126, 127}) {
            all = join(all, masked(0x82, new byte[length]));
        }
        return all;
    }

    /// The first and the last of each length, and those beside the surrogates.
    private static byte[] characters() {
        byte[] all = {};
        for (String text :
                List.of(
                        "00",
                        "7f",
                        "c280",
                        "dfbf",
                        "e0a080",
                        "ed9fbf",
                        "ee8080",
                        "efbfbf",
                        "f0908080",
                        "f48fbfbf",
                        "6162636465666768c3a4",
                        "61626364656667c3a4")) {
            all = join(all, masked(0x81, hex(text)));
        }
        return all;
    }

    private static List<Malformed> malformed() {
        List<Malformed> all = new ArrayList<>();
        for (int opcode : new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
            all.add(bad("opcode " + opcode, masked(0x80 | opcode, ""), 1002));
            all.add(bad("its first byte", new byte[] {(byte) (0x80 | opcode)}, 1002));
        }
        for (int first : new int[] {0x91, 0xA1, 0xB2, 0xD2, 0xC8, 0xC9, 0x98, 0xAA}) {
            all.add(bad("reserved bits " + first, masked(first, ""), 1002));
        }
        for (int first : new int[] {0x08, 0x09, 0x0A}) {
            all.add(bad("control frame in fragments", masked(first, ""), 1002));
        }
        for (int first : new int[] {0x88, 0x89, 0x8A}) {
            all.add(bad("control frame of 126 bytes", masked(first, new byte[126]), 1002));
            all.add(bad("its first two bytes", new byte[] {(byte) first, (byte) 0xFE}, 1002));
        }
        all.add(bad("not masked", plain(0x81, hex("61")), 1002));
        all.add(bad("not masked, empty", plain(0x81, hex("")), 1002));
        all.add(bad("continuation of nothing", masked(0x80, "a"), 1002));
        all.add(bad("continuation of a message that is over", over(0x00), 1002));
        all.add(bad("text in a message", join(masked(1, "a"), masked(0x81, "b")), 1002));
        all.add(bad("binary in a message", join(masked(1, "a"), masked(0x02, "b")), 1002));
        all.add(bad("bits of a continuation", join(masked(0x41, "a"), masked(0xC0, "b")), 1002));
        all.add(bad("125 in 16 bits", hex("82fe 007d 00000000"), 1002));
        all.add(bad("0 in 16 bits", hex("82fe 0000 00000000"), 1002));
        all.add(bad("65535 in 64 bits", hex("82ff 000000000000ffff 00000000"), 1002));
        all.add(bad("2^63 in 64 bits", hex("82ff 8000000000000000 00000000"), 1002));
        all.add(bad("a frame too long", hex("82fe 0bb9 00000000"), 1009));
        all.add(bad("a frame far too long", hex("82ff 7fffffffffffffff 00000000"), 1009));
        all.add(
                bad(
                        "a message too long",
                        join(masked(2, new byte[3000]), hex("80fe 07d1 00000000")),
                        1009));
        closes(all);
        texts(all);
        return all;
    }

    private static byte[] over(int first) {
        return join(masked(1, "a"), masked(0x80, "b"), masked(first, "c"));
    }

    private static void closes(List<Malformed> all) {
        all.add(bad("close frame of 1 byte", masked(0x88, "a"), 1002));
        for (int code :
                new int[] {
                    0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535
                }) {
            byte[] wire = {(byte) (code >> 8), (byte) code};
            all.add(bad("close code " + code, masked(0x88, wire), 1002));
        }
        all.add(bad("reason not UTF-8", masked(0x88, hex("03e8 ceba e1bd")), 1007));
        all.add(bad("reason with a byte", masked(0x88, hex("03e8 61ff")), 1007));
    }

    /// Each followed by what would make a whole message of it: it fails before.
    private static void texts(List<Malformed> all) {
        for (String text :
                List.of(
                        "80",
                        "bf",
                        "c0",
                        "c1",
                        "f5",
                        "f8",
                        "fe",
                        "ff",
                        "c241",
                        "c2c2",
                        "e041",
                        "e09f",
                        "eda0",
                        "edbf",
                        "e28041",
                        "f08f",
                        "f490",
                        "f09041",
                        "f0908041",
                        "61626364656667ff",
                        "6162636465666768ff",
                        "cebae1bdb9cf83cebcceb5eda080")) {
            all.add(bad("text " + text, masked(0x81, hex(text)), 1007));
            byte[] begun = join(masked(0x01, "ab"), masked(0x00, hex(text)));
            all.add(bad("fragment " + text, begun, 1007));
            byte[] frame = masked(0x81, join(hex(text), new byte[100]));
            byte[] half = Arrays.copyOf(frame, frame.length - 100);
            all.add(bad("half a frame " + text, half, 1007));
        }
        for (String text : List.of("c2", "e2", "e282", "f09f98", "616263646566676869e282")) {
            all.add(bad("text ends early " + text, masked(0x81, hex(text)), 1007));
            byte[] cut = join(masked(0x01, hex(text)), masked(0x80, ""));
            all.add(bad("message ends early " + text, cut, 1007));
        }
    }

    private static Malformed bad(String what, byte[] wire, int code) {
        return new Malformed(what, wire, code);
    }
}
