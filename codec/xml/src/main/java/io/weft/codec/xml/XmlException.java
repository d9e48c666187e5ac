package io.weft.codec.xml;

import io.weft.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/// Input that is not well-formed XML, or uses what is not allowed here.
public final class XmlException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final boolean restricted;

    XmlException(String message) {
        this(message, null, false);
    }

    private XmlException(String message, @Nullable Exception cause, boolean restricted) {
        super(message, cause);
        this.restricted = restricted;
    }

    /// A part that XML has, and that is not allowed here.
    static XmlException restricted(String message) {
        return new XmlException(message, null, true);
    }

    /// A part that breaks the grammar.
    static XmlException malformed(IllegalArgumentException cause) {
        return new XmlException(String.valueOf(cause.getMessage()), cause, false);
    }

    /// Tells if this is a part that XML has and streams do not: a document type, a comment, a
    /// processing instruction, or a reference to another entity than the five that need no
    /// declaration (RFC 6120, 11.1). A stream answers it with `restricted-xml`, other faults with
    /// `not-well-formed`.
    public boolean isRestricted() {
        return restricted;
    }
}
