package io.weft.bench.mainjob;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Measures all sides under all loads, interleaved.
final class Run {
    private final Plan plan;
    private final LoadGenerator generator;
    private final SyscallProbe probe;
    private final List<Side> sides;
    private final List<String> skipped;
    private final Results results = new Results();

    /// For each load the best of the peers as shipped, which runs once more with Unsafe; known
    /// after the first round.
    private final Map<Load, Side> firstBest = new EnumMap<>(Load.class);

    Run(Plan plan, LoadGenerator generator, SyscallProbe probe, Sides sides) {
        this.plan = plan;
        this.generator = generator;
        this.probe = probe;
        this.sides = new ArrayList<>(sides.all());
        if (plan.everyPeerWithUnsafe()) {
            sides.all().stream()
                    .filter(side -> side.role() == Side.Role.PEER)
                    .forEach(side -> this.sides.add(Sides.withUnsafe(side)));
        }
        this.skipped = new ArrayList<>(sides.skipped());
    }

    /// Returns the sides that did not take part, with the reasons.
    List<String> skipped() {
        List<String> all = new ArrayList<>(skipped);
        for (Map.Entry<Load, Side> entry : firstBest.entrySet()) {
            Load load = entry.getKey();
            results.best(load, Metric.THROUGHPUT, this::isShippedPeer)
                    .filter(best -> !best.equals(entry.getValue()))
                    .ifPresent(best -> all.add(notForced(best, load)));
        }
        return all;
    }

    private boolean isShippedPeer(Side side) {
        return side.role() == Side.Role.PEER && sides.contains(side);
    }

    private static String notForced(Side side, Load load) {
        return side.name()
                + " +unsafe: skipped for \""
                + load.title
                + "\", it was not the best of the first round";
    }

    Results execute() throws IOException, InterruptedException {
        for (int fork = 1; fork <= plan.forks(); fork++) {
            try (Session session = new Session(generator, plan)) {
                startAll(session);
                for (Load load : generator.loads()) {
                    for (int round = 1; round <= plan.rounds(); round++) {
                        progress("fork " + fork + ", round " + round + ": " + load.title);
                        measureRound(session, load, round);
                    }
                }
                if (fork == plan.forks()) {
                    countCosts(session);
                }
            }
        }
        return results;
    }

    private void startAll(Session session) throws IOException, InterruptedException {
        for (Side side : List.copyOf(sides)) {
            progress("starting " + side.name());
            try {
                session.start(side, generator.loads());
            } catch (IOException e) {
                sides.remove(side);
                skipped.add(side.name() + ": skipped, " + e.getMessage());
            }
        }
        for (Map.Entry<Load, Side> best : firstBest.entrySet()) {
            session.start(Sides.withUnsafe(best.getValue()), List.of(best.getKey()));
        }
    }

    private void measureRound(Session session, Load load, int round)
            throws IOException, InterruptedException {
        List<Side> order = sidesUnder(load);
        // Each round starts with another side, so that none always follows the same neighbour.
        Collections.rotate(order, 1 - round);
        for (Side side : order) {
            results.add(load, side, session.measure(load, side));
        }
        if (!plan.everyPeerWithUnsafe() && !firstBest.containsKey(load)) {
            var best = results.best(load, Metric.THROUGHPUT, Side.Role.PEER);
            if (best.isPresent()) {
                Side side = Sides.withUnsafe(best.get());
                firstBest.put(load, best.get());
                session.start(side, List.of(load));
                results.add(load, side, session.measure(load, side));
            }
        }
    }

    private void countCosts(Session session) throws IOException, InterruptedException {
        for (Load load : Load.values()) {
            if (load.saturates()) {
                continue;
            }
            progress("system calls and allocation: " + load.title);
            for (Side side : sidesUnder(load)) {
                try {
                    results.add(load, side, session.count(probe, load, side));
                } catch (IOException e) {
                    // Helidon's filter of serialized objects keeps agents out.
                    skipped.add(side.name() + ": not counted, " + e.getMessage());
                }
            }
        }
    }

    private List<Side> sidesUnder(Load load) {
        List<Side> all = new ArrayList<>(sides);
        Side best = firstBest.get(load);
        if (best != null) {
            all.add(Sides.withUnsafe(best));
        }
        return all;
    }

    private static void progress(String what) {
        System.err.println("  " + what);
    }
}
