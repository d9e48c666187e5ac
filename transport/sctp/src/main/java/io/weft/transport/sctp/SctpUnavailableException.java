package io.weft.transport.sctp;

import java.io.IOException;

/// Reports that there is no SCTP here: the kernel lacks it, the system is not Linux, native access
/// is denied, or the loop's engine does not watch descriptors.
public final class SctpUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    SctpUnavailableException(String message) {
        super(message);
    }

    SctpUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
