package io.weft.buffer;

/// Looks at bytes one by one.
@FunctionalInterface
public interface ByteProcessor {
    /// Whether to go on after `value`.
    boolean process(byte value);
}
