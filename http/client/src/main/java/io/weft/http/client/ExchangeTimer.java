package io.weft.http.client;

import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.liveness.MovingDeadline;
import java.time.Duration;

/// The deadline of what an exchange waits for: the server to take the request, and to send the head
/// and the body of its response. Nothing is waited for while the application has nothing to send,
/// or does not read. Waiting for something else moves the deadline, so a piece of a body costs no
/// timer.
///
/// Thread: the loop.
final class ExchangeTimer {
    /// Is told of a deadline that was missed.
    interface Owner {
        void late(Stage stage, Duration most);
    }

    /// For a body that nobody wants: a new connection costs less than to wait longer for its end.
    private static final Duration MAX_DROPPING = Duration.ofMillis(500);

    private final ClientWire wire;
    private final HttpClientLimits limits;
    private final Owner owner;
    private final MovingDeadline deadline;
    private Stage stage = Stage.SEND;
    private Duration most = Duration.ZERO;

    /// The application had nothing to send when it was asked last.
    private boolean sourceRests;

    /// Of the wire, when the deadline for the server to take the request was set.
    private long takenBefore;

    private boolean requestSent;
    private boolean responded;

    /// The application reads no further for now.
    private boolean throttled;

    private boolean dropping;

    ExchangeTimer(ClientWire wire, HttpClientLimits limits, Owner owner) {
        this.wire = wire;
        this.limits = limits;
        this.owner = owner;
        deadline = new MovingDeadline(wire.eventLoop(), this::missed);
    }

    private void waitFor(Stage what, Duration atMost) {
        stage = what;
        most = atMost;
        deadline.set(atMost);
    }

    private void missed() {
        if (stage == Stage.SEND && isAtRest()) {
            return; // the last piece has gone since
        }
        if (stage == Stage.SEND && sourceRests && wire.takenBytes() > takenBefore) {
            waitForRoom(); // what waits may be of other exchanges, and moves
        } else {
            owner.late(stage, most);
        }
    }

    // ---- the request ----

    /// The server is to say if it wants the body.
    void awaitContinue() {
        waitFor(Stage.SEND, limits.continueTimeout());
    }

    /// The body is sent: it begins, a piece of it was written, or the wire takes more.
    ///
    /// @param idle whether the application has nothing to send now
    void sending(boolean idle) {
        sourceRests = idle;
        if (requestSent || dropping) {
            return;
        }
        if (responded) {
            if (!idle && !throttled) {
                receiving(); // a server that still takes the request need not send
            }
        } else if (isAtRest()) {
            rest();
        } else {
            waitForRoom();
        }
    }

    private void waitForRoom() {
        takenBefore = wire.takenBytes();
        waitFor(Stage.SEND, limits.stallTimeout());
    }

    /// Tells if everything that the application has given is out.
    private boolean isAtRest() {
        return sourceRests && wire.pendingBytes() == 0;
    }

    /// The request is out.
    void requestSent() {
        requestSent = true;
        if (!responded) {
            waitFor(Stage.HEAD, limits.headTimeout());
        }
    }

    // ---- the response ----

    /// More of the response is to come.
    void receiving() {
        responded = true;
        throttled = false;
        waitFor(Stage.BODY, limits.stallTimeout());
    }

    /// The application reads no further for now.
    void throttled() {
        throttled = true;
        rest();
    }

    /// The rest of the response is dropped as it comes, which moves this deadline no more: a
    /// redirect is followed behind it.
    void dropping() {
        dropping = true;
        Duration stall = limits.stallTimeout();
        waitFor(Stage.BODY, stall.compareTo(MAX_DROPPING) < 0 ? stall : MAX_DROPPING);
    }

    /// Nothing is waited for.
    void rest() {
        deadline.clear();
    }

    void end() {
        deadline.end();
    }
}
