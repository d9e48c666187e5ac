package io.weft.codec.websocket;

import io.weft.codec.websocket.DeflateParameters.Sent;
import io.weft.codec.websocket.ExtensionField.Extension;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Negotiation of `permessage-deflate` (RFC 7692, 5 and 7.1), for both roles.
public final class PerMessageDeflate {
    private PerMessageDeflate() {}

    /// A server's decision.
    ///
    /// @param parameters that both ends keep to
    /// @param answer value of the `Sec-WebSocket-Extensions` field to answer with
    public record Accepted(DeflateParameters parameters, String answer) {}

    /// Takes the first offer of a client that a server can keep to. A client that does not offer
    /// `client_max_window_bits` has a whole window, whatever `wanted` says.
    ///
    /// @param offers values of the request's `Sec-WebSocket-Extensions` fields
    /// @param wanted what the server wants; it never takes more context or larger windows
    /// @return null when there is no such offer
    /// @throws IllegalArgumentException when a value is malformed
    public static @Nullable Accepted accept(List<String> offers, DeflateParameters wanted) {
        Accepted accepted = null;
        for (Extension extension : ExtensionField.parse(offers)) {
            if (accepted == null && extension.name().equals(DeflateParameters.NAME)) {
                Sent offer = DeflateParameters.read(extension);
                accepted = offer == null ? null : accept(offer, wanted);
            }
        }
        return accepted;
    }

    private static Accepted accept(Sent offer, DeflateParameters wanted) {
        boolean serverNone = offer.serverNone() || wanted.serverNoContextTakeover();
        boolean clientNone = offer.clientNone() || wanted.clientNoContextTakeover();
        int serverBits = smaller(offer.serverBits(), wanted.serverMaxWindowBits());
        boolean mayLimit = offer.clientBits() != 0;
        int clientBits =
                mayLimit
                        ? smaller(offer.clientBits(), wanted.clientMaxWindowBits())
                        : DeflateParameters.MAX_BITS;
        // RFC 7692, 7.1.2.1: an offered limit is answered; 7.1.2.2: only an offered one may be.
        boolean saysServer = offer.serverBits() != 0 || serverBits < DeflateParameters.MAX_BITS;
        boolean saysClient = mayLimit && clientBits < DeflateParameters.MAX_BITS;
        Sent answer =
                new Sent(
                        serverNone,
                        clientNone,
                        saysServer ? serverBits : 0,
                        saysClient ? clientBits : 0);
        return new Accepted(
                new DeflateParameters(serverNone, clientNone, serverBits, clientBits),
                DeflateParameters.write(answer));
    }

    /// @param offered 0 or -1 when there is no limit
    private static int smaller(int offered, int wanted) {
        return offered > 0 ? Math.min(offered, wanted) : wanted;
    }

    /// A client's offer, the value of a `Sec-WebSocket-Extensions` field. It says in any case that
    /// the server may limit the client's window.
    public static String offer(DeflateParameters wanted) {
        int serverBits = wanted.serverMaxWindowBits();
        int clientBits = wanted.clientMaxWindowBits();
        return DeflateParameters.write(
                new Sent(
                        wanted.serverNoContextTakeover(),
                        wanted.clientNoContextTakeover(),
                        serverBits < DeflateParameters.MAX_BITS ? serverBits : 0,
                        clientBits < DeflateParameters.MAX_BITS ? clientBits : -1));
    }

    /// Checks a server's answer to [#offer].
    ///
    /// @param answers values of the response's `Sec-WebSocket-Extensions` fields
    /// @param offered null when nothing was offered
    /// @return null when the server does not compress
    /// @throws IllegalArgumentException when the answer is malformed or not one to the offer: the
    ///     client fails the connection (RFC 6455, 9.1; RFC 7692, 7.1)
    public static @Nullable DeflateParameters agreed(
            List<String> answers, @Nullable DeflateParameters offered) {
        List<Extension> extensions = ExtensionField.parse(answers);
        if (extensions.isEmpty()) {
            return null;
        }
        Extension only = extensions.getFirst();
        Sent answer =
                extensions.size() > 1 || !only.name().equals(DeflateParameters.NAME)
                        ? null
                        : DeflateParameters.read(only);
        if (offered == null || answer == null || !answers(answer, offered)) {
            throw new IllegalArgumentException(
                    "sec-websocket-extensions: "
                            + answers
                            + " (expected: "
                            + (offered == null ? "none" : "an answer to " + offer(offered))
                            + ")");
        }
        return new DeflateParameters(
                answer.serverNone(),
                answer.clientNone() || offered.clientNoContextTakeover(),
                smaller(answer.serverBits(), DeflateParameters.MAX_BITS),
                smaller(answer.clientBits(), offered.clientMaxWindowBits()));
    }

    private static boolean answers(Sent answer, DeflateParameters offered) {
        boolean fresh = answer.serverNone() || !offered.serverNoContextTakeover();
        boolean small =
                smaller(answer.serverBits(), DeflateParameters.MAX_BITS)
                        <= offered.serverMaxWindowBits();
        // RFC 7692, 7.1.2.2: an answer has a value, and not above the offered one.
        boolean client =
                answer.clientBits() >= 0 && answer.clientBits() <= offered.clientMaxWindowBits();
        return fresh && small && client;
    }
}
