package io.weft.tls.x509;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/// The sources of statuses that are asked over the network, within limits: the JDK itself reads a
/// response of any length, waits as long as a byte comes now and then, and follows redirects to
/// any host.
final class StatusSources {
    /// For all that is asked in one check of a chain.
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    /// Responses with a chain of the responder's certificates have 2 to 5 KB.
    static final int MAX_RESPONSE_BYTES = 64 * 1024;

    /// Responders asked at a time.
    static final int MAX_REQUESTS = 16;

    /// RFC 5019 section 5, and what the JDK does: what is no longer is to be asked by GET, which
    /// caches can answer.
    private static final int MAX_GET_CHARS = 255;

    private final Duration timeout;
    private final HttpFetch responders = new HttpFetch(MAX_REQUESTS);

    StatusSources(Duration timeout) {
        this.timeout = timeout;
    }

    /// The deadline of a check that begins now.
    long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    /// Asks a responder (RFC 6960 appendix A.1).
    ///
    /// @param request an `OCSPRequest` in DER
    /// @return what should be an `OCSPResponse`
    byte[] ask(URI responder, byte[] request, long deadline) throws IOException {
        String base = responder.toString();
        String encoded =
                URLEncoder.encode(
                        Base64.getEncoder().encodeToString(request), StandardCharsets.US_ASCII);
        String get = base + (base.endsWith("/") ? "" : "/") + encoded;
        return get.length() <= MAX_GET_CHARS
                ? responders.fetch(URI.create(get), null, MAX_RESPONSE_BYTES, deadline)
                : responders.fetch(responder, request, MAX_RESPONSE_BYTES, deadline);
    }
}
