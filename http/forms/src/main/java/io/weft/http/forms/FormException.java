package io.weft.http.forms;

import io.weft.codec.DecoderException;

/// A form that breaks its format.
public final class FormException extends DecoderException {
    private static final long serialVersionUID = 1L;

    FormException(String message) {
        super(message);
    }
}
