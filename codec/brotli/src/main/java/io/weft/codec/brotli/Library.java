package io.weft.codec.brotli;

import com.aayushatharva.brotli4j.Brotli4jLoader;

/// The native library behind the codecs.
final class Library {
    private Library() {}

    /// Loads it, the first time, so that no peer's bytes are there yet when it fails.
    static void load() {
        if (!Brotli4jLoader.isAvailable()) {
            Throwable cause = Brotli4jLoader.getUnavailabilityCause();
            throw new UnsupportedOperationException(
                    "brotli4j: "
                            + cause
                            + " (expected: its artifact for this system, and"
                            + " --enable-native-access=com.aayushatharva.brotli4j)",
                    cause);
        }
    }
}
