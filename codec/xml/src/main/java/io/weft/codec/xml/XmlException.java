package io.weft.codec.xml;

import io.weft.codec.DecoderException;

/// Input that is not well-formed XML, or uses what is not allowed here.
public final class XmlException extends DecoderException {
    private static final long serialVersionUID = 1L;

    XmlException(String message) {
        super(message);
    }
}
