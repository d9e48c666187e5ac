package io.weft.bench.transport.process;

import java.util.Arrays;

/// An open model of load: requests are due at a fixed rate on some connections in turn, whether or
/// not the server keeps up with them.
///
/// A connection has one request under way. Another that is due meanwhile waits for the answer, and
/// its time counts from when it was due, not from when it was sent: a server that stands still for
/// a while is charged for all whom it keeps waiting. Times are of [System#nanoTime].
final class Pace {
    private final double interval;
    private final long start;

    /// Requests that have become due.
    private long begun;

    /// Of each connection: the number of its request under way, or -1.
    private final long[] current;

    /// Of each connection: its requests that are due behind the one under way.
    private final int[] waiting;

    /// @param rate requests a second
    Pace(int connections, double rate, long start) {
        this.interval = 1e9 / rate;
        this.start = start;
        this.current = new long[connections];
        this.waiting = new int[connections];
        Arrays.fill(current, -1);
    }

    private long due(long request) {
        return start + (long) (request * interval);
    }

    /// Returns a connection on which a request is to be sent now; -1 if there is none.
    int next(long now) {
        while (due(begun) - now <= 0) {
            long request = begun++;
            int connection = (int) (request % current.length);
            if (current[connection] < 0) {
                current[connection] = request;
                return connection;
            }
            waiting[connection]++;
        }
        return -1;
    }

    /// Returns the time that the request under way has taken.
    long elapsed(int connection, long now) {
        return now - due(current[connection]);
    }

    /// The request under way is answered.
    ///
    /// @return true if another one is to be sent on the connection at once
    boolean answered(int connection) {
        if (waiting[connection] == 0) {
            current[connection] = -1;
            return false;
        }
        waiting[connection]--;
        current[connection] += current.length;
        return true;
    }

    /// Adds how long requests have waited that will not be sent: else a server that falls behind
    /// would only be charged for what it has answered.
    void giveUp(long now, Latencies to) {
        for (int connection = 0; connection < current.length; connection++) {
            while (waiting[connection] > 0) {
                long request = current[connection] + (long) waiting[connection] * current.length;
                waiting[connection]--;
                to.add(now - due(request));
            }
        }
    }
}
