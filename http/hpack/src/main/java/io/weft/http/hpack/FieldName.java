package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.http.model.HeaderName;
import org.jspecify.annotations.Nullable;

/// The name of a field of a header block, which need not be one that HTTP allows. Immutable; those
/// of pseudo-header fields and of listed names are one object each.
final class FieldName {
    static final FieldName EMPTY = new FieldName(null, null, "");

    private static final FieldName[] PSEUDO = new FieldName[PseudoHeader.values().length];

    /// By [HeaderName#number]; made when they are met, and a race makes them twice.
    private static final @Nullable FieldName[] LISTED = new FieldName[128];

    static {
        for (PseudoHeader pseudo : PseudoHeader.values()) {
            PSEUDO[pseudo.number] = new FieldName(null, pseudo, pseudo.field());
        }
    }

    /// Null for a pseudo-header field, and for a name that is no token in lower case.
    final @Nullable HeaderName name;

    /// Null for another field, and for a pseudo-header field that is not known.
    final @Nullable PseudoHeader pseudo;

    /// One character a byte.
    final String text;

    final int length;

    private FieldName(@Nullable HeaderName name, @Nullable PseudoHeader pseudo, String text) {
        this.name = name;
        this.pseudo = pseudo;
        this.text = text;
        this.length = text.length();
    }

    /// Returns the name that [from, to) spells.
    static FieldName of(byte[] bytes, int from, int to) {
        if (to > from && bytes[from] == ':') {
            PseudoHeader known = PseudoHeader.of(bytes, from, to);
            if (known != null) {
                return PSEUDO[known.number];
            }
        }
        HeaderName token = HeaderName.ofLower(bytes, from, to);
        if (token == null) {
            return new FieldName(null, null, new String(bytes, from, to - from, ISO_8859_1));
        }
        int number = token.number();
        if (number == 0) {
            return new FieldName(token, null, token.toString());
        }
        FieldName listed = LISTED[number];
        if (listed == null) {
            listed = new FieldName(token, null, token.toString());
            LISTED[number] = listed;
        }
        return listed;
    }

    /// Tells if HTTP knows or allows the name.
    boolean isWellFormed() {
        return name != null || pseudo != null;
    }
}
