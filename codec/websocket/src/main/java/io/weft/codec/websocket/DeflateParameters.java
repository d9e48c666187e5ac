package io.weft.codec.websocket;

import io.weft.codec.websocket.ExtensionField.Extension;
import io.weft.codec.websocket.ExtensionField.Parameter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The parameters of `permessage-deflate`, as an offer or an answer has them, or as both ends
/// agreed (RFC 7692, 7.1).
///
/// @param serverNoContextTakeover whether the server compresses each message for itself
/// @param clientNoContextTakeover whether the client does
/// @param serverMaxWindowBits logarithm of the server's window, 8 to 15
/// @param clientMaxWindowBits logarithm of the client's window, 8 to 15
public record DeflateParameters(
        boolean serverNoContextTakeover,
        boolean clientNoContextTakeover,
        int serverMaxWindowBits,
        int clientMaxWindowBits) {
    static final String NAME = "permessage-deflate";
    static final int MIN_BITS = 8;
    static final int MAX_BITS = 15;

    private static final String SERVER_NO_TAKEOVER = "server_no_context_takeover";
    private static final String CLIENT_NO_TAKEOVER = "client_no_context_takeover";
    private static final String SERVER_BITS = "server_max_window_bits";
    private static final String CLIENT_BITS = "client_max_window_bits";

    /// Whole windows, and messages that refer to those before.
    public static final DeflateParameters DEFAULT =
            new DeflateParameters(false, false, MAX_BITS, MAX_BITS);

    /// @throws IllegalArgumentException unless the bits are from 8 to 15
    public DeflateParameters {
        if (Math.min(serverMaxWindowBits, clientMaxWindowBits) < MIN_BITS
                || Math.max(serverMaxWindowBits, clientMaxWindowBits) > MAX_BITS) {
            throw new IllegalArgumentException(
                    "serverMaxWindowBits, clientMaxWindowBits: "
                            + serverMaxWindowBits
                            + ", "
                            + clientMaxWindowBits
                            + " (expected: 8 to 15)");
        }
    }

    public DeflateParameters serverNoContextTakeover(boolean none) {
        return new DeflateParameters(
                none, clientNoContextTakeover, serverMaxWindowBits, clientMaxWindowBits);
    }

    public DeflateParameters clientNoContextTakeover(boolean none) {
        return new DeflateParameters(
                serverNoContextTakeover, none, serverMaxWindowBits, clientMaxWindowBits);
    }

    public DeflateParameters serverMaxWindowBits(int bits) {
        return new DeflateParameters(
                serverNoContextTakeover, clientNoContextTakeover, bits, clientMaxWindowBits);
    }

    public DeflateParameters clientMaxWindowBits(int bits) {
        return new DeflateParameters(
                serverNoContextTakeover, clientNoContextTakeover, serverMaxWindowBits, bits);
    }

    /// Tells if `role` compresses each message for itself.
    boolean noContextTakeover(Role role) {
        return role == Role.SERVER ? serverNoContextTakeover : clientNoContextTakeover;
    }

    int windowBits(Role role) {
        return role == Role.SERVER ? serverMaxWindowBits : clientMaxWindowBits;
    }

    // ---- text ----

    /// An extension's parameters as they were sent.
    ///
    /// @param serverBits 0 when they are not there
    /// @param clientBits 0 when they are not there, -1 when they have no value
    record Sent(boolean serverNone, boolean clientNone, int serverBits, int clientBits) {}

    /// Reads what an offer or an answer has.
    ///
    /// @return null when one is unknown, comes twice or has no valid value (RFC 7692, 7.1)
    static @Nullable Sent read(Extension extension) {
        boolean serverNone = false;
        boolean clientNone = false;
        int serverBits = 0;
        int clientBits = 0;
        Set<String> seen = new HashSet<>();
        for (Parameter parameter : extension.parameters()) {
            String value = parameter.value();
            boolean valid = seen.add(parameter.name());
            switch (parameter.name()) {
                case SERVER_NO_TAKEOVER -> serverNone = true;
                case CLIENT_NO_TAKEOVER -> clientNone = true;
                case SERVER_BITS -> serverBits = bits(value);
                case CLIENT_BITS -> clientBits = value == null ? -1 : bits(value);
                default -> valid = false;
            }
            boolean flag = parameter.name().endsWith("takeover");
            boolean number = parameter.name().equals(CLIENT_BITS) && value == null;
            if (!valid || (flag ? value != null : !number && bits(value) == 0)) {
                return null;
            }
        }
        return new Sent(serverNone, clientNone, serverBits, clientBits);
    }

    /// RFC 7692, 7.1.2.1: decimal, without leading zeroes; 0 when it is not.
    private static int bits(@Nullable String value) {
        if (value == null || value.isEmpty() || value.length() > 2 || value.charAt(0) == '0') {
            return 0;
        }
        int number = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            number = number * 10 + digit;
        }
        return number >= MIN_BITS && number <= MAX_BITS ? number : 0;
    }

    /// Writes an extension down.
    static String write(Sent sent) {
        StringBuilder text = new StringBuilder(NAME);
        if (sent.serverNone) {
            text.append("; " + SERVER_NO_TAKEOVER);
        }
        if (sent.clientNone) {
            text.append("; " + CLIENT_NO_TAKEOVER);
        }
        if (sent.serverBits != 0) {
            text.append("; " + SERVER_BITS + "=").append(sent.serverBits);
        }
        if (sent.clientBits != 0) {
            text.append("; " + CLIENT_BITS);
            if (sent.clientBits > 0) {
                text.append('=').append(sent.clientBits);
            }
        }
        return text.toString();
    }
}
