package io.weft.transport.sim;

import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/// A world of hosts, loops, a network and a clock, all of which come from one seed: the same seed
/// and the same program give the same run, event by event ([#trace]).
///
/// Its loops run the production code of channels and pipelines on the thread that calls [#run], one
/// round of one loop at a time, in an order that the seed decides. Time is virtual: it stands still
/// while anything can be done, and then leaps to the next thing that happens.
///
/// ```java
/// try (var sim = new Simulation(Simulation.seed(), Faults.rough())) {
///     SimHost server = sim.host("server");
///     … new ServerBootstrap(server.group(2)) … new Bootstrap(sim.host("client").group(1)) …
///     sim.run(Duration.ofHours(1));
/// }
/// ```
///
/// All of it belongs to one thread. No program in it may block, or look at real time: `join` of a
/// future on that thread is refused before the end, [#await] runs until there.
public final class Simulation implements AutoCloseable {
    /// Rounds at one point in time after which the program is taken to spin.
    private static final int MAX_ROUNDS_AT_ONCE = 1_000_000;

    private static final Duration END = Duration.ofHours(1);

    /// A loop as the scheduler sees it.
    record Turn(int id, ManualEventLoop loop, SimEngine engine) {
        boolean hasWork() {
            return !hasEnded() && (engine.hasReady() || loop.untilNext() <= 0);
        }

        boolean hasEnded() {
            return loop.eventLoop().isTerminated();
        }
    }

    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom scheduling;
    private final ManualClock clock;
    private final Trace trace = new Trace();
    private final Timeline timeline = new Timeline();
    private final SimNetwork network = new SimNetwork(this);
    private final List<SimHost> hosts = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final List<Turn> runnable = new ArrayList<>();
    private Faults faults;
    private long now;
    private int connections;
    private long nextJump = Long.MAX_VALUE;

    public Simulation(long seed, Faults faults) {
        this.seed = seed;
        this.faults = faults;
        SplittableRandom root = new SplittableRandom(seed);
        random = root.split();
        scheduling = root.split();
        // Half of them come to where the clock wraps around.
        clock = new ManualClock(root.nextBoolean() ? 0 : Long.MAX_VALUE - root.nextLong(1L << 44));
        planJump();
        network.planPartition();
    }

    /// The seed to use: `io.weft.simulation.seed` where that is set, else 1, so that a test does
    /// the same each time. To look for faults, run it with many others.
    public static long seed() {
        return Long.getLong("io.weft.simulation.seed", 1);
    }

    public long randomSeed() {
        return seed;
    }

    /// For the program: what it draws here is part of the seed, and changes nothing about the
    /// network.
    public SplittableRandom random() {
        return random.split();
    }

    public Trace trace() {
        return trace;
    }

    /// Notes something of the program's in the trace.
    public void note(int who, long what) {
        trace.note(now, Trace.Kind.NOTE, who, what);
    }

    public SimNetwork network() {
        return network;
    }

    Faults faults() {
        return faults;
    }

    /// From now on other things go wrong.
    public void faults(Faults other) {
        faults = other;
        planJump();
        network.planPartition();
    }

    /// A new host; its address is 10.0.0.1 and up.
    public SimHost host(String name) {
        SimHost host = new SimHost(this, name, hosts.size() + 1);
        hosts.add(host);
        return host;
    }

    List<SimHost> hosts() {
        return hosts;
    }

    void add(ManualEventLoop loop, SimEngine engine) {
        turns.add(new Turn(turns.size(), loop, engine));
    }

    ManualClock clock() {
        return clock;
    }

    int nextConnection() {
        return ++connections;
    }

    // ---- time ----

    /// Since the beginning.
    public Duration elapsed() {
        return Duration.ofNanos(now);
    }

    long now() {
        return now;
    }

    /// Has `action` happen in `delay`, outside of all loops.
    public void after(Duration delay, Runnable action) {
        after(delay.toNanos(), action);
    }

    void after(long nanos, Runnable action) {
        timeline.at(now + nanos, action);
    }

    /// Returns the time that a packet takes now.
    long latency() {
        long min = faults.minLatency();
        long max = faults.maxLatency();
        return min == max ? min : random.nextLong(min, max);
    }

