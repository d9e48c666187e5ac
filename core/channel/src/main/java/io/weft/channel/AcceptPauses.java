package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.eventloop.process.Shortage;
import io.weft.loop.Timeout;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Times at which a listener that found no descriptor tries again: as soon as one is closed in this
/// process; and, as others give descriptors back as well (files, other processes), after 10 ms, 20
/// ms and so on to once a second.
///
/// If descriptors are short, a server runs out of them many times a second. So the log has a line
/// when that begins, one when it has not happened for a second, and in between at most one a second
/// with a count.
final class AcceptPauses {
    private static final long FIRST_RETRY_MILLIS = 10;
    private static final long LAST_RETRY_MILLIS = 1_000;
    private static final long REPORT_MILLIS = 1_000;

    private final ServerChannel server;

    /// Known to [Shortage].
    private final Runnable descriptorClosed = this::descriptorClosed;

    /// A try is on its way to the loop. One is enough for however many descriptors are closed
    /// before it runs.
    private final AtomicBoolean trying = new AtomicBoolean();

    private boolean paused;
    private long retryMillis = FIRST_RETRY_MILLIS;
    private @Nullable Timeout retry;
    private @Nullable Timeout report;
    private int pauses;
    private int unreported;

    AcceptPauses(ServerChannel server) {
        this.server = server;
    }

    /// A connection has been accepted.
    void accepted() {
        if (paused) {
            paused = false;
            retryMillis = FIRST_RETRY_MILLIS;
            Shortage.forget(descriptorClosed);
        }
    }

    /// No descriptor was left for a connection.
    void exhausted(Throwable cause) {
        if (!paused) {
            paused = true;
            pauses++;
            unreported++;
            Shortage.await(descriptorClosed);
            report(cause);
        }
        Shortage.descriptorNeeded();
        if (retry != null) {
            retry.cancel();
        }
        retry = server.eventLoop().schedule(this::tryAgain, retryMillis, TimeUnit.MILLISECONDS);
        retryMillis = Math.min(retryMillis * 2, LAST_RETRY_MILLIS);
    }

    /// Any thread.
    private void descriptorClosed() {
        if (trying.getAndSet(true)) {
            return;
        }
        try {
            // As a task also on this loop: some descriptors are given back by the next poll only.
            server.eventLoop().execute(this::tryAtOnce);
        } catch (RejectedExecutionException e) {
            trying.set(false);
            // Full: the timer comes. Ended: nobody accepts any more.
        }
    }

    private void tryAtOnce() {
        trying.set(false); // first: what is closed from now on asks again
        if (paused) {
            retryMillis = FIRST_RETRY_MILLIS; // an engine may take a moment to close it
            server.acceptAgain();
        }
    }

    private void tryAgain() {
        retry = null;
        if (paused) {
            server.acceptAgain();
        }
    }

    private void report(Throwable cause) {
        if (report == null) {
            LOG.info("not accepting on " + server + " for now: " + cause.getMessage());
            unreported = 0;
            reportLater();
        }
    }

    private void reportLater() {
        report = server.eventLoop().schedule(this::reportNow, REPORT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void reportNow() {
        report = null;
        if (unreported > 0) {
            LOG.info("out of descriptors on " + server + ", again and again: " + unreported);
        } else if (!paused) {
            LOG.info("accepting again on " + server + "; pauses: " + pauses);
            pauses = 0;
            return;
        }
        unreported = 0;
        reportLater();
    }

    /// The listener is closed.
    void end() {
        paused = false;
        Shortage.forget(descriptorClosed);
        if (retry != null) {
            retry.cancel();
        }
        if (report != null) {
            report.cancel();
        }
    }
}
