package io.weft.codec.stomp;

import org.jspecify.annotations.Nullable;

/// Versions of the protocol.
public enum StompVersion {
    /// Headers are not escaped; lines end with LF.
    V1_0("1.0"),
    /// Headers have the escapes `\n`, `\c` and `\\`; lines end with LF.
    V1_1("1.1"),
    /// Headers have the escape `\r` too; lines end with LF or CR LF.
    V1_2("1.2");

    private final String text;

    StompVersion(String text) {
        this.text = text;
    }

    /// The version as headers name it.
    public String text() {
        return text;
    }

    /// Returns the highest version that a client accepts; null if there is none that is known.
    ///
    /// @param acceptVersion the header of its CONNECT, versions parted by commas; null for 1.0
    public static @Nullable StompVersion negotiate(@Nullable String acceptVersion) {
        if (acceptVersion == null) {
            return V1_0;
        }
        StompVersion best = null;
        for (String word : acceptVersion.split(",", -1)) {
            StompVersion version = of(word.strip());
            if (version != null && (best == null || version.compareTo(best) > 0)) {
                best = version;
            }
        }
        return best;
    }

    /// Returns the version of this name; null if it is not known.
    public static @Nullable StompVersion of(String text) {
        return switch (text) {
            case "1.0" -> V1_0;
            case "1.1" -> V1_1;
            case "1.2" -> V1_2;
            default -> null;
        };
    }
}
