package io.weft.codec.lzma;

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
import java.util.zip.CRC32;

/// Whole streams through the codecs.
final class Streams {
    private Streams() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /// A stream's header, of one without checks, and a block's whose filter is LZMA2 with this
    /// dictionary.
    static byte[] header(int dictionary) {
        return header(0, 0x21, dictionary);
    }

    static byte[] header(int flags, int filter, int dictionary) {
        byte[] wire = hex("fd377a585a00 0000 ff12d941 02 00 21 01 00 000000 00000000");
        wire[13] = (byte) flags;
        wire[14] = (byte) filter;
        wire[16] = (byte) dictionary;
        CRC32 crc = new CRC32();
        crc.update(wire, 12, 8);
        for (int i = 0; i < 4; i++) {
            wire[20 + i] = (byte) (crc.getValue() >>> (8 * i));
        }
        return wire;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    /// With this byte of it another one; counted from the end when below zero.
    static byte[] changed(byte[] wire, int at) {
        byte[] changed = wire.clone();
        changed[at < 0 ? wire.length + at : at] ^= 1;
        return changed;
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
        return compress(new XzCompressor(0), plain);
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
        expand(new XzDecompressor(DecompressionLimits.DEFAULT), wire, 777, plain);
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
