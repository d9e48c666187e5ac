package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.model.Headers.Field;
import org.jspecify.annotations.Nullable;

/// Checks values, and remembers fields whose values it has checked: most that a program sends are a
/// constant of it, the same object each time.
///
/// Nothing that may be a secret is remembered: only fields with a listed name that does not stand
/// for one, and of a length that tokens and documents seldom have.
final class FieldValues {
    private static final int MAX_LENGTH = 128;
    private static final NameSet SECRETS =
            NameSet.of(
                    HeaderName.AUTHORIZATION,
                    HeaderName.PROXY_AUTHORIZATION,
                    HeaderName.COOKIE,
                    HeaderName.SET_COOKIE,
                    HeaderName.LOCATION,
                    HeaderName.REFERER);

    /// By pairs: the first was remembered last, and the second before it, so that two constants of
    /// one hash do not put each other out. Written without order: fields are immutable, and one
    /// that is missed is made again.
    private static final @Nullable Field[] KNOWN = new Field[512];

    private FieldValues() {}

    /// Returns a field whose value is checked.
    static Field of(HeaderName name, String value) {
        int slot = (name.hash * 31 + HeaderName.fold(value)) & (KNOWN.length - 2);
        Field known = KNOWN[slot];
        if (known != null && isSame(known, name, value)) {
            return known;
        }
        Field before = KNOWN[slot + 1];
        if (before != null && isSame(before, name, value)) {
            return before;
        }
        Field made = new Field(name, value);
        if (name.id != 0 && value.length() <= MAX_LENGTH && (name.bit() & SECRETS.bits) == 0) {
            KNOWN[slot + 1] = known;
            KNOWN[slot] = made;
        }
        return made;
    }

    @SuppressWarnings("ReferenceEquality") // another one that is equal was not looked at yet
    private static boolean isSame(Field known, HeaderName name, String value) {
        return known.value() == value && known.name() == name;
    }

    static byte[] checked(HeaderName name, String value) {
        byte[] octets = value.getBytes(UTF_8);
        if (octets.length != value.length()) {
            octets = latin(name, value);
        }
        if (!FieldSection.isValue(octets, 0, octets.length)) {
            throw refused(name, value, "no control, no blank at either end");
        }
        return octets;
    }

    private static byte[] latin(HeaderName name, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 0xFF) {
                throw refused(name, value, "nothing above U+00FF");
            }
        }
        return value.getBytes(ISO_8859_1);
    }

    static IllegalArgumentException refused(HeaderName name, String value, String expected) {
        return new IllegalArgumentException(
                name + ": " + Chars.quote(value) + " (expected: " + expected + ")");
    }
}
