package io.weft.transport.sim;

/// Events of a simulation, as a hash of all of them with their virtual times, and the last of them
/// in words.
///
/// The same seed and the same program give the same trace. If they do not, the program depends on
/// something that is not simulated: real time, a thread, the order of a hash table. The trace has
/// the numbers of bytes, not the bytes: a program that wants these in it notes a hash of them
/// ([Simulation#note]).
public final class Trace {
    /// Kind of an event.
    enum Kind {
        ROUND,
        CONNECT,
        CONNECTED,
        FAILED,
        LISTEN,
        ACCEPT,
        EXHAUSTED,
        SEND,
        PENDING,
        ARRIVE,
        RECEIVE,
        END,
        RESET,
        CLOSE,
        DATAGRAM,
        PARTITION,
        HEAL,
        JUMP,
        NOTE
    }

    private static final int KEPT = 1 << 8;

    private final long[] times = new long[KEPT];
    private final Kind[] kinds = new Kind[KEPT];
    private final int[] whos = new int[KEPT];
    private final long[] whats = new long[KEPT];
    private long hash = 0x9E3779B97F4A7C15L;
    private long events;

    Trace() {}

    void note(long time, Kind kind, int who, long what) {
        hash = mix(hash ^ time);
        hash = mix(hash ^ ((long) kind.name().hashCode() << 32 | who));
        hash = mix(hash ^ what);
        int at = (int) (events++ & (KEPT - 1));
        times[at] = time;
        kinds[at] = kind;
        whos[at] = who;
        whats[at] = what;
    }

    /// The finalizer of MurmurHash3.
    private static long mix(long bits) {
        long h = (bits ^ (bits >>> 33)) * 0xFF51AFD7ED558CCDL;
        h = (h ^ (h >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return h ^ (h >>> 33);
    }

    /// Of all events so far.
    public long hash() {
        return hash;
    }

    /// Returns the number of events.
    public long events() {
        return events;
    }

    /// The last events, at most 256, a line each: time in nanoseconds, kind, connection or host,
    /// amount or detail.
    public String tail() {
        StringBuilder lines = new StringBuilder();
        for (long i = Math.max(0, events - KEPT); i < events; i++) {
            int at = (int) (i & (KEPT - 1));
            lines.append(times[at])
                    .append(' ')
                    .append(kinds[at])
                    .append(' ')
                    .append(whos[at])
                    .append(' ')
                    .append(whats[at])
                    .append('\n');
        }
        return lines.toString();
    }
}
