package io.weft.http.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.http.model.HeaderName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The fields of opening handshakes (RFC 6455, 4 and 11.3).
final class HandshakeFields {
    static final String VERSION = "13";

    /// RFC 6455, 1.3
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;

    private HandshakeFields() {}

    /// Returns the answer of a server that has read `key`.
    static String accept(String key) {
        try {
            // SHA-1 is no secret's here: it shows that the server has understood.
            byte[] hash =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("SHA-1, which every JDK has", e);
        }
    }

    /// Tells if this is the Base64 of 16 bytes.
    static boolean isKey(String key) {
        try {
            byte[] bytes = Base64.getDecoder().decode(key);
            return bytes.length == KEY_BYTES
                    && Base64.getEncoder().encodeToString(bytes).equals(key);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(HeaderName::isTokenChar);
    }

    /// The tokens of a list in several fields.
    ///
    /// @throws IllegalArgumentException when one is no token or comes twice
    static List<String> tokens(String name, List<String> fields) {
        List<String> all = new ArrayList<>();
        for (String field : fields) {
            for (String element : field.split(",", -1)) {
                String token = element.strip();
                if (!isToken(token) || all.contains(token)) {
                    throw new IllegalArgumentException(
                            name + ": " + fields + " (expected: tokens, each once)");
                }
                all.add(token);
            }
        }
        return all;
    }
}
