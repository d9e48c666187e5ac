package io.weft.codec.socks;

import java.util.Arrays;
import java.util.HexFormat;

/// A message of the GSS-API method (RFC 1961, 3.3 to 5), of either side. What its token means is
/// the application's business, for instance `org.ietf.jgss`.
///
/// @param type [#AUTHENTICATION], [#PROTECTION_LEVEL] or [#ENCAPSULATED]; [#ABORT], which has no
///     token
/// @param token up to 65,535 bytes, which the record shares with its caller
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare contents
public record Socks5GssMessage(int type, byte[] token)
        implements SocksClientMessage, SocksServerMessage {
    public static final int AUTHENTICATION = 1;
    public static final int PROTECTION_LEVEL = 2;
    public static final int ENCAPSULATED = 3;

    /// A refusal, which ends the negotiation.
    public static final int ABORT = 0xFF;

    /// @throws IllegalArgumentException when the type or the length is out of range
    public Socks5GssMessage {
        if (type != ABORT && (type < AUTHENTICATION || type > ENCAPSULATED)) {
            throw new IllegalArgumentException("type: " + type + " (expected: 1 to 3, or 255)");
        }
        int max = type == ABORT ? 0 : 0xFFFF;
        if (token.length > max) {
            throw new IllegalArgumentException(
                    "bytes of the token: " + token.length + " (expected: at most " + max + ")");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Socks5GssMessage(int t, byte[] bytes)
                && t == type
                && Arrays.equals(bytes, token);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(token);
    }

    @Override
    public String toString() {
        return "Socks5GssMessage[type=" + type + ", token=" + HexFormat.of().formatHex(token) + "]";
    }
}
