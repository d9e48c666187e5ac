package io.weft.http.client;

import io.weft.codec.compression.DecompressionLimits;
import io.weft.http.http1.Http1Limits;
import java.time.Duration;

/// Limits of what a client waits for and of what servers may make it hold. Every limit is finite.
///
/// @param http1 of status lines and header sections
/// @param body bytes of a response's body that is collected in memory; streamed ones have no limit
/// @param decompression of what a compressed body may become, streamed or collected
/// @param connectTimeout until a connection is there: the wait for a place, the connect, the proxy
///     and TLS together; and once more until a server of HTTP/2 has a stream for the request
/// @param headTimeout from the end of the request until the response's head
/// @param stallTimeout between two bytes, sent or received, while the application waits for them
/// @param continueTimeout how long a body waits for 100 (Continue) before it is sent all the same
/// @param totalTimeout from the call to the end of the body, redirects included
/// @param idleTimeout how long a connection is kept without a request
/// @param perOrigin connections to one origin
/// @param connections to all origins together
/// @param waiting requests that may wait for a connection
/// @param redirects that are followed for one request
/// @param resets streams of one connection of HTTP/2 that this side resets within 10 s, mostly of
///     requests that are given up; further requests go by another connection then. Servers end a
///     connection with too many of them, since an attack looks alike
public record HttpClientLimits(
        Http1Limits http1,
        int body,
        DecompressionLimits decompression,
        Duration connectTimeout,
        Duration headTimeout,
        Duration stallTimeout,
        Duration continueTimeout,
        Duration totalTimeout,
        Duration idleTimeout,
        int perOrigin,
        int connections,
        int waiting,
        int redirects,
        int resets) {
    /// Below what servers allow: 100 in 10 s in ours, 200 in 30 s in others.
    private static final int RESETS = 45;

    public static final HttpClientLimits DEFAULT =
            new HttpClientLimits(
                    Http1Limits.DEFAULT,
                    16 << 20,
                    DecompressionLimits.DEFAULT,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(30),
                    32,
                    256,
                    1024,
                    10,
                    RESETS);

    /// @throws IllegalArgumentException unless all are positive (`redirects`: from 0), durations
    ///     are at most a day and `body` is at most 1 GiB
    public HttpClientLimits {
        time("connectTimeout", connectTimeout);
        time("headTimeout", headTimeout);
        time("stallTimeout", stallTimeout);
        time("continueTimeout", continueTimeout);
        time("totalTimeout", totalTimeout);
        time("idleTimeout", idleTimeout);
        range("body", body, 1, 1 << 30);
        range("perOrigin", perOrigin, 1, 65_536);
        range("connections", connections, 1, 65_536);
        range("waiting", waiting, 1, 1 << 20);
        range("redirects", redirects, 0, 100);
        range("resets", resets, 1, 1 << 20);
    }

    /// Has the default number of resets.
    public HttpClientLimits(
            Http1Limits http1,
            int body,
            DecompressionLimits decompression,
            Duration connectTimeout,
            Duration headTimeout,
            Duration stallTimeout,
            Duration continueTimeout,
            Duration totalTimeout,
            Duration idleTimeout,
            int perOrigin,
            int connections,
            int waiting,
            int redirects) {
        this(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                RESETS);
    }

    private static void time(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: more than 0, at most a day)");
        }
    }

    private static void range(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public HttpClientLimits withHttp1(Http1Limits value) {
        return new HttpClientLimits(
                value,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withBody(int value) {
        return new HttpClientLimits(
                http1,
                value,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withDecompression(DecompressionLimits value) {
        return new HttpClientLimits(
                http1,
                body,
                value,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withConnectTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                value,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withHeadTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                value,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withStallTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                value,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withContinueTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                value,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withTotalTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                value,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withIdleTimeout(Duration value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                value,
                perOrigin,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withPerOrigin(int value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                value,
                connections,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withConnections(int value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                value,
                waiting,
                redirects,
                resets);
    }

    public HttpClientLimits withWaiting(int value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                value,
                redirects,
                resets);
    }

    public HttpClientLimits withRedirects(int value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                value,
                resets);
    }

    public HttpClientLimits withResets(int value) {
        return new HttpClientLimits(
                http1,
                body,
                decompression,
                connectTimeout,
                headTimeout,
                stallTimeout,
                continueTimeout,
                totalTimeout,
                idleTimeout,
                perOrigin,
                connections,
                waiting,
                redirects,
                value);
    }
}
