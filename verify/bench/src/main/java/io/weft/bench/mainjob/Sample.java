package io.weft.bench.mainjob;

/// The figures of one side in one measured window.
///
/// @param cpuPerMillion CPU seconds of the server a million requests
/// @param busy share of its core that the server used; below 1 it waited for the load generator
record Sample(
        double requestsPerSecond,
        double p99Micros,
        double cpuPerMillion,
        double busy,
        long errors) {
    static Sample of(WrkReport report, double cpuSeconds) {
        return new Sample(
                report.requestsPerSecond(),
                report.p99Micros(),
                cpuSeconds * 1e6 / report.requests(),
                cpuSeconds / report.seconds(),
                report.errors());
    }
}
