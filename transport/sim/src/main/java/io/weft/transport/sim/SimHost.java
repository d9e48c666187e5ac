package io.weft.transport.sim;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A machine of a simulation: an address, ports, descriptors.
public final class SimHost {
    private static final int FIRST_EPHEMERAL = 32_768;

    private final Simulation simulation;
    private final String name;
    private final int id;
    private final InetAddress address;
    private final List<InetAddress> aliases = new ArrayList<>(0);
    private final Map<Integer, List<SimListener>> listeners = new HashMap<>();
    private final Map<Integer, SimDatagrams> datagrams = new HashMap<>();
    private final Map<Fault, Integer> scripted = new EnumMap<>(Fault.class);
    private int nextPort = FIRST_EPHEMERAL;
    private int descriptors;
    private int descriptorLimit = 1 << 20;

    /// Bytes of datagrams a second that leave; 0: no limit.
    private long uplinkRate;

    private int uplinkQueue;
    private long uplinkBusyUntil;

    SimHost(Simulation simulation, String name, int id) {
        this.simulation = simulation;
        this.name = name;
        this.id = id;
        try {
            byte[] ip = {10, 0, (byte) (id >> 8), (byte) id};
            address = InetAddress.getByAddress(name, ip);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // four bytes are an address
        }
    }

    /// Loops on this machine. They are closed with the simulation.
    public EventLoopGroup group(int loops) {
        ManualEventLoop[] made = new ManualEventLoop[loops];
        for (int i = 0; i < loops; i++) {
            SimEngine engine = new SimEngine(this);
            made[i] = ManualEventLoop.stepped("sim", engine, simulation.clock());
            simulation.add(made[i], engine);
        }
        return EventLoopGroup.of(made);
    }

    public InetAddress address() {
        return address;
    }

    /// Gives this host a further address, of either family, at which others reach it.
    public SimHost alias(InetAddress alias) {
        aliases.add(alias);
        return this;
    }

    boolean isAt(@Nullable InetAddress wanted) {
        return address.equals(wanted) || (wanted != null && aliases.contains(wanted));
    }

    public InetSocketAddress address(int port) {
        return new InetSocketAddress(address, port);
    }

    /// Sockets that are open.
    public int descriptors() {
        return descriptors;
    }

    /// More sockets than this cannot be open: EMFILE.
    public SimHost descriptorLimit(int limit) {
        descriptorLimit = limit;
        return this;
    }

    /// Datagrams leave this host one after the other, through a queue; those that find it full are
    /// lost. Streams are not concerned: see [Fault#SLOW].
    ///
    /// @param bytesASecond 0: no limit
    /// @param queue bytes that wait at most
    public SimHost uplink(long bytesASecond, int queue) {
        if (bytesASecond < 0 || queue < 0) {
            throw new IllegalArgumentException(
                    "uplink: " + bytesASecond + ", " + queue + " (expected: 0 or more)");
        }
        uplinkRate = bytesASecond;
        uplinkQueue = queue;
        return this;
    }

    /// Returns the time until a datagram of `length` bytes that is sent now has left; -1 when it is
    /// lost.
    long leave(int length) {
        if (uplinkRate == 0) {
            return 0;
        }
        long now = simulation.now();
        long waiting = Math.max(uplinkBusyUntil - now, 0);
        if (waiting * uplinkRate / 1_000_000_000 > uplinkQueue) {
            return -1;
        }
        uplinkBusyUntil = now + waiting + length * 1_000_000_000L / uplinkRate;
        return uplinkBusyUntil - now;
    }

    /// Makes the next `times` occasions on this host have this fault, regardless of random choice.
    public SimHost failNext(Fault fault, int times) {
        if (times < 1) {
            throw new IllegalArgumentException("times: " + times + " (expected: at least 1)");
        }
        scripted.merge(fault, times, Integer::sum);
        return this;
    }

    // ---- for engines ----

    Simulation simulation() {
        return simulation;
    }

    int id() {
        return id;
    }

    boolean strikes(Fault fault) {
        if (scripted.containsKey(fault)) {
            scripted.computeIfPresent(fault, (_, left) -> left == 1 ? null : left - 1);
            return true;
        }
        double rate = simulation.faults().rate(fault);
        return rate > 0 && simulation.dice().nextDouble() < rate;
    }

    /// A socket is to be opened.
    void open(Fault shortage, String call) throws IOException {
        if (descriptors >= descriptorLimit || strikes(shortage)) {
            throw new SocketException(call + ": Too many open files");
        }
        descriptors++;
    }

    void closed() {
        descriptors--;
    }

    InetSocketAddress ephemeral() {
        int port;
        do {
            port = nextPort++;
            if (nextPort > 65_535) {
                nextPort = FIRST_EPHEMERAL;
            }
        } while (listeners.containsKey(port) || datagrams.containsKey(port));
        return address(port);
    }

    private InetSocketAddress wanted(InetSocketAddress local) throws IOException {
        if (local.isUnresolved()
                || !(local.getAddress().isAnyLocalAddress()
                        || local.getAddress().isLoopbackAddress()
                        || local.getAddress().equals(address))) {
            throw new BindException("bind " + local + ": Cannot assign requested address");
        }
        return local.getPort() == 0 ? ephemeral() : address(local.getPort());
    }

    InetSocketAddress bind(SimListener listener, InetSocketAddress local, ChannelOptions options)
            throws IOException {
        InetSocketAddress bound = wanted(local);
        List<SimListener> there =
                listeners.computeIfAbsent(bound.getPort(), _ -> new ArrayList<>());
        boolean shared =
                options.get(ChannelOption.SO_REUSEPORT)
                        && there.stream().allMatch(SimListener::shares);
        if (!there.isEmpty() && !shared) {
            throw new BindException("bind " + local + ": Address already in use");
        }
        there.add(listener);
        return bound;
    }

    void unbind(SimListener listener, int port) {
        List<SimListener> there = listeners.get(port);
        if (there != null && there.remove(listener) && there.isEmpty()) {
            listeners.remove(port);
        }
    }

    /// Chooses a listener at `port`, at random if there are several; null if there is none.
    @Nullable SimListener listener(int port) {
        List<SimListener> there = listeners.get(port);
        if (there == null) {
            return null;
        }
        return there.size() == 1
                ? there.getFirst()
                : there.get(simulation.dice().nextInt(there.size()));
    }

    InetSocketAddress bind(SimDatagrams socket, @Nullable InetSocketAddress local)
            throws IOException {
        InetSocketAddress bound = local == null ? ephemeral() : wanted(local);
        if (datagrams.putIfAbsent(bound.getPort(), socket) != null) {
            throw new BindException("bind " + local + ": Address already in use");
        }
        return bound;
    }

    void unbindDatagrams(int port) {
        datagrams.remove(port);
    }

    @Nullable SimDatagrams datagrams(int port) {
        return datagrams.get(port);
    }

    @Override
    public String toString() {
        return "SimHost[" + name + ", " + address.getHostAddress() + "]";
    }
}
