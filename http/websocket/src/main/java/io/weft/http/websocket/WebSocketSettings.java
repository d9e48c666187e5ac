package io.weft.http.websocket;

import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.FrameEncoder;
import io.weft.codec.websocket.MessageDeflater;
import io.weft.codec.websocket.WebSocketLimits;
import io.weft.http.model.Request;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The settings of one end of WebSocket connections. Immutable.
///
/// @param limits of what the peer may send
/// @param timeouts of the handshake, the close and silence
/// @param subprotocols that this end speaks: of a client in the order of its preference, of a
///     server as a set, from which it takes the client's first
/// @param deflate what this end wants of compression; null for none
/// @param minCompressed messages of fewer bytes are sent as they are
/// @param pieces whether messages are handed out as they arrive, by
///     [WebSocketListener#onPiece], instead of whole
/// @param maxFrame payload of the longest frame that is sent; longer messages go in several
/// @param origin the requests that a server takes, by their origin; others get 403
public record WebSocketSettings(
        WebSocketLimits limits,
        WebSocketTimeouts timeouts,
        List<String> subprotocols,
        @Nullable DeflateParameters deflate,
        int minCompressed,
        boolean pieces,
        int maxFrame,
        Predicate<Request> origin) {
    /// Without subprotocols and compression, for requests of any origin.
    ///
    /// Servers whose clients are known by cookies need [#origin]: a page of anybody's can connect,
    /// with the cookies of whoever looks at it.
    public static final WebSocketSettings DEFAULT =
            new WebSocketSettings(
                    WebSocketLimits.DEFAULT,
                    WebSocketTimeouts.DEFAULT,
                    List.of(),
                    null,
                    MessageDeflater.DEFAULT_MIN_BYTES,
                    false,
                    FrameEncoder.DEFAULT_MAX_FRAME,
                    _ -> true);

    /// @throws IllegalArgumentException when a subprotocol is no token or comes twice, or
    ///     `maxFrame` is below 125
    public WebSocketSettings {
        subprotocols = List.copyOf(subprotocols);
        if (!subprotocols.stream().allMatch(HandshakeFields::isToken)
                || subprotocols.stream().distinct().count() != subprotocols.size()) {
            throw new IllegalArgumentException(
                    "subprotocols: " + subprotocols + " (expected: tokens, each once)");
        }
        if (maxFrame < 125) {
            throw new IllegalArgumentException("maxFrame: " + maxFrame + " (expected: >= 125)");
        }
    }

    public WebSocketSettings limits(WebSocketLimits value) {
        return new WebSocketSettings(
                value, timeouts, subprotocols, deflate, minCompressed, pieces, maxFrame, origin);
    }

    public WebSocketSettings timeouts(WebSocketTimeouts value) {
        return new WebSocketSettings(
                limits, value, subprotocols, deflate, minCompressed, pieces, maxFrame, origin);
    }

    public WebSocketSettings subprotocols(String... names) {
        return new WebSocketSettings(
                limits, timeouts, List.of(names), deflate, minCompressed, pieces, maxFrame, origin);
    }

    /// Compresses messages where the peer does, with whole windows and context.
    public WebSocketSettings compressed() {
        return deflate(DeflateParameters.DEFAULT);
    }

    public WebSocketSettings deflate(@Nullable DeflateParameters wanted) {
        return new WebSocketSettings(
                limits, timeouts, subprotocols, wanted, minCompressed, pieces, maxFrame, origin);
    }

    public WebSocketSettings minCompressed(int bytes) {
        return new WebSocketSettings(
                limits, timeouts, subprotocols, deflate, bytes, pieces, maxFrame, origin);
    }

    public WebSocketSettings pieces(boolean on) {
        return new WebSocketSettings(
                limits, timeouts, subprotocols, deflate, minCompressed, on, maxFrame, origin);
    }

    public WebSocketSettings maxFrame(int bytes) {
        return new WebSocketSettings(
                limits, timeouts, subprotocols, deflate, minCompressed, pieces, bytes, origin);
    }

    /// Takes the requests for which `allowed` is true: it looks at their Origin field.
    public WebSocketSettings origin(Predicate<Request> allowed) {
        return new WebSocketSettings(
                limits, timeouts, subprotocols, deflate, minCompressed, pieces, maxFrame, allowed);
    }

    /// Takes the requests of pages from these origins, such as `https://example.com`, and no
    /// others.
    public WebSocketSettings origins(String... allowed) {
        List<String> all = List.of(allowed);
        return origin(
                request -> {
                    List<String> sent = request.headers().all("origin");
                    return sent.size() == 1 && all.contains(sent.getFirst());
                });
    }
}
