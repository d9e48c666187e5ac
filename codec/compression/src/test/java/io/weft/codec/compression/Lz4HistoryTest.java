package io.weft.codec.compression;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The bytes that later blocks of a frame may refer to.
class Lz4HistoryTest {
    private static final int WINDOW = 64 << 10;
    private static final int LINKED = 0x40;
    private static final int INDEPENDENT = 0x60;

    /// In no block, and in no dictionary.
    private static final byte MARK = 7;

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    private static byte[] header(int flags) {
        byte[] header = {4, 0x22, 0x4D, 0x18, (byte) flags, 0x70, 0};
        header[6] = (byte) (XxHash32.of(header, 4, 2) >>> 8);
        return header;
    }

    private static byte[] block(boolean plain, byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(content.length | (plain ? 1 << 31 : 0))
                .put(content)
                .array();
    }

    /// Four bytes from `distance` before, and five that are `last`.
    private static byte[] match(int distance, byte last) {
        byte[] sequences = {
            0, (byte) distance, (byte) (distance >> 8), 0x50, last, last, last, last, last
        };
        return block(false, sequences);
    }

    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return noise;
    }

    private static Lz4Decompressor decompressor(byte[] dictionary) {
        DecompressionLimits limits = DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);
        return new Lz4Decompressor(limits, Lz4Decompressor.LARGEST_BLOCK, dictionary);
    }

    private static void feed(Decompressor d, byte[] wire, Buffer out) {
        try (Buffer in = Formats.buffer(wire)) {
            do {
                out.clear();
            } while (d.decompress(in, out) == Decompressor.Status.NEEDS_OUTPUT);
        }
    }

    /// Each move would take away the mark in front of the bytes that stay.
    private static int moves(Lz4Decompressor d, int blocks, byte[] content) {
        int moves = 0;
        try (Buffer out = BufferAllocator.pooled().allocate(2 * WINDOW)) {
            byte[] wire = block(true, content);
            for (int i = 0; i < blocks; i++) {
                d.block[0] = MARK;
                feed(d, wire, out);
                moves += d.block[0] == MARK ? 0 : 1;
            }
        }
        return moves;
    }

    @Test
    void tinyBlocksMoveTheWindowOnceAWindow() {
        try (Lz4Decompressor d = decompressor(new byte[0]);
                Buffer out = BufferAllocator.pooled().allocate(2 * WINDOW)) {
            feed(d, header(LINKED), out);
            feed(d, block(true, new byte[WINDOW + 1]), out);
            assertThat(moves(d, 1000, new byte[0])).as("empty blocks").isZero();
            assertThat(moves(d, 2 * WINDOW, new byte[1])).as("blocks of a byte").isEqualTo(2);
        }
    }

    @Test
    void dictionaryIsCopiedOnce() {
        try (Lz4Decompressor d = decompressor(new byte[WINDOW]);
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            for (int flags : new int[] {INDEPENDENT, LINKED, INDEPENDENT}) {
                feed(d, header(flags), out);
                assertThat(moves(d, 1000, new byte[0])).isZero();
                feed(d, new byte[4], out); // the end of the frame
                feed(d, header(flags), out);
                feed(d, new byte[4], out);
                assertThat(d.block[0]).isEqualTo(MARK);
            }
        }
    }

    /// Random blocks, whole or with a match at any distance, with and without a dictionary.
    @Test
    void blocksReferToWhatTheyMayWhateverTheirLengths() {
        for (int length : new int[] {0, 100, WINDOW}) {
            byte[] dictionary = noise(length);
            try (Lz4Decompressor d = decompressor(dictionary)) {
                for (int frame = 0; frame < 6; frame++) {
                    frame(d, dictionary, frame % 2 == 0 ? LINKED : INDEPENDENT);
                }
            }
        }
    }

    private void frame(Lz4Decompressor d, byte[] dictionary, int flags) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(dictionary);
        wire.writeBytes(header(flags));
        for (int i = 0; i < 60; i++) {
            byte[] before = flags == LINKED ? all.toByteArray() : dictionary;
            if (random.nextBoolean() || before.length < 4) {
                byte[] plain = noise(random.nextInt(random.nextBoolean() ? 10 : 2 * WINDOW));
                wire.writeBytes(block(true, plain));
                all.writeBytes(plain);
            } else {
                int distance = 4 + random.nextInt(Math.min(before.length, WINDOW - 1) - 3);
                wire.writeBytes(match(distance, (byte) i));
                all.write(before, before.length - distance, 4);
                all.writeBytes(new byte[] {(byte) i, (byte) i, (byte) i, (byte) i, (byte) i});
            }
        }
        wire.writeBytes(new byte[4]);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        got.writeBytes(dictionary);
        try (Buffer in = Formats.buffer(wire.toByteArray());
                Buffer out = BufferAllocator.pooled().allocate(5000, 5000)) {
            Decompressor.Status status;
            do {
                out.clear();
                status = d.decompress(in, out);
                got.writeBytes(Formats.bytes(out));
            } while (status == Decompressor.Status.NEEDS_OUTPUT);
        }
        assertThat(got.toByteArray()).isEqualTo(all.toByteArray());
    }
}
