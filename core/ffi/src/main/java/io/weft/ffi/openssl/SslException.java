package io.weft.ffi.openssl;

import java.util.List;
import java.util.stream.Collectors;

/// A call of OpenSSL that sets something up failed.
public final class SslException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<SslErrors.Entry> errors;

    SslException(String what, List<SslErrors.Entry> errors) {
        super(
                errors.isEmpty()
                        ? what
                        : errors.stream()
                                .map(SslErrors.Entry::toString)
                                .collect(Collectors.joining("; ", what + ": ", "")));
        this.errors = List.copyOf(errors);
    }

    /// Returns the entries of OpenSSL's queue of errors, the cause first.
    public List<SslErrors.Entry> errors() {
        return errors;
    }
}
