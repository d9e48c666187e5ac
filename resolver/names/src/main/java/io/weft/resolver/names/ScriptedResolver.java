package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A resolver for tests: it answers as a script says, each line at its time on the clock of the
/// loop that asks, which may be a virtual one. Names without a script are unknown.
///
/// ```java
/// var names = new ScriptedResolver();
/// names.host("example.test")
///         .at(Duration.ofMillis(10)).finds("192.0.2.1")
///         .at(Duration.ofMillis(40)).finds("2001:db8::1")
///         .ends();
/// ```
///
/// Any thread may ask; scripts are written before.
public final class ScriptedResolver implements NameResolver {
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Map<String, Bound> bound = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger cancelled = new AtomicInteger();

    /// A resolver that knows no name yet.
    public ScriptedResolver() {}

    /// Begins the script of a name, in place of the one before.
    public Script host(String name) {
        Script script = new Script();
        scripts.put(name, script);
        return script;
    }

    /// Has a name answer at once with all addresses.
    ///
    /// @throws IllegalArgumentException when a text is not an address
    public ScriptedResolver answers(String name, String... literals) {
        host(name).finds(literals).ends();
        return this;
    }

    /// Has an origin served at places, which it tells so long after it was asked. Origins without
    /// this have none.
    public ScriptedResolver serves(
            String host, int port, Duration after, ServiceEndpoint... places) {
        bound.put(host + ":" + port, new Bound(after, List.of(places)));
        return this;
    }

    private record Bound(Duration after, List<ServiceEndpoint> places) {}

    /// Returns the names that were asked for, in that order.
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /// Returns the number of searches that were cancelled.
    public int cancelled() {
        return cancelled.get();
    }

    private record Line(Duration at, Consumer<Step> what) {}

    /// A search at a line of its script.
    private record Step(int port, Answers answers, Promise<Void> search) {}

    /// The lines of one name. A script that does not end keeps its searches waiting.
    public static final class Script {
        private final List<Line> lines = new ArrayList<>();
        private Duration at = Duration.ZERO;

        private Script() {}

        /// Sets the time of the lines that follow, since the search began.
        public Script at(Duration time) {
            at = time;
            return this;
        }

        /// Finds addresses.
        ///
        /// @throws IllegalArgumentException when a text is not an address
        public Script finds(String... literals) {
            List<InetAddress> addresses = literals(literals);
            return add(step -> step.answers.found(Searches.at(step.port, addresses)));
        }

        /// Finds addresses that may be kept for a time.
        ///
        /// @throws IllegalArgumentException when a text is not an address
        public Script finds(Duration timeToLive, String... literals) {
            List<InetAddress> addresses = literals(literals);
            return add(step -> step.answers.found(Searches.at(step.port, addresses), timeToLive));
        }

        /// Finds addresses with ports and protocols.
        public Script finds(List<ResolvedAddress> addresses) {
            List<ResolvedAddress> copy = List.copyOf(addresses);
            return add(step -> step.answers.found(copy));
        }

        /// Takes addresses back.
        ///
        /// @throws IllegalArgumentException when a text is not an address
        public Script removes(String... literals) {
            List<InetAddress> addresses = literals(literals);
            return add(step -> step.answers.removed(Searches.at(step.port, addresses)));
        }

        /// Says that no further address of a family comes.
        public Script completes(StandardProtocolFamily family) {
            return add(step -> step.answers.complete(family));
        }

        /// Finds that a name is an alias.
        public Script alias(String name, String target, Duration timeToLive) {
            return add(step -> step.answers.alias(name, target, timeToLive));
        }

        /// Ends the search: all is found.
        public void ends() {
            add(step -> step.search.trySuccess(null));
        }

        /// Ends the search with a failure.
        public void fails(Exception cause) {
            add(step -> step.search.tryFailure(cause));
        }

        /// Ends the search: the name has no address, which may be kept for a time.
        public void isAbsent(Duration timeToLive) {
            add(
                    step -> {
                        step.answers.absent(timeToLive);
                        step.search.tryFailure(new UnknownHostException("absent by script"));
                    });
        }

        private Script add(Consumer<Step> what) {
            lines.add(new Line(at, what));
            return this;
        }

        private static List<InetAddress> literals(String... texts) {
            List<InetAddress> addresses = new ArrayList<>();
            for (String text : texts) {
                addresses.add(InetAddress.ofLiteral(text));
            }
            return List.copyOf(addresses);
        }
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        asked.add(host);
        Promise<Void> search = executor.newPromise();
        Script script = scripts.get(host);
        if (script == null) {
            return search.setFailure(new UnknownHostException(host + ": not in the script"));
        }
        var _ =
                search.addListener(
                        outcome -> {
                            if (outcome.isCancelled()) {
                                cancelled.incrementAndGet();
                            }
                        });
        new Run(List.copyOf(script.lines), new Step(port, answers, search), executor).begin();
        return search;
    }

    @Override
    public boolean knowsServiceBindings() {
        return !bound.isEmpty();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        Bound script = bound.get(host + ":" + port);
        if (script == null) {
            return Promise.succeeded(executor, ServiceBinding.NONE);
        }
        ServiceBinding binding = new ServiceBinding(script.places, Duration.ofMinutes(5));
        if (script.after.isZero()) {
            return Promise.succeeded(executor, binding);
        }
        Promise<ServiceBinding> search = executor.newPromise();
        Timeout timer =
                executor.schedule(
                        () -> search.trySuccess(binding),
                        TimeUnit.NANOSECONDS.convert(script.after),
                        TimeUnit.NANOSECONDS);
        var _ = search.addListener(_ -> timer.cancel());
        return search;
    }

    /// A search that goes through its script.
    private static final class Run {
        private final List<Line> lines;
        private final Step step;
        private final EventExecutor executor;
        private final long begun;
        private int next;
        private @Nullable Timeout timer;

        Run(List<Line> lines, Step step, EventExecutor executor) {
            this.lines = lines;
            this.step = step;
            this.executor = executor;
            this.begun = executor.clock().nanoTime();
        }

        void begin() {
            if (executor.inLoop()) {
                go();
                return;
            }
            try {
                executor.execute(this::go);
            } catch (RejectedExecutionException e) {
                step.search.tryFailure(e);
            }
        }

        private void go() {
            while (next < lines.size() && !step.search.isDone()) {
                Line line = lines.get(next);
                long at = TimeUnit.NANOSECONDS.convert(line.at); // at most 292 years
                long left = at - (executor.clock().nanoTime() - begun);
                if (left > 0) {
                    sleep(left);
                    return;
                }
                next++;
                try {
                    line.what.accept(step);
                } catch (Throwable t) {
                    step.search.tryFailure(t);
                }
            }
        }

        private void sleep(long nanos) {
            try {
                timer = executor.schedule(this::go, nanos, TimeUnit.NANOSECONDS);
                var _ = step.search.addListener(_ -> stop());
            } catch (RejectedExecutionException e) {
                step.search.tryFailure(e);
            }
        }

        private void stop() {
            if (timer != null) {
                timer.cancel();
            }
        }
    }
}
