package io.weft.tls.x509;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

    /// Lists of one certificate together. Most lists of public authorities have less than 1 MiB; a
    /// list takes some ten times as much memory as its bytes.
    static final int MAX_LIST_BYTES = 4 << 20;

    /// Checks that fetch lists at a time.
    static final int MAX_FETCHES = 4;

    private final Duration timeout;
    private final HttpFetch responders = new HttpFetch(MAX_REQUESTS);
    private final HttpFetch points = new HttpFetch(MAX_FETCHES);
    private final Semaphore turns = new Semaphore(MAX_FETCHES);
    private final ListCache cache = new ListCache();

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

    /// Returns the list of a distribution point that is kept; null where none is.
    @Nullable X509CRL known(URI point) {
        return cache.get(point);
    }

    /// Keeps a list that has decided, for the next checks.
    void keep(URI point, X509CRL list) throws CRLException {
        cache.put(point, list);
    }

    void forget(URI point) {
        cache.remove(point);
    }

    /// Waits until lists may be fetched: what is not known to be signed takes memory until it is
    /// judged. [#endTurn] is to follow.
    void awaitTurn(long deadline) throws IOException {
        try {
            if (!turns.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException("too many others fetch lists");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    void endTurn() {
        turns.release();
    }

    /// Fetches what should be the list of a distribution point.
    byte[] list(URI point, int limit, long deadline) throws IOException {
        return points.fetch(point, null, limit, deadline);
    }

    /// Parses a list, which nobody has checked yet.
    ///
    /// @throws CRLException when it is none
    static X509CRL parse(byte[] bytes) throws GeneralSecurityException {
        return (X509CRL)
                CertificateFactory.getInstance("X.509")
                        .generateCRL(new ByteArrayInputStream(bytes));
    }
}
