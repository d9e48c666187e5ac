package io.weft.codec.memcache;

/// Limits of the resources that one message of the peer may use, which hold for declared lengths.
///
/// @param lineBytes of a line of text without its end: 64 to 16,777,216
/// @param keyBytes of a key: 1 to 65,535
/// @param valueBytes of a value, also of one that comes in chunks
/// @param wholeBytes of a value that comes whole; longer ones come in chunks: 0 to 1,073,741,823
public record MemcacheLimits(int lineBytes, int keyBytes, int valueBytes, int wholeBytes) {
    public static final MemcacheLimits DEFAULT =
            new MemcacheLimits(65_536, 250, 134_217_728, 1_048_576);

    /// @throws IllegalArgumentException when one is out of its range
    public MemcacheLimits {
        require("lineBytes", lineBytes, 64, 1 << 24);
        require("keyBytes", keyBytes, 1, 65_535);
        require("valueBytes", valueBytes, 0, Integer.MAX_VALUE - (1 << 20));
        require("wholeBytes", wholeBytes, 0, (1 << 30) - 1);
    }

    private static void require(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public MemcacheLimits lineBytes(int bytes) {
        return new MemcacheLimits(bytes, keyBytes, valueBytes, wholeBytes);
    }

    public MemcacheLimits keyBytes(int bytes) {
        return new MemcacheLimits(lineBytes, bytes, valueBytes, wholeBytes);
    }

    public MemcacheLimits valueBytes(int bytes) {
        return new MemcacheLimits(lineBytes, keyBytes, bytes, wholeBytes);
    }

    public MemcacheLimits wholeBytes(int bytes) {
        return new MemcacheLimits(lineBytes, keyBytes, valueBytes, bytes);
    }
}
