package io.weft.bench.mainjob;

/// The duration of everything. Times are seconds.
///
/// @param forks the number of times that every server is started anew: what the JIT made of one
///     process is luck
/// @param rounds measured windows of every side in each fork, interleaved
/// @param window length of a measured window
/// @param warmUp length of a window of [WarmUp], for each JVM and kind of load
/// @param costWindow length of the windows that count system calls and allocated bytes, after all
///     others
/// @param everyPeerWithUnsafe true if every peer takes part with Unsafe too, false if under each
///     load only the best of the first round does
record Plan(
        int forks,
        int rounds,
        double window,
        double warmUp,
        double costWindow,
        boolean everyPeerWithUnsafe) {
    /// Ends within three minutes.
    static final Plan QUICK = new Plan(1, 3, 0.5, 0.4, 0.25, false);

    static final Plan FULL = new Plan(2, 3, 3.0, 4.0, 1.0, true);
}
