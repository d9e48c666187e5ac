package io.weft.transport.nio;

import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.SourceAddresses;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One selector, and the streams and listeners registered with it.
///
/// An interrupt ends a selection, and a flag that is set keeps it from waiting; loops with a thread
/// of their own clear it before they wait. Channels are non-blocking, and a non-blocking channel is
/// not closed by an interrupt.
///
/// A closed channel's descriptor is given back by the next selection; since one that waits starts
/// with that, a loop that has nothing else to do gives it back at once. That a listener is closed
/// is told only then: its port is free then.
final class NioEngine implements Engine {
    private static final int NANOS_A_MILLI = 1_000_000;

    private final Selector selector;
    final CallbackFaults faults = new CallbackFaults();
    final Views views = new Views();
    private final Consumer<SelectionKey> dispatch = this::dispatch;

    /// Open streams and listeners. The selector's own set counts closed ones until the next
    /// selection.
    private int open;

    private long selections;

    /// Closed listeners whose descriptors the selector still has.
    private final ArrayDeque<NioListener> unbinding = new ArrayDeque<>();

    /// Watches of channels whose last watch ended just now, and whose key the selector still has.
    private final ArrayDeque<NioWatch> unregistered = new ArrayDeque<>();

    NioEngine() throws EngineUnavailableException {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new EngineUnavailableException("selector: " + e.getMessage());
        }
    }

    // ---- the loop's side ----

    @Override
    public void poll(long timeoutNanos) {
        // Those that this selection's events close are for the next one.
        int given = unbinding.size();
        int waiting = unregistered.size();
        selections++;
        try {
            if (timeoutNanos <= 0 || given > 0 || waiting > 0) {
                selector.selectNow(dispatch);
            } else {
                selector.select(dispatch, millis(timeoutNanos));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tellUnbound(given);
        for (; waiting > 0; waiting--) {
            faults.guard(unregistered.remove()::registerAgain);
        }
        faults.rethrow();
    }

    private void tellUnbound(int count) {
        for (int i = 0; i < count; i++) {
            faults.guard(unbinding.remove()::unbound);
        }
    }

    /// Converts to milliseconds, rounded up: rounded down, a loop would spin through the last
    /// millisecond before each timer. 0 waits indefinitely.
    private static long millis(long nanos) {
        return nanos == Long.MAX_VALUE
                ? 0
                : nanos / NANOS_A_MILLI + (nanos % NANOS_A_MILLI == 0 ? 0 : 1);
    }

    private void dispatch(SelectionKey key) {
        Target target = (Target) key.attachment();
        try {
            target.ready();
        } catch (Throwable t) {
            faults.add(t);
            faults.guard(target::faulted);
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public boolean isIdle() {
        return open == 0;
    }

    @Override
    public void close() {
        try {
            for (SelectionKey key : selector.keys()) {
                faults.guard(((Target) key.attachment())::abandon);
            }
            unregistered.forEach(watch -> faults.guard(watch::abandon));
        } finally {
            close(selector);
            tellUnbound(unbinding.size());
        }
        faults.rethrow();
    }

    // ---- for streams and listeners ----

    SelectionKey register(SelectableChannel channel, int interest, Target target)
            throws IOException {
        SelectionKey key = channel.register(selector, interest, target);
        open++;
        return key;
    }

    /// Registers another owner's channel for `watch`, which counts itself.
    ///
    /// @return null if the channel was watched until just now: only a selection gives that key
    ///     back, and this may be called within one. The next poll calls
    ///     [NioWatch#registerAgain].
    @Nullable SelectionKey registerWatch(SelectableChannel channel, int interest, NioWatch watch)
            throws IOException {
        try {
            return channel.register(selector, interest, watch);
        } catch (CancelledKeyException e) {
            unregistered.add(watch);
            return null;
        }
    }

    void opened() {
        open++;
    }

    void closed() {
        open--;
    }

    /// Number of the current selection, from 1 on.
    long selections() {
        return selections;
    }

    /// Tells `listener` when its descriptor is closed.
    void unbind(NioListener listener) {
        unbinding.add(listener);
    }

    /// Closes, ignoring failures: it is closed even if the system complains about it.
    @SuppressWarnings("EmptyCatch")
    static void close(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException complaint) {
        }
    }

    /// @param wanted of `OP_ACCEPT`, `OP_CONNECT`, `OP_READ`, `OP_WRITE`
    @SuppressWarnings("EmptyCatch")
    static void interest(SelectionKey key, int wanted) {
        try {
            if (key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        } catch (CancelledKeyException closedMeanwhile) {
        }
    }

    // ---- sockets ----

    private static IllegalArgumentException unsupported(
            @Nullable SocketAddress address, String expected) {
        return new IllegalArgumentException(
                "address: "
                        + address
                        + " (expected: "
                        + expected
                        + "; the JDK has no other sockets: the transports io_uring and epoll do)");
    }

    /// @throws IllegalArgumentException when the JDK has no such sockets, or it is a host's name
    ///     only
    private static ProtocolFamily family(SocketAddress address) {
        return switch (address) {
            case InetSocketAddress inet when inet.isUnresolved() ->
                    throw new IllegalArgumentException(
                            "address: " + inet + " (expected: one that is resolved)");
            // An IPv6 socket takes connections over IPv4 as well.
            case InetSocketAddress inet when inet.getAddress() instanceof Inet4Address ->
                    isAnyIpv4(inet) ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
            case InetSocketAddress _ -> StandardProtocolFamily.INET6;
            case UnixDomainSocketAddress _ -> StandardProtocolFamily.UNIX;
            default ->
                    throw unsupported(address, "an InetSocketAddress or UnixDomainSocketAddress");
        };
    }

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        ServerSocketChannel channel =
                family(address) == StandardProtocolFamily.UNIX
                        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        : ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            // A window above 64 KiB is agreed upon while connecting, so this cannot wait for the
            // connection.
            NioOptions.configure(channel, options);
            bind(channel, address, options.get(ChannelOption.SO_BACKLOG));
            return new NioListener(this, channel, options, events);
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    /// As the other engines do it, the message says which address it was that could not be had.
    private static void bind(ServerSocketChannel channel, SocketAddress address, int backlog)
            throws IOException {
        try {
            channel.bind(address, backlog);
        } catch (BindException e) {
            throw new BindException("bind " + address + ": " + e.getMessage());
        }
    }

    @Override
    public SourceAddresses sourceAddresses() {
        return SourceAddresses.routes();
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        SocketChannel channel =
                family(address) == StandardProtocolFamily.UNIX
                        ? SocketChannel.open(StandardProtocolFamily.UNIX)
                        : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            NioOptions.configure(channel, options);
            // A connection that stands at once is told of by the next poll, like any other.
            int interest =
                    begin(channel, address) ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
            return new NioStream(this, channel, events, address, interest);
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private static boolean begin(SocketChannel channel, SocketAddress address) throws IOException {
        try {
            return channel.connect(address);
        } catch (IOException e) {
            throw NioStream.naming(address, e);
        }
    }

    @Override
    public ReadyHandle watch(SelectableChannel channel, ReadyEvents events) throws IOException {
        return new NioWatch(this, channel, events);
    }

    /// Such an address leaves the family to the peer's: a socket for IPv6 that is connected to an
    /// IPv4 address costs more to make and to use.
    private static boolean isAnyIpv4(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet
                && inet.getAddress() instanceof Inet4Address v4
                && v4.isAnyLocalAddress();
    }

    @Override
    public DatagramHandle datagrams(
            @Nullable SocketAddress local,
            @Nullable SocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        SocketAddress first =
                peer != null && isAnyIpv4(local) ? peer : local != null ? local : peer;
        if (first == null || family(first) == StandardProtocolFamily.UNIX) {
            throw unsupported(first, "an InetSocketAddress");
        }
        DatagramChannel channel = DatagramChannel.open(family(first));
        try {
            channel.configureBlocking(false);
            NioOptions.configure(channel, options);
            if (local != null) {
                channel.bind(local);
            }
            if (peer != null) {
                channel.connect(peer);
            }
            return new NioDatagrams(this, channel, options, events);
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        SocketChannel channel = ((AcceptedChannel) accepted).channel();
        try {
            return new NioStream(this, channel, events, null, SelectionKey.OP_READ);
        } catch (Throwable t) {
            close(channel);
            throw t;
        }
    }
}
