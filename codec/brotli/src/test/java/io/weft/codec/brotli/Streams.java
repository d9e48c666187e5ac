package io.weft.codec.brotli;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.compression.Compressor;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// Whole streams through the codecs.
final class Streams {
    private Streams() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static byte[] bytes(Buffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    static byte[] compress(byte[] plain) {
        return compress(new BrotliCompressor(), plain);
    }

    static byte[] compress(Compressor compressor, byte[] plain) {
        try (compressor;
                Buffer in = buffer(plain);
                Buffer out = BufferAllocator.pooled().allocate(0)) {
            compressor.compress(in, out);
            compressor.finish(out);
            return bytes(out);
        }
    }

    static byte[] expand(byte[] wire) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        expand(new BrotliDecompressor(DecompressionLimits.DEFAULT, 24), wire, 777, plain);
        return plain.toByteArray();
    }

    /// Through buffers with this much room.
    ///
    /// @throws DecoderException after what came before it is in `plain`
    static void expand(Decompressor d, byte[] wire, int room, ByteArrayOutputStream plain) {
        try (d;
                Buffer in = buffer(wire);
                Buffer out = BufferAllocator.pooled().allocate(room, room)) {
            Decompressor.Status status;
            do {
                out.clear();
                status = d.decompress(in, out);
                plain.writeBytes(bytes(out));
            } while (status == Decompressor.Status.NEEDS_OUTPUT);
            d.endOfInput();
        }
    }

    /// Inputs that are hard in different ways: nothing, noise, runs, few symbols, long matches.
    static List<byte[]> plains() {
        Random random = new Random(1);
        byte[] noise = new byte[300_000];
        random.nextBytes(noise);
        byte[] bits = new byte[5000];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = (byte) random.nextInt(2);
        }
        byte[] far = new byte[700_000];
        System.arraycopy(noise, 0, far, 0, noise.length);
        System.arraycopy(noise, 0, far, 400_000, noise.length);
        return List.of(new byte[0], new byte[] {42}, noise, new byte[500_000], bits, far);
    }
}
