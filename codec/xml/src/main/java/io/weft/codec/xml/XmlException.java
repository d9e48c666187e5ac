package io.weft.codec.xml;

import io.weft.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/// Input that is not well-formed XML, or uses what is not allowed here.
public final class XmlException extends DecoderException {
    private static final long serialVersionUID = 1L;

    XmlException(String message) {
        super(message);
    }

    private XmlException(String message, @Nullable Exception cause) {
        super(message, cause);
    }

    /// A part that breaks the grammar.
    static XmlException malformed(@Nullable Exception cause) {
        return new XmlException("not well-formed (expected: XML)", cause);
    }
}
