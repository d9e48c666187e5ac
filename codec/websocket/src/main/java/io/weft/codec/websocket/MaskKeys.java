package io.weft.codec.websocket;

import java.security.SecureRandom;
import java.util.function.IntSupplier;

/// Masking keys, each used once, that nobody can foretell (RFC 6455, 10.3).
///
/// They are drawn some at a time, since a call of the source costs far more than four bytes of it.
final class MaskKeys implements IntSupplier {
    /// Thread-safe, and never blocks once the system has started.
    private static final SecureRandom SOURCE = new SecureRandom();

    private static final int DRAWN = 64;

    private final byte[] drawn = new byte[DRAWN];
    private int used = DRAWN;

    @Override
    public int getAsInt() {
        if (used == DRAWN) {
            SOURCE.nextBytes(drawn);
            used = 0;
        }
        int key = 0;
        for (int i = 0; i < 4; i++) {
            key = key << 8 | (drawn[used++] & 0xFF);
        }
        return key;
    }
}