    SplittableRandom dice() {
        return random;
    }

    void note(Trace.Kind kind, int who, long what) {
        trace.note(now, kind, who, what);
    }

    /// The clock leaps by `time` with nothing run in between, as when a machine has slept.
    public void jump(Duration time) {
        note(Trace.Kind.JUMP, 0, time.toNanos());
        advance(time.toNanos());
    }

    private void advance(long nanos) {
        now += nanos;
        clock.advance(nanos);
    }

    private void planJump() {
        long every = faults.jumpEvery();
        nextJump = every == 0 ? Long.MAX_VALUE : now + exponential(every);
    }

    /// The time until something that happens at any moment, `mean` on average.
    long exponential(long mean) {
        return 1 + (long) Math.min(-StrictMath.log(1 - random.nextDouble()) * mean, 1e17);
    }

    // ---- running ----

    /// Runs for `time` of virtual time.
    ///
    /// @throws IllegalStateException when something spins
    public void run(Duration time) {
        long target = now + time.toNanos();
        boolean _ = runUntil(() -> false, target);
    }

    /// Runs until `condition`, which is looked at whenever nothing more can be done at the moment.
    ///
    /// @return false when that was not the case within `most`
    /// @throws IllegalStateException when something spins
    public boolean runUntil(BooleanSupplier condition, Duration most) {
        return runUntil(condition, now + most.toNanos());
    }

    /// Runs until the future has an outcome.
    ///
    /// @throws IllegalStateException when that takes more than an hour, or something spins
    /// @throws CompletionException when it failed
    public <V> V await(Future<V> future) {
        if (!runUntil(future::isDone, END)) {
            throw new IllegalStateException("no outcome within " + END + ": " + this);
        }
        return future.join();
    }

    private boolean runUntil(BooleanSupplier condition, long target) {
        for (; ; ) {
            drain();
            if (condition.getAsBoolean()) {
                return true;
            }
            if (now >= target) { // a leap may have gone beyond it
                return false;
            }
            long next = Math.min(next(), target);
            if (nextJump <= next) {
                advance(Math.max(nextJump - now, 0));
                planJump();
                jump(Duration.ofNanos(1 + random.nextLong(faults.longestJump())));
            } else {
                advance(next - now);
            }
        }
    }

    /// When something happens by itself.
    private long next() {
        long next = timeline.next();
        for (Turn turn : turns) {
            long until = turn.loop.untilNext();
            if (until != Long.MAX_VALUE) {
                next = Math.min(next, now + until);
            }
        }
        return next;
    }

    /// Does whatever can be done at this time.
    private void drain() {
        for (int rounds = 0; rounds < MAX_ROUNDS_AT_ONCE; rounds++) {
            boolean some = timeline.runNext(now);
            runnable.clear();
            for (Turn turn : turns) {
                if (turn.hasWork()) {
                    runnable.add(turn);
                }
            }
            if (!runnable.isEmpty()) {
                Turn turn = runnable.get(scheduling.nextInt(runnable.size()));
                note(Trace.Kind.ROUND, turn.id, 0);
                int _ = turn.loop.runNow();
            } else if (!some) {
                return;
            }
        }
        throw new IllegalStateException(
                "rounds without time passing: "
                        + MAX_ROUNDS_AT_ONCE
                        + " (expected: fewer; somebody spins): "
                        + this);
    }

    /// Shuts all loops down, and runs until they have ended.
    ///
    /// @throws IllegalStateException when they do not within an hour
    @Override
    public void close() {
        for (Turn turn : turns) {
            Future<Void> _ = turn.loop.eventLoop().shutdownGracefully();
        }
        if (!runUntil(() -> turns.stream().allMatch(Turn::hasEnded), END)) {
            throw new IllegalStateException("loops that do not end: " + this);
        }
    }

    /// Returns what is needed to run the simulation again.
    @Override
    public String toString() {
        return "Simulation[-Dio.weft.simulation.seed=%d, elapsed %s, %d events, trace %016x]"
                .formatted(seed, elapsed(), trace.events(), trace.hash());
    }
}
