package io.weft.bench.mainjob;

import io.weft.bench.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The least ratios that are asked of Weft's best side beside others.
final class Goals {
    /// Beside what is only to be level with.
    private static final double AHEAD = 1;

    /// A request costs at most 0.85 of the processor time of the best peer.
    private static final double CPU = 1 / 0.85;

    private Goals() {}

    static List<Verdict> of(Results results, Load load, Metric metric) {
        List<Verdict> verdicts = new ArrayList<>();
        if (metric == Metric.CPU) {
            results.best(load, metric, Side.Role.PEER)
                    .flatMap(than -> verdict(results, load, metric, than, CPU))
                    .ifPresent(verdicts::add);
        }
        if (metric != Metric.THROUGHPUT) {
            return verdicts;
        }
        for (Side.Role role : List.of(Side.Role.PEER, Side.Role.LIMIT)) {
            double least = least(load, role);
            results.best(load, metric, role)
                    .filter(_ -> least > 0)
                    .flatMap(than -> verdict(results, load, metric, than, least))
                    .ifPresent(verdicts::add);
        }
        for (Side side : results.sides(load)) {
            if (isRival(side, load)) {
                verdict(results, load, metric, side, AHEAD).ifPresent(verdicts::add);
            }
        }
        return verdicts;
    }

    /// Every server of the JVM and that of Go under each load, nginx without pipelining.
    private static boolean isRival(Side side, Load load) {
        return side.role() == Side.Role.RIVAL
                || (side.role() == Side.Role.NATIVE
                        && (load == Load.PLAIN
                                || load == Load.SATURATED
                                || !side.name().equals("nginx")));
    }

    private static double least(Load load, Side.Role role) {
        boolean limit = role == Side.Role.LIMIT;
        return switch (load) {
            case PLAIN, SATURATED -> limit ? 0.97 : 1.15;
            case PIPELINED, SATURATED_PIPELINED -> limit ? 0.95 : 1.7;
            case NEW_CONNECTION -> limit ? 0 : 1.3;
        };
    }

    private static Optional<Verdict> verdict(
            Results results, Load load, Metric metric, Side than, double least) {
        return results.best(load, metric, Side.Role.WEFT)
                .map(
                        weft ->
                                new Verdict(
                                        than.name(),
                                        results.ratio(load, metric, weft, than),
                                        least));
    }
}
