package io.weft.simulation;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/// Simulates servers and clients for some thousand hours: `[--seed N] [--hours N]
/// [--udt]`, which says that connections are streams of UDT.
///
/// The hours are cut into episodes, each with a seed of its own. Every tenth is run twice, and must
/// be the same event by event. What breaks prints the episode's seed: `--seed N --hours 1` runs
/// that one again.
public final class Main {
    private static final int HOURS_AN_EPISODE = 10;
    private static final int REPLAY_EVERY = 10;

    private Main() {}

    public static void main(String[] arguments) {
        long seed = new SplittableRandom().nextLong();
        long hours = 1_000;
        boolean udt = false;
        for (int i = 0; i < arguments.length; i += 2) {
            if (arguments[i].equals("--udt")) {
                udt = true;
                i--;
                continue;
            }
            if (i + 1 == arguments.length) {
                usage();
            }
            switch (arguments[i]) {
                case "--seed" -> seed = Long.parseLong(arguments[i + 1]);
                case "--hours" -> hours = Long.parseLong(arguments[i + 1]);
                default -> usage();
            }
        }
        System.exit(run(seed, hours, udt ? Episode::overUdt : Episode::new) ? 0 : 1);
    }

    private static void usage() {
        System.err.println("usage: simulate [--seed N] [--hours N] [--udt]");
        System.exit(2);
    }

    /// False when something broke.
    private static boolean run(long seed, long hours, LongFunction<Episode> episodes) {
        System.out.println("seed " + seed);
        long start = System.nanoTime();
        Tally all = new Tally();
        Duration virtual = Duration.ZERO;
        long events = 0;
        int replayed = 0;
        long episodeSeed = seed;
        for (int i = 0; virtual.toHours() < hours; i++) {
            Episode episode = episodes.apply(episodeSeed);
            Tally tally = run(episode);
            if (i % REPLAY_EVERY == 0) {
                Episode again = episodes.apply(episodeSeed);
                Tally _ = run(again);
                replayed++;
                if (again.hash() != episode.hash()) {
                    tally.broken("another run: " + again);
                }
            }
            if (!tally.broken().isEmpty()) {
                System.out.println("broken: " + episode);
                tally.broken().forEach(System.out::println);
                System.out.println(episode.trace());
            }
            all.add(tally);
            virtual = virtual.plus(episode.elapsed());
            events += episode.events();
            episodeSeed = episodeSeed * 0x5DEECE66DL + 11;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%,d hours in %.1f s, %,d events, replayed episodes: %d, broken: %d%n%s%n",
                virtual.toHours(), seconds, events, replayed, all.broken().size(), all);
        return all.broken().isEmpty();
    }

    private static Tally run(Episode episode) {
        try {
            return episode.run(Duration.ofHours(HOURS_AN_EPISODE));
        } catch (RuntimeException | Error e) {
            System.out.println("broken: " + episode);
            System.out.println(episode.trace());
            throw e;
        }
    }
}
