package io.weft.buffer;

/// A buffer was used, retained or released after its last owner had released it.
public final class IllegalReferenceCountException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    IllegalReferenceCountException(int references, String expected) {
        super("references: " + references + " (expected: " + expected + ")");
    }
}
