package io.weft.bench.robustness;

import java.io.IOException;

/// Something that peers do to a server.
///
/// @param name the name in the report
/// @param goal the most that it may cost the server, in words
/// @param anchor the figure of others, or why there is none
/// @param action the attack itself
record Attack(String name, String goal, String anchor, Action action) {
    /// An attack under way.
    @FunctionalInterface
    interface Action {
        /// Attacks.
        ///
        /// @param scale the number of peers, in hundreds
        Result on(Victim victim, int scale) throws IOException, InterruptedException;
    }

    /// The figure that was measured, and if it reaches the goal.
    record Result(String measured, boolean met) {}

    /// See [Action#on].
    Result on(Victim victim, int scale) throws IOException, InterruptedException {
        return action.on(victim, scale);
    }
}
