package io.weft.bench.robustness;

import java.io.IOException;

/// Something that peers do to a server.
interface Attack {
    /// The name in the report.
    String name();

    /// The most that it may cost the server, in words.
    String goal();

    /// The figure of others, or why there is none.
    String anchor();

    /// Attacks.
    ///
    /// @param scale the number of peers, in hundreds
    Result on(Victim victim, int scale) throws IOException, InterruptedException;

    /// The figure that was measured, and if it reaches the goal.
    record Result(String measured, boolean met) {}
}
