package io.weft.bench.jmh;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The goals that Weft is meant to reach, and those of them that a quick run looks at: the lines of
/// `goals.txt`, where their syntax is described.
public record Goals(List<Goal> goals, List<Limit> limits, List<Subset> subsets) {
    private static final String FILE = "goals.txt";

    /// "Level" leaves room for the measuring error of a ratio that is 1.
    private static final double LEVEL = 0.95;

    /// @param row matches [Row#title]
    /// @param beside matches the sides of which the best is meant
    public record Goal(Predicate<String> row, String beside, double least) {}

    /// The limit that the score of the best of Weft's sides is not to exceed.
    ///
    /// @param row matches [Row#title]
    public record Limit(Predicate<String> row, double most) {}

    /// In a [Subset], the word in the place of a parameter where it is sides that are taken.
    static final String SIDE = "side";

    /// The same where it is the length of an iteration in milliseconds.
    static final String MILLIS = "millis";

    /// The values of a parameter that a quick run takes.
    public record Subset(Predicate<String> operation, String param, List<String> values) {}

    public static Goals of(String group) {
        try (InputStream file = Goals.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + ": missing beside " + Goals.class);
            }
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            return parse(group, reader.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns these without the goals and the limits, for a run whose figures mean nothing.
    public Goals withoutGoals() {
        return new Goals(List.of(), List.of(), subsets);
    }

    static Goals parse(String group, List<String> lines) {
        List<Goal> goals = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        List<Subset> subsets = new ArrayList<>();
        for (String line : lines) {
            String[] fields = line.split("\\s+[|]\\s+", -1);
            if (line.isBlank() || line.startsWith("#") || !fields[0].strip().equals(group)) {
                continue;
            }
            if (fields.length != 4) {
                throw new IllegalArgumentException(
                        FILE + ": " + line + " (expected: 4 fields between |)");
            }
            Predicate<String> rows = Pattern.compile(fields[1]).asMatchPredicate();
            if (fields[2].equals("quick")) {
                String[] assignment = fields[3].split("=", 2);
                subsets.add(
                        new Subset(rows, assignment[0], List.of(assignment[1].strip().split(","))));
            } else if (fields[2].equals("most")) {
                limits.add(new Limit(rows, Double.parseDouble(fields[3].strip())));
            } else {
                String least = fields[3].strip();
                goals.add(
                        new Goal(
                                rows,
                                fields[2],
                                least.equals("level") ? LEVEL : Double.parseDouble(least)));
            }
        }
        return new Goals(List.copyOf(goals), List.copyOf(limits), List.copyOf(subsets));
    }

    /// Returns the largest score that is allowed, where less is better; the last line counts.
    OptionalDouble most(Row row) {
        return limits.stream()
                .filter(limit -> limit.row().test(row.title()))
                .mapToDouble(Limit::most)
                .reduce((_, last) -> last);
    }

    /// The least ratio by peers; of several lines about the same peers the last one counts.
    Map<String, Double> of(Row row) {
        Map<String, Double> least = new LinkedHashMap<>();
        for (Goal goal : goals) {
            if (goal.row().test(row.title())) {
                least.put(goal.beside(), goal.least());
            }
        }
        return least;
    }
}
