package io.weft.buffer;

/// Looks at bytes one by one.
@FunctionalInterface
public interface ByteProcessor {
    /// Processes `value`, and tells if to go on after it.
    boolean process(byte value);
}
