package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/// Every format, and whole streams through them.
record Formats(
        String name,
        Supplier<Compressor> compressor,
        Function<DecompressionLimits, Decompressor> decompressor) {
    static final List<Formats> ALL =
            List.of(
                    new Formats(
                            "zlib",
                            () -> new DeflateCompressor(Deflate.ZLIB),
                            limits -> new DeflateDecompressor(Deflate.ZLIB, limits)),
                    new Formats(
                            "gzip",
                            () -> new DeflateCompressor(Deflate.GZIP),
                            limits -> new DeflateDecompressor(Deflate.GZIP, limits)),
                    new Formats(
                            "deflate",
                            () -> new DeflateCompressor(Deflate.RAW),
                            limits -> new DeflateDecompressor(Deflate.RAW, limits)),
                    new Formats(
                            "auto",
                            () -> new DeflateCompressor(Deflate.GZIP),
                            limits -> new DeflateDecompressor(Deflate.AUTO, limits)),
                    new Formats("snappy", SnappyCompressor::new, SnappyDecompressor::new),
                    new Formats(
                            "lz4",
                            Lz4Compressor::new,
                            limits -> new Lz4Decompressor(limits, Lz4Decompressor.LARGEST_BLOCK)),
                    new Formats("lzf", LzfCompressor::new, LzfDecompressor::new),
                    new Formats("bzip2", () -> new Bzip2Compressor(1), Bzip2Decompressor::new));

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static byte[] bytes(Buffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    byte[] compress(byte[] plain) {
        try (Compressor c = compressor.get()) {
            return compress(c, plain);
        }
    }

    static byte[] compress(Compressor c, byte[] plain) {
        try (Buffer in = buffer(plain);
                Buffer out = BufferAllocator.pooled().allocate(0)) {
            c.compress(in, out);
            c.finish(out);
            return bytes(out);
        }
    }

    byte[] expand(byte[] wire) {
        return expand(decompressor.apply(DecompressionLimits.DEFAULT), wire, 777);
    }

    /// Through buffers with this much room.
    static byte[] expand(Decompressor d, byte[] wire, int room) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        expand(d, wire, room, plain);
        return plain.toByteArray();
    }

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

    /// Inputs that are hard in different ways: nothing, noise, runs, text, long matches.
    static List<byte[]> plains() {
        Random random = new Random(1);
        byte[] noise = new byte[70_000];
        random.nextBytes(noise);
        byte[] bits = new byte[5000];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = (byte) random.nextInt(2);
        }
        byte[] far = new byte[200_000];
        System.arraycopy(noise, 0, far, 0, noise.length);
        System.arraycopy(noise, 0, far, 130_000, noise.length);
        byte[] runs = new byte[3000];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = (byte) ((i * i) >> 14);
        }
        return List.of(
                new byte[0],
                new byte[] {42},
                "abcabcabcabcabcabcabcabcabcabc"
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                noise,
                new byte[300_000],
                bits,
                far,
                runs);
    }

    @Override
    public String toString() {
        return name;
    }
}
