package io.weft.codec.websocket;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.function.IntSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Masking keys, each used once, that nobody can foretell (RFC 6455, 10.3).
///
/// They are the key stream of ChaCha20 (RFC 8439, 2.4) under a random key of 256 bits, a block at a
/// time: a twentieth of what the secure source costs. Where there is no such cipher they come from
/// that source.
final class MaskKeys implements IntSupplier {
    /// Thread-safe, and never blocks once the system has started.
    private static final SecureRandom SOURCE = new SecureRandom();

    private static final String ALGORITHM = "ChaCha20";
    private static final int KEY = 32;
    private static final int NONCE = 12;
    private static final int DRAWN = 64;
    private static final byte[] ZEROS = new byte[DRAWN];

    private final byte[] drawn = new byte[DRAWN];
    private int used = DRAWN;

    /// Null before the first key, and where there is none.
    private @Nullable Cipher stream;

    private boolean missing;

    @Override
    public int getAsInt() {
        if (used == DRAWN) {
            draw();
            used = 0;
        }
        int key = 0;
        for (int i = 0; i < 4; i++) {
            key = key << 8 | (drawn[used++] & 0xFF);
        }
        return key;
    }

    private void draw() {
        if (!missing) {
            try {
                Cipher cipher = stream == null ? keyed() : stream;
                stream = cipher;
                if (cipher.update(ZEROS, 0, DRAWN, drawn, 0) == DRAWN) {
                    return;
                }
            } catch (GeneralSecurityException e) {
                // The system's policy has no such cipher.
            }
            missing = true;
            stream = null;
        }
        SOURCE.nextBytes(drawn);
    }

    private static Cipher keyed() throws GeneralSecurityException {
        byte[] key = new byte[KEY];
        byte[] nonce = new byte[NONCE];
        SOURCE.nextBytes(key);
        SOURCE.nextBytes(nonce);
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(key, ALGORITHM),
                new ChaCha20ParameterSpec(nonce, 0));
        return cipher;
    }
}
