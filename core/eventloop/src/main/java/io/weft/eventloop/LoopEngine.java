package io.weft.eventloop;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.FileHandle;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.SourceAddresses;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The engine of one loop, for layers that build on it: what channels are made of.
///
/// Programs use channels; this is for those who bring endpoints without a pipeline. Thread: the
/// loop, unless a method says otherwise.
public final class LoopEngine {
    private final EventLoop loop;
    private final Engine engine;
    private final List<LoopResource> resources = new ArrayList<>(2);
    private final ArrayDeque<Runnable> nextTurn = new ArrayDeque<>(0);

    /// Rounds of input and output so far.
    private long turn;

    private boolean shuttingDown;

    /// The reason why the engine did not start; null when it did.
    private @Nullable Throwable startFailure;

    LoopEngine(EventLoop loop, Engine engine) {
        this.loop = loop;
        this.engine = engine;
    }

    // ---- endpoints ----

    /// Listens where `address` belongs: on the engine, or with the provider of its class.
    ///
    /// @throws IOException when the address cannot be bound
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        EndpointProvider provider = Endpoints.FOUND.at(address);
        return provider == null
                ? engine.listen(address, options, events)
                : provider.listen(loop, engine, address, options, events);
    }

    /// Connects to where `address` belongs.
    ///
    /// @throws IOException when the attempt cannot even start
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        EndpointProvider provider = Endpoints.FOUND.at(address);
        return provider == null
                ? engine.connect(address, options, events)
                : provider.connect(loop, engine, address, options, events);
    }

    /// Makes what a listener accepted a stream of this loop.
    ///
    /// @throws IOException when it cannot be registered; it is closed then
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        return accepted.adopt(loop, engine, events);
    }

    /// As [Engine#listen(int, ChannelOptions, ListenEvents)].
    ///
    /// @throws IOException when it is no descriptor of a listening stream
    public ListenHandle listen(int descriptor, ChannelOptions options, ListenEvents events)
            throws IOException {
        return engine.listen(descriptor, options, events);
    }

    /// Makes the connected stream of a descriptor one of this loop, as [Engine#take] and
    /// [Engine#adopt] do.
    ///
    /// @throws IOException when it is no such descriptor
    public Accepted take(int descriptor) throws IOException {
        return engine.take(descriptor);
    }

    /// Opens a socket for datagrams, as [Engine#datagrams] does.
    ///
    /// @throws IOException when an address cannot be had
    public DatagramHandle datagrams(
            @Nullable SocketAddress local,
            @Nullable SocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        return engine.datagrams(local, peer, options, events);
    }

    /// Tells from where connections would go out, as [Engine#sourceAddresses] does.
    public SourceAddresses sourceAddresses() {
        return engine.sourceAddresses();
    }

    ReadyHandle watch(int descriptor, ReadyEvents events) throws IOException {
        return engine.watch(descriptor, events);
    }

    ReadyHandle watch(SelectableChannel channel, ReadyEvents events) throws IOException {
        return engine.watch(channel, events);
    }

    boolean openFile(Path path, Set<OpenOption> options, Promise<FileHandle> opened) {
        return engine.openFile(path, options, opened);
    }

    // ---- what is open ----

    /// Returns the resource of a kind, made by `make` when it is first asked for.
    public <R extends LoopResource> R resource(
            Class<R> kind, Function<? super EventLoop, ? extends R> make) {
        for (int i = 0; i < resources.size(); i++) {
            LoopResource known = resources.get(i);
            if (known.getClass() == kind) {
                return kind.cast(known);
            }
        }
        R made = make.apply(loop);
        resources.add(made);
        return made;
    }

    boolean isIdle() {
        for (LoopResource resource : resources) {
            if (!resource.isEmpty()) {
                return false;
            }
        }
        return engine.isIdle();
    }

    void closeAll() {
        shuttingDown = true;
        List.copyOf(resources).forEach(LoopResource::closeAll);
    }

    void abortAll() {
        List.copyOf(resources).forEach(LoopResource::abortAll);
    }

    // ---- turns ----

    /// Returns the number of rounds of input and output so far.
    public long turn() {
        return turn;
    }

    /// Returns false where the caller drives the loop: it goes on as long as something runs, and
    /// may be its channels' peer, which reads what it has just written.
    public boolean boundsTurns() {
        return !loop.isManual();
    }

    /// Runs `task` after the next round of input and output. It must not throw.
    public void nextTurn(Runnable task) {
        nextTurn.add(task);
    }

    /// Returns the number of tasks that wait for the next turn.
    int awaitingTurn() {
        return nextTurn.size();
    }

    /// A round is over: the first `waited` tasks, which have waited for it, run.
    void turned(int waited) {
        turn++;
        for (int count = waited; count > 0; count--) {
            nextTurn.remove().run();
        }
    }

    // ---- beginning and end ----

    /// Returns false when nothing can be opened: the loop shuts down, or its engine did not start.
    public boolean isOpen() {
        return !shuttingDown && startFailure == null;
    }

    /// Returns the reason why nothing can be opened.
    public RejectedExecutionException rejection() {
        return startFailure == null
                ? new RejectedExecutionException(loop + ": shutting down (expected: running)")
                : new RejectedExecutionException(loop + ": its engine did not start", startFailure);
    }

    void notStarted(Throwable cause) {
        startFailure = cause;
    }

    /// Work that opens something.
    @FunctionalInterface
    public interface Opening {
        /// Its throwable becomes the outcome.
        void run() throws Exception;
    }

    /// Runs `opening` on the loop. If the loop takes no more, or it throws, `promise` fails. Any
    /// thread.
    public void open(Promise<?> promise, Opening opening) {
        try {
            loop.execute(
                    () -> {
                        if (promise.isDone()) {
                            return; // cancelled before it began
                        }
                        if (!isOpen()) {
                            promise.tryFailure(rejection());
                            return;
                        }
                        try {
                            opening.run();
                        } catch (Throwable e) {
                            promise.tryFailure(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
        }
    }

    /// Runs a task that closes something, also when the queue is full. When the loop has ended, it
    /// has closed everything. Any thread.
    public void close(Runnable task) {
        try {
            loop.executeUnbounded(task);
        } catch (RejectedExecutionException e) {
            // Closed already.
        }
    }
}
