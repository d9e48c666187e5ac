package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The results so far.
final class Measured {
    private final Predicate<String> only;
    private final Map<String, Row> rows = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean failed;

    /// @param only which operations, or rows, are wanted
    Measured(Predicate<String> only) {
        this.only = only;
    }

    /// @param operations with a space between any two
    boolean wants(String operations) {
        return Stream.of(operations.split(" ", -1)).anyMatch(only);
    }

    /// @param title an operation with its parameters
    boolean wantsRow(String title) {
        return only.test(title);
    }

    /// Adds a side's result of a round; the n-th of all sides are compared.
    void add(Row row, ServerSide side, double score) {
        rows.computeIfAbsent(row.title(), _ -> row).add(side.name(), score, Double.NaN);
    }

    /// A side's result of a window, for one row.
    record Score(Row row, double value) {}

    /// Adds a side's results of a round.
    void add(ServerSide side, List<Score> scores) {
        scores.forEach(score -> add(score.row, side, score.value));
    }

    /// Something did not run that should have.
    void failure(String what) {
        failed = true;
        remarks.add("FAILED: " + what);
    }

    /// Something that readers should know.
    void remark(String what) {
        remarks.add(what);
    }

    boolean failed() {
        return failed;
    }

    Collection<Row> rows() {
        return rows.values();
    }

    List<String> remarks() {
        return remarks;
    }
}
