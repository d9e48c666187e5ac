package io.weft.http.server;

import io.weft.channel.ChannelHandlerContext;
import io.weft.http.server.exchange.Application;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;

/// The part of a server that the connections of one loop share. Thread: the loop.
final class ServerLoop {
    /// Idle [Http1Active]s that are kept. More than these are garbage when many connections become
    /// idle at once.
    private static final int MAX_SPARE = 256;

    private final Application application;
    private final HttpServerLimits limits;
    private final Sweeper sweeper;
    private final boolean upgrades;
    private final ArrayDeque<Http1Active> spare = new ArrayDeque<>();

    /// Of connections that have ended in the events or the task that the loop is at: some of their
    /// methods may not have returned.
    private final ArrayDeque<Http1Active> ended = new ArrayDeque<>();

    private final Runnable takeBack = this::takeBack;

    ServerLoop(Application application, HttpServerLimits limits, Sweeper sweeper) {
        this(application, limits, sweeper, false);
    }

    /// @param upgrades whether clients of HTTP/1.1 may change to HTTP/2
    ServerLoop(
            Application application, HttpServerLimits limits, Sweeper sweeper, boolean upgrades) {
        this.application = application;
        this.limits = limits;
        this.sweeper = sweeper;
        this.upgrades = upgrades;
    }

    boolean upgrades() {
        return upgrades;
    }

    Application application() {
        return application;
    }

    HttpServerLimits limits() {
        return limits;
    }

    Sweeper sweeper() {
        return sweeper;
    }

    /// Lends what an active connection needs; [#giveBack] ends it.
    Http1Active lend(
            Http1Connection connection, ChannelHandlerContext context, Deadlines deadlines) {
        Http1Active spared = spare.pollFirst();
        Http1Active active = spared == null ? new Http1Active(this) : spared;
        active.begin(connection, context, deadlines);
        return active;
    }

    /// Takes back what a connection needs no longer, which has to be idle, or ended and at rest.
    void giveBack(Http1Active active) {
        active.end();
        if (spare.size() < MAX_SPARE) {
            spare.addFirst(active);
        }
    }

    /// Takes back what a connection needs no longer that has ended, as soon as all methods of it
    /// have returned: in a task, which the loop runs within nothing else.
    void giveBackSoon(Http1Active active) {
        if (ended.size() == MAX_SPARE) {
            return;
        }
        ended.add(active);
        if (ended.size() == 1) {
            try {
                sweeper.loop().executeUnbounded(takeBack);
            } catch (RejectedExecutionException e) {
                ended.clear(); // the loop has ended: nobody is going to borrow
            }
        }
    }

    private void takeBack() {
        for (Http1Active each = ended.poll(); each != null; each = ended.poll()) {
            // Its last methods may have left something: input behind the last request, for one.
            if (each.isAtRest()) {
                giveBack(each);
            }
        }
    }

    /// The number of [Http1Active]s that wait for a connection.
    int spare() {
        return spare.size();
    }
}
