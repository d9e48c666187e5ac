package io.weft.codec.zstd;

import com.github.luben.zstd.util.Native;

/// The native library behind the codecs.
final class Library {
    private Library() {}

    /// Loads it, the first time, so that no peer's bytes are there yet when it fails.
    static void load() {
        try {
            Native.load();
        } catch (RuntimeException | LinkageError e) {
            throw new UnsupportedOperationException(
                    "zstd-jni: "
                            + e
                            + " (expected: a system that it knows, and"
                            + " --enable-native-access=com.github.luben.zstd_jni)",
                    e);
        }
    }
}
