package io.weft.codec.lzma;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The sum over the content of a block (.xz File Format 1.2.1, 2.1.1.2).
sealed interface Check {
    void update(byte[] bytes, int length);

    /// As it stands behind the block. Nothing may be added after.
    byte[] value();

    /// Bytes of the value.
    int length();

    /// Null when the format does not have that kind.
    static @Nullable Check of(int kind) {
        return switch (kind) {
            case 0 -> new None();
            case 1 -> new Crc32();
            case 4 -> new Crc64();
            case 10 -> new Sha256();
            default -> null;
        };
    }

    record None() implements Check {
        @Override
        public void update(byte[] bytes, int length) {}

        @Override
        public byte[] value() {
            return new byte[0];
        }

        @Override
        public int length() {
            return 0;
        }
    }

    record Crc32(CRC32 crc) implements Check {
        Crc32() {
            this(new CRC32());
        }

        @Override
        public void update(byte[] bytes, int length) {
            crc.update(bytes, 0, length);
        }

        @Override
        public byte[] value() {
            return littleEndian(crc.getValue(), Integer.BYTES);
        }

        @Override
        public int length() {
            return Integer.BYTES;
        }
    }

    /// ECMA-182, bits reversed.
    final class Crc64 implements Check {
        private static final long POLYNOMIAL = 0xC96C5795D7870F42L;
        private static final long[] TABLE = new long[256];

        static {
            Arrays.setAll(
                    TABLE,
                    i -> {
                        long r = i;
                        for (int bit = 0; bit < 8; bit++) {
                            r = (r >>> 1) ^ (-(r & 1) & POLYNOMIAL);
                        }
                        return r;
                    });
        }

        private long crc = -1;

        @Override
        public void update(byte[] bytes, int length) {
            long r = crc;
            for (int i = 0; i < length; i++) {
                r = TABLE[(int) (r ^ bytes[i]) & 0xFF] ^ (r >>> 8);
            }
            crc = r;
        }

        @Override
        public byte[] value() {
            return littleEndian(~crc, Long.BYTES);
        }

        @Override
        public int length() {
            return Long.BYTES;
        }
    }

    record Sha256(MessageDigest digest) implements Check {
        Sha256() {
            this(digest("SHA-256"));
        }

        private static MessageDigest digest(String name) {
            try {
                return MessageDigest.getInstance(name);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(name + ", which every JDK has", e);
            }
        }

        @Override
        public void update(byte[] bytes, int length) {
            digest.update(bytes, 0, length);
        }

        @Override
        public byte[] value() {
            return digest.digest();
        }

        @Override
        public int length() {
            return 32;
        }
    }

    private static byte[] littleEndian(long value, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (value >>> (8 * i));
        }
        return bytes;
    }
}
