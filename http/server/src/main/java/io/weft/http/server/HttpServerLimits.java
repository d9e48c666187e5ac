package io.weft.http.server;

import io.weft.http.http1.Http1Limits;
import io.weft.http.http2.Http2Limits;
import java.time.Duration;

/// Limits of the resources that a client may use. Every limit is finite.
///
/// @param http1 of lines and header sections
/// @param http2 of connections that speak HTTP/2
/// @param body bytes of a request's body that is collected in memory, 413 beyond
/// @param streamedBody bytes of a request's body that its handler reads as a stream, 413 beyond
/// @param headTimeout how long a request's head may take, from its first byte or from the accept of
///     the connection
/// @param idleTimeout how long a connection may wait between requests
/// @param bodyGrace how long a body may take before `bodyRate` applies
/// @param bodyRate bytes a second that a body must come in at, on average
/// @param stallTimeout how long a client may take none of the bytes that wait for it
/// @param halfCloseTimeout how long a handler may take to begin its answer to a client of HTTP/1.1
///     that has ended its side of the connection, which it has if it is gone
public record HttpServerLimits(
        Http1Limits http1,
        Http2Limits http2,
        int body,
        long streamedBody,
        Duration headTimeout,
        Duration idleTimeout,
        Duration bodyGrace,
        int bodyRate,
        Duration stallTimeout,
        Duration halfCloseTimeout) {
    public static final HttpServerLimits DEFAULT =
            new HttpServerLimits(
                    Http1Limits.DEFAULT,
                    Http2Limits.DEFAULT,
                    1 << 20,
                    1L << 30,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    1 << 10,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30));

    /// @throws IllegalArgumentException unless all are positive, durations are at most a day and
    ///     `body` is at most 1 GiB
    public HttpServerLimits {
        positive("headTimeout", headTimeout);
        positive("idleTimeout", idleTimeout);
        positive("bodyGrace", bodyGrace);
        positive("stallTimeout", stallTimeout);
        positive("halfCloseTimeout", halfCloseTimeout);
        if (body < 1 || body > 1 << 30) {
            throw new IllegalArgumentException(
                    "body: " + body + " (expected: 1 to " + (1 << 30) + ")");
        }
        if (streamedBody < 1) {
            throw new IllegalArgumentException(
                    "streamedBody: " + streamedBody + " (expected: at least 1)");
        }
        if (bodyRate < 1) {
            throw new IllegalArgumentException("bodyRate: " + bodyRate + " (expected: at least 1)");
        }
    }

    /// With the default `halfCloseTimeout`.
    ///
    /// @throws IllegalArgumentException as the other constructor does
    public HttpServerLimits(
            Http1Limits http1,
            Http2Limits http2,
            int body,
            long streamedBody,
            Duration headTimeout,
            Duration idleTimeout,
            Duration bodyGrace,
            int bodyRate,
            Duration stallTimeout) {
        this(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                DEFAULT.halfCloseTimeout);
    }

    private static void positive(String what, Duration value) {
        if (!value.isPositive() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: above 0, at most a day)");
        }
    }

    public HttpServerLimits withHttp1(Http1Limits limits) {
        return new HttpServerLimits(
                limits,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withHttp2(Http2Limits limits) {
        return new HttpServerLimits(
                http1,
                limits,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withBody(int bytes) {
        return new HttpServerLimits(
                http1,
                http2,
                bytes,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withStreamedBody(long bytes) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                bytes,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withHeadTimeout(Duration timeout) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                timeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withIdleTimeout(Duration timeout) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                timeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withBodyGrace(Duration time) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                time,
                bodyRate,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withBodyRate(int bytesPerSecond) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bytesPerSecond,
                stallTimeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withStallTimeout(Duration timeout) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                timeout,
                halfCloseTimeout);
    }

    public HttpServerLimits withHalfCloseTimeout(Duration timeout) {
        return new HttpServerLimits(
                http1,
                http2,
                body,
                streamedBody,
                headTimeout,
                idleTimeout,
                bodyGrace,
                bodyRate,
                stallTimeout,
                timeout);
    }
}
