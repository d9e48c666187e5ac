package io.weft.resolver.names;

import io.weft.loop.Clock;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Answers from a hosts file; other names are unknown. [CompositeResolver] asks the next one then.
///
/// The file is read when the resolver is made, and again when it has changed, by its time of
/// modification or its size: that is looked at when a name is asked for, at most once in the
/// refresh interval, on another thread. Answers come from the state before until that is done. A
/// file that cannot be read leaves what was known; one that has gone has no names.
///
/// Any thread may use it.
public final class HostsResolver implements NameResolver {
    private static final System.Logger LOGGER = System.getLogger(HostsResolver.class.getName());

    private final Path path;
    private final Clock clock;
    private final long refreshNanos;
    private final Executor reader;
    private final AtomicBoolean reading = new AtomicBoolean();

    /// Read by all threads, written by the one that is reading.
    private volatile State state;

    /// Time of the last look at the file, and its state then.
    private record State(HostsFile hosts, Stamp stamp, long lookedAt) {}

    private record Stamp(FileTime modified, long size) {
        static final Stamp GONE = new Stamp(FileTime.fromMillis(0), -1);

        static Stamp of(Path path) throws IOException {
            try {
                return new Stamp(Files.getLastModifiedTime(path), Files.size(path));
            } catch (NoSuchFileException _) {
                return GONE;
            }
        }
    }

    /// Reads [the file of this system][HostsFile#systemPath], and looks every 5 seconds whether it
    /// has changed. Blocks while it reads.
    public HostsResolver() {
        this(HostsFile.systemPath(), Duration.ofSeconds(5), Clock.system(), Lookups.VIRTUAL);
    }

    /// Reads a file. Blocks meanwhile.
    ///
    /// @param path of the file, which need not exist
    /// @param refresh the least time between two looks at it; zero: with every name
    /// @param clock that `refresh` goes by
    /// @param reader runs later looks at the file; `Runnable::run` has callers wait for them
    public HostsResolver(Path path, Duration refresh, Clock clock, Executor reader) {
        this.path = path;
        this.refreshNanos = TimeUnit.NANOSECONDS.convert(refresh); // at most 292 years
        this.clock = clock;
        this.reader = reader;
        this.state = look(new State(HostsFile.EMPTY, Stamp.GONE, clock.nanoTime()));
    }

    /// Executors that are shared.
    private static final class Lookups {
        /// A file of the system is in its cache for the most part, and is looked at by one at a
        /// time: a virtual thread does.
        static final Executor VIRTUAL = Thread.ofVirtual().name("weft-hosts")::start;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        refresh();
        List<InetAddress> addresses = state.hosts.addresses(host);
        return addresses.isEmpty()
                ? Searches.unknown(executor, host + " (expected: a name in " + path + ")")
                : Searches.answer(executor, answers, Searches.at(port, addresses), Duration.ZERO);
    }

    /// Returns no places for a name in the file, and fails for others.
    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        refresh();
        return state.hosts.addresses(host).isEmpty()
                ? Promise.failed(
                        executor,
                        new UnknownHostException(host + " (expected: a name in " + path + ")"))
                : Promise.succeeded(executor, ServiceBinding.NONE);
    }

    /// Returns a resolver that asks the file first, and `others` for names that it does not have.
    public NameResolver before(NameResolver others) {
        return new Before(others);
    }

    private final class Before implements NameResolver {
        private final NameResolver others;

        Before(NameResolver others) {
            this.others = others;
        }

        @Override
        public Future<Void> resolve(
                String host, int port, EventExecutor executor, Answers answers) {
            refresh();
            List<InetAddress> addresses = state.hosts.addresses(host);
            return addresses.isEmpty()
                    ? others.resolve(host, port, executor, answers)
                    : Searches.answer(
                            executor, answers, Searches.at(port, addresses), Duration.ZERO);
        }

        @Override
        public boolean knowsServiceBindings() {
            return others.knowsServiceBindings();
        }

        @Override
        public Future<ServiceBinding> serviceBinding(
                String host, int port, EventExecutor executor) {
            refresh();
            return state.hosts.addresses(host).isEmpty()
                    ? others.serviceBinding(host, port, executor)
                    : Promise.succeeded(executor, ServiceBinding.NONE);
        }
    }

    /// Returns what the file had when it was last read.
    public HostsFile hosts() {
        return state.hosts;
    }

    private void refresh() {
        if (clock.nanoTime() - state.lookedAt < refreshNanos
                || !reading.compareAndSet(false, true)) {
            return;
        }
        try {
            reader.execute(
                    () -> {
                        try {
                            state = look(state);
                        } finally {
                            reading.set(false);
                        }
                    });
        } catch (RejectedExecutionException _) {
            reading.set(false);
        }
    }

    /// Returns the state of now, which is the one before but for the time if nothing has changed.
    private State look(State before) {
        long now = clock.nanoTime();
        try {
            Stamp stamp = Stamp.of(path);
            return Objects.equals(stamp, before.stamp)
                    ? new State(before.hosts, stamp, now)
                    : new State(HostsFile.read(path), stamp, now);
        } catch (IOException | SecurityException e) {
            LOGGER.log(System.Logger.Level.DEBUG, () -> path + ": not read", e);
            return new State(before.hosts, before.stamp, now);
        }
    }
}
