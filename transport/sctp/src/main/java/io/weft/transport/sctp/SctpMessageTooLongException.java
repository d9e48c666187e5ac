package io.weft.transport.sctp;

import java.io.IOException;

/// Reports a message in pieces that exceeds the limits of an [SctpAssembler].
public final class SctpMessageTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    SctpMessageTooLongException(String message) {
        super(message);
    }
}
