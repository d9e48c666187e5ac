package io.weft.client.pipelined;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The connection of a client, which is made again when it is lost, and the calls that wait for it.
///
/// **Threads.** Any. Lines and listeners are called on the loop.
public final class Reconnection implements AutoCloseable {
    private final EventLoop loop;
    private final SocketAddress address;
    private final PipelineLimits limits;
    private final CallErrors errors;
    private final LineListener listener;
    private final Supplier<? extends Line> lines;

    // Under this one's lock.
    private final WaitingCalls offline;
    private long calls;
    private @Nullable Channel channel;
    private @Nullable Future<Channel> attempt;
    private boolean closed;
    private int failures;

    /// Reason for which there is no connection, where it is known.
    private @Nullable Throwable lastFailure;

    /// Error, such as one of the server, for which the connection is being given up.
    private @Nullable Throwable refusal;

    /// @param lines makes a line for each attempt to connect
    public Reconnection(
            EventLoop loop,
            SocketAddress address,
            PipelineLimits limits,
            CallErrors errors,
            LineListener listener,
            Supplier<? extends Line> lines) {
        this.loop = loop;
        this.address = address;
        this.limits = limits;
        this.errors = errors;
        this.listener = listener;
        this.lines = lines;
        offline = new WaitingCalls(loop, this::expire);
    }

    /// Begins to connect.
    public void start() {
        connect();
        closeWithLoop();
    }

    /// Closes this when its loop ends, whose timers run no more. The loop may live for long, and
    /// keeps no client.
    private void closeWithLoop() {
        WeakReference<Reconnection> weak = new WeakReference<>(this);
        var _ =
                loop.terminationFuture()
                        .addListener(
                                _ -> {
                                    Reconnection open = weak.get();
                                    if (open != null) {
                                        open.close();
                                    }
                                });
    }

    /// Returns the nanoseconds of the clock at which a call that is made now has failed.
    public long deadline() {
        return loop.clock().nanoTime() + limits.timeoutNanos();
    }

    /// Sends a call, or keeps it until there is a connection.
    public synchronized void send(PipelinedCall<?> call) {
        call.number = calls++;
        Channel open = channel;
        if (closed) {
            call.fail(clientClosed());
        } else if (open != null && open.isOpen()) {
            write(open, call);
        } else if (offline.size() < limits.waiting()) {
            keep(call);
        } else {
            call.fail(errors.overloaded(offline.size()));
        }
    }

    private void keep(PipelinedCall<?> call) {
        try {
            offline.add(call);
        } catch (RejectedExecutionException _) {
            call.fail(refused());
        }
    }

    /// The loop has ended, or its queue is full.
    private Throwable refused() {
        return loop.isShuttingDown() ? clientClosed() : errors.overloaded(loop.pendingTasks());
    }

    /// Writes under the lock, which keeps the order of the callers.
    private void write(Channel open, PipelinedCall<?> call) {
        try {
            open.write(call);
        } catch (RejectedExecutionException _) {
            // The channel has given it back, which is for calls that are to be sent later.
            offline.remove(call);
            call.fail(refused());
        }
    }

    /// Takes a call that met a closed channel, whose loop is this one's: it runs before the next
    /// connection is made. Calls behind it may wait here already.
    synchronized void takeBack(PipelinedCall<?> call) {
        if (closed) {
            call.fail(clientClosed());
        } else {
            keep(call);
        }
    }

    /// Forgets calls that were cancelled while they waited for a connection, oldest first.
    public synchronized void dropCancelled() {
        offline.dropDone();
    }

    private Throwable clientClosed() {
        return errors.disconnected(false, "the client is closed");
    }

    private void expire() {
        List<PipelinedCall<?>> late;
        @Nullable Throwable last;
        synchronized (this) {
            last = lastFailure;
            late = offline.takeLate();
        }
        late.forEach(call -> call.fail(errors.timedOut(false, limits.timeout(), last)));
    }

    private synchronized void connect() {
        if (closed) {
            return;
        }
        Line line = lines.get();
        Future<Channel> connecting = new Bootstrap(loop).handler(line).connect(address);
        attempt = connecting;
        var _ =
                connecting.addListener(
                        done -> {
                            Channel connected = done.now();
                            if (connected == null) {
                                lost(done.cause());
                            } else {
                                var _ =
                                        connected
                                                .closeFuture()
                                                .addListener(_ -> lost(line.failure()));
                                greet(line, connected);
                            }
                        });
    }

    private void greet(Line line, Channel connected) {
        try {
            line.greet(connected);
        } catch (RuntimeException | OutOfMemoryError e) {
            giveUp(connected, e); // else the connection would stand, and never be ready
        }
    }

    /// Sends the calls that wait, and all later ones, to a connection that has begun.
    public void ready(Channel connected) {
        synchronized (this) {
            if (closed) {
                connected.close();
                return;
            }
            if (!connected.isOpen()) {
                return; // a handler has closed it meanwhile
            }
            failures = 0;
            channel = connected;
            // A write may end the connection, which gives calls back: they are polled again.
            while (connected.isOpen()) {
                PipelinedCall<?> call = offline.poll();
                if (call == null) {
                    break;
                }
                write(connected, call);
            }
        }
        listener.ready();
    }

    /// Gives up a connection on which the server does not do what was asked for, and fails the
    /// calls that wait: nothing would come of another one.
    public void refuse(Channel connected, Throwable refused) {
        List<PipelinedCall<?>> left;
        synchronized (this) {
            left = offline.takeAll();
        }
        left.forEach(call -> call.fail(refused));
        giveUp(connected, refused);
    }

    /// Gives up a connection that could not begin. Calls wait for the next one.
    ///
    /// @param cause null if the connection was lost
    public void giveUp(Channel connected, @Nullable Throwable cause) {
        synchronized (this) {
            if (refusal == null) { // else commands behind the refused one have failed as well
                refusal = cause;
            }
        }
        connected.abort(); // the server need not end it, and the next one would wait for that
    }

    private void lost(@Nullable Throwable failure) {
        if (loop.isShuttingDown()) {
            close(); // nothing connects again
        }
        boolean stood;
        Throwable cause;
        synchronized (this) {
            stood = channel != null;
            cause = refusal == null ? failure : refusal;
            refusal = null;
            channel = null;
            lastFailure = cause;
            if (closed) {
                return;
            }
            long delay = limits.retryNanos(failures++);
            var _ = loop.schedule(this::connect, delay, TimeUnit.NANOSECONDS);
        }
        listener.lost(stood, cause);
    }

    /// Tells if a connection stands and has begun.
    public synchronized boolean isConnected() {
        return channel != null;
    }

    /// Closes the connection when all calls that it was given are on their way; those without an
    /// answer fail then, and those that wait for a connection at once.
    @Override
    public void close() {
        List<PipelinedCall<?>> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = offline.takeAll();
            if (channel != null) {
                closeBehindCalls(channel);
            } else if (attempt != null && !attempt.cancel()) {
                Channel connecting = attempt.now();
                if (connecting != null) {
                    connecting.close();
                }
            }
        }
        left.forEach(call -> call.fail(clientClosed()));
    }

    /// Closes a connection behind the calls that other threads have queued.
    private void closeBehindCalls(Channel open) {
        try {
            loop.executeUnbounded(open::close);
        } catch (RejectedExecutionException _) {
            // The loop has ended, and closed its channels.
        }
    }
}
