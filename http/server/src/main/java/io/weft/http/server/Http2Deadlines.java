package io.weft.http.server;

import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Stream;
import io.weft.http.server.Deadlines.Wait;
import java.util.concurrent.TimeUnit;

/// Deadlines of an HTTP/2 connection and its streams. Thread: the channel's loop.
final class Http2Deadlines implements Deadlines.Owner {
    /// The time that a client has to answer the PING of a shutdown.
    private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Http2ServerConnection connection;
    private final Http2Connection h2;
    private final HttpServerLimits limits;

    /// Time at which a shutdown began; 0 before that.
    private long shutdownBegun;

    /// Time since which the client has had the same settings to acknowledge, if any; 0 before the
    /// first sweep.
    private long unacknowledgedSince;

    /// Settings that it had acknowledged by then.
    private int acknowledgements;

    Http2Deadlines(Http2ServerConnection connection, Http2Connection h2, HttpServerLimits limits) {
        this.connection = connection;
        this.h2 = h2;
        this.limits = limits;
    }

    void shutdownBegun(long now) {
        shutdownBegun = now;
    }

    @Override
    public long pendingBytes() {
        return connection.pendingBytes();
    }

    @Override
    public void missed(Wait what) {
        if (what == Wait.HEAD) {
            calm("preface or SETTINGS: too late");
        } else {
            h2.finishShutdown(); // between requests for long
        }
        connection.flush();
    }

    @Override
    public void stalled() {
        connection.abort();
    }

    @Override
    public void quiet() {}

    @Override
    public void giveUp(String what, Throwable cause) {
        connection.giveUp(what, cause);
    }

    /// Looks after the streams: a client that takes nothing of an answer is cut off.
    @Override
    public void swept(long now) {
        if (connection.isClosing()) {
            return;
        }
        if (shutdownBegun != 0 && now - shutdownBegun > SHUTDOWN_NANOS) {
            h2.finishShutdown();
        }
        checkSettings(now);
        connection.run(() -> sweepStreams(now));
        connection.flush();
    }

    /// Settings may follow an acknowledgement at once: each has the time of its own (6.5.3).
    private void checkSettings(long now) {
        int before = acknowledgements;
        acknowledgements = h2.acknowledgements();
        boolean same = h2.awaitsAcknowledgement() && before == acknowledgements;
        if (!same || unacknowledgedSince == 0) {
            unacknowledgedSince = now;
        } else if (now - unacknowledgedSince > limits.stallTimeout().toNanos()) {
            h2.fail(new Http2Exception(ErrorCode.SETTINGS_TIMEOUT, "SETTINGS: not acknowledged"));
        }
    }

    private void sweepStreams(long now) {
        for (Http2Stream stream : h2.streams()) {
            if (stream.attachment() instanceof Http2ServerStream wire && wire.isTunnelled()) {
                continue;
            }
            if (!stream.maySend()) {
                // It is answered, and the rest of its request of no use (8.1).
                stream.reset(ErrorCode.NO_ERROR);
            } else if (Http2ServerConnection.wire(stream).isStalled(now, limits)) {
                calm(stream + ": took too little of what it asked for");
                return;
            }
        }
    }

    private void calm(String why) {
        h2.fail(new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, why));
    }
}
