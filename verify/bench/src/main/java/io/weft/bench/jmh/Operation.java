package io.weft.bench.jmh;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Methods of one benchmark class that measure the same on different sides.
///
/// @param name like `UnsafeByteBuf/SetLong`
/// @param benchmarkClass its full name
record Operation(String name, String benchmarkClass, List<Side> sides) {
    private static final String SUFFIX = "Benchmark";

    /// Sorts JMH's benchmarks, given by their full names, into operations.
    static List<Operation> of(Collection<String> benchmarks) {
        Map<String, Operation> operations = new TreeMap<>();
        for (String benchmark : benchmarks) {
            int dot = benchmark.lastIndexOf('.');
            String in = benchmark.substring(0, dot);
            String method = benchmark.substring(dot + 1);
            String simple = in.substring(in.lastIndexOf('.') + 1);
            String subject =
                    simple.endsWith(SUFFIX)
                            ? simple.substring(0, simple.length() - SUFFIX.length())
                            : simple;
            String name = subject + "/" + Side.operation(method);
            operations
                    .computeIfAbsent(name, _ -> new Operation(name, in, new ArrayList<>()))
                    .sides()
                    .addAll(Side.of(method));
        }
        return List.copyOf(operations.values());
    }

    /// This with those sides only that the subsets leave it, maybe with none.
    Operation only(List<Goals.Subset> subsets) {
        List<Side> left = new ArrayList<>(sides);
        for (Goals.Subset subset : subsets) {
            if (subset.param().equals(Goals.SIDE) && subset.operation().test(name)) {
                left.removeIf(side -> !subset.values().contains(side.name()));
            }
        }
        return new Operation(name, benchmarkClass, left);
    }

    /// The sides in the order of one round; each round begins with another one.
    List<Side> sidesOf(int round) {
        List<Side> rotated = new ArrayList<>(sides);
        Collections.rotate(rotated, -round);
        return rotated;
    }

    /// The regex by which JMH finds a side's method and no other.
    String regex(Side side) {
        return "^" + Pattern.quote(benchmarkClass + "." + side.method()) + "$";
    }
}
