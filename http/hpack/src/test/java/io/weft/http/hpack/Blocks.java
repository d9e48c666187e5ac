package io.weft.http.hpack;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.HeaderName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Header blocks in hexadecimal, and fields as lines.
final class Blocks {
    private Blocks() {}

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static List<String> decode(HpackDecoder decoder, String hex) {
        return decode(decoder, hex(hex), Integer.MAX_VALUE);
    }

    /// @param piece the most bytes that are given at once
    static List<String> decode(HpackDecoder decoder, byte[] block, int piece) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        do {
            int n = Math.min(piece, block.length - at);
            try (Buffer part = buffer(Arrays.copyOfRange(block, at, at + n))) {
                at += n;
                decoder.decode(part, at == block.length, field -> lines.add(line(field)));
            }
        } while (at < block.length);
        return lines;
    }

    static String line(HpackField field) {
        return field.nameText() + ": " + field.value() + (field.isNeverIndexed() ? " (never)" : "");
    }

    /// Encodes lines as [#line] makes them.
    static byte[] encode(HpackEncoder encoder, List<String> lines) {
        try (Buffer out = BufferAllocator.pooled().allocate(64)) {
            for (String line : lines) {
                encode(encoder, line);
            }
            encoder.finish(out);
            byte[] block = new byte[out.readableBytes()];
            out.readBytes(block);
            return block;
        }
    }

    private static void encode(HpackEncoder encoder, String line) {
        int colon = line.indexOf(": ", 1);
        String name = line.substring(0, colon);
        boolean never = line.endsWith(" (never)");
        String value = line.substring(colon + 2, line.length() - (never ? 8 : 0));
        for (PseudoHeader pseudo : PseudoHeader.values()) {
            if (pseudo.field().equals(name)) {
                encoder.encode(pseudo, value);
                return;
            }
        }
        encoder.encode(HeaderName.of(name), value, never);
    }

    static String toHex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
