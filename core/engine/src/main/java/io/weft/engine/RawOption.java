package io.weft.engine;

/// A socket option by its numbers, as `setsockopt` takes them.
///
/// @param length of a value that is read, in bytes
public record RawOption(int level, int number, int length) {
    public RawOption {
        if (length < 1 || length > 1 << 16) {
            throw new IllegalArgumentException("length: " + length + " (expected: 1 to 65536)");
        }
    }
}
