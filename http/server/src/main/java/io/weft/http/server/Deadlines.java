package io.weft.http.server;

import org.jspecify.annotations.Nullable;

/// The deadlines of one connection: what it waits for, since when, and until when. Checked by the
/// [Sweeper] twice a second, so that a request arms and cancels no timer.
///
/// Thread: the loop.
final class Deadlines {
    /// The events that a connection may wait for.
    enum Wait {
        /// The rest of a head, or the first one.
        HEAD,
        /// The next request.
        REQUEST,
        /// The rest of a body.
        BODY,
        /// The application, or the client who is to take the answer.
        ANSWER,
        /// The channel's close, which has deadlines of its own.
        NOTHING
    }

    /// Has the deadlines.
    interface Owner {
        /// Bytes that wait for the client to take them.
        long pendingBytes();

        /// Tells if the client has finished sending, or may be gone.
        default boolean isInputEnded() {
            return false;
        }

        /// The client was too late with what is waited for.
        void missed(Wait what);

        /// The client takes nothing of what waits for it.
        void stalled();

        /// A sweep finds the connection between requests: it may wait for long.
        void quiet();

        /// A sweep comes by: for deadlines that the owner has besides.
        default void swept(long now) {}

        /// Cuts the connection off after a failure that nothing else is to be done about.
        void giveUp(String what, Throwable cause);
    }

    private final Owner owner;
    private final ServerLoop server;

    /// Neighbours in the sweeper's list.
    @Nullable Deadlines next;

    /// Null for the first; this one itself when it is in the list no longer.
    @Nullable Deadlines prev;

    private Wait wait = Wait.HEAD;

    /// When it began.
    private long since;

    private long bodyReceived;
    private long stalledBytes;

    Deadlines(Owner owner, ServerLoop server) {
        this.owner = owner;
        this.server = server;
    }

    /// Returns what the connection has in common with others of its loop.
    ServerLoop server() {
        return server;
    }

    Owner owner() {
        return owner;
    }

    /// Begins: the first head is waited for.
    void begin(long now) {
        since = now;
        server.sweeper().add(this);
    }

    void end() {
        server.sweeper().remove(this);
    }

    /// Waits for something else from now on.
    void waitFor(Wait what) {
        wait = what;
        since = server.sweeper().now();
        bodyReceived = 0;
        stalledBytes = 0;
    }

    /// Waits for the answer. When nothing waits for the client, its time begins with what is sent;
    /// no clock is needed here, unless the client may be gone.
    void waitForAnswer() {
        wait = Wait.ANSWER;
        if (owner.isInputEnded()) {
            since = server.sweeper().now();
        }
    }

    boolean isWaitingForRequest() {
        return wait == Wait.REQUEST;
    }

    /// Bytes of a body came in.
    void received(int bytes) {
        bodyReceived += bytes;
    }

    /// Enforces the deadline of what is waited for.
    void check(long now) {
        owner.swept(now);
        long waited = now - since;
        switch (wait) {
            case NOTHING -> {}
            case ANSWER -> checkAnswer(now, waited);
            case BODY -> checkBody(waited);
            case HEAD, REQUEST -> {
                owner.quiet();
                long most =
                        (wait == Wait.HEAD
                                        ? server.limits().headTimeout()
                                        : server.limits().idleTimeout())
                                .toNanos();
                if (waited > most) {
                    owner.missed(wait);
                } else if (owner.pendingBytes() > 0) {
                    checkStall(now, waited);
                }
            }
        }
    }

    private void checkBody(long waited) {
        long grace = server.limits().bodyGrace().toNanos();
        if (waited > grace && bodyReceived < (waited - grace) / 1e9 * server.limits().bodyRate()) {
            owner.missed(wait);
        }
    }

    /// A client that is gone looks like one that has just finished sending.
    private void checkAnswer(long now, long waited) {
        if (!owner.isInputEnded() || owner.pendingBytes() > 0) {
            checkStall(now, waited);
        } else if (waited > server.limits().halfCloseTimeout().toNanos()) {
            owner.missed(wait);
        }
    }

    private void checkStall(long now, long waited) {
        long pending = owner.pendingBytes();
        if (pending == 0 || pending != stalledBytes) {
            stalledBytes = pending;
            since = now;
        } else if (waited > server.limits().stallTimeout().toNanos()) {
            owner.stalled();
        }
    }
}
