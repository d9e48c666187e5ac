package io.weft.http.client;

import io.weft.codec.DecoderException;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// Rules for interim responses that hold over HTTP/2 as the decoder of HTTP/1.1 has them.
final class InterimRules {
    private InterimRules() {}

    /// Returns the fault of an interim response; null if it has none. A length that is not 0 claims
    /// a body (RFC 9110, 8.6): a recipient behind this one, over HTTP/1.1, would take the final
    /// response for that.
    ///
    /// @param count of the interim responses so far, with this one
    static @Nullable DecoderException fault(int count, Headers fields) {
        if (count > ResponseDecoder.MAX_INTERIM) {
            return new DecoderException(
                    "interim responses: over "
                            + ResponseDecoder.MAX_INTERIM
                            + " (expected: a final one)");
        }
        String length = fields.first(HeaderName.CONTENT_LENGTH);
        return length == null || length.matches("0+")
                ? null
                : new DecoderException(
                        "content-length of an interim response: " + length + " (expected: none)");
    }
}
