package io.weft.bench.codec;

import java.io.ByteArrayOutputStream;
import java.util.function.IntConsumer;

/// The ways in which the frames of a batch are told apart.
public enum Framing {
    /// By four bytes before each.
    LENGTH_FIELD(4, 0),
    /// By a varint before each.
    VARINT(2, 0),
    /// By CR LF behind each.
    LINE(0, 2),
    /// By NUL or by two semicolons behind each, in turn.
    DELIMITERS(0, 2);

    /// The number of frames that one read brings.
    static final int FRAMES = 64;

    static final byte[] NUL = {0};
    static final byte[] SEMICOLONS = {';', ';'};

    private final int before;
    private final int behind;

    Framing(int before, int behind) {
        this.before = before;
        this.behind = behind;
    }

    /// Returns the length that decoders have to allow.
    int maxLength(int length) {
        return before + length + behind;
    }

    /// [#FRAMES] frames with `length` bytes of content each.
    byte[] batch(int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int frame = 0; frame < FRAMES; frame++) {
            begin(length, out::write);
            for (int i = 0; i < length; i++) {
                out.write('a' + (frame + i) % 26);
            }
            end(frame, out);
        }
        return out.toByteArray();
    }

    private void begin(int length, IntConsumer out) {
        switch (this) {
            case LENGTH_FIELD -> {
                for (int shift = 24; shift >= 0; shift -= 8) {
                    out.accept(length >>> shift);
                }
            }
            case VARINT -> {
                if (length < 0x80) {
                    out.accept(length);
                } else {
                    out.accept((length & 0x7F) | 0x80);
                    out.accept(length >>> 7);
                }
            }
            case LINE, DELIMITERS -> {}
        }
    }

    private void end(int frame, ByteArrayOutputStream out) {
        switch (this) {
            case LENGTH_FIELD, VARINT -> {}
            case LINE -> out.writeBytes(new byte[] {'\r', '\n'});
            case DELIMITERS -> out.writeBytes((frame & 1) == 0 ? NUL : SEMICOLONS);
        }
    }
}
