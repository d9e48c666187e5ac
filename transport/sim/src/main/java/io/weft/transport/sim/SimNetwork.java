package io.weft.transport.sim;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reachability between the hosts of a simulation.
public final class SimNetwork {
    private record Link(int low, int high) {
        static Link between(SimHost a, SimHost b) {
            return new Link(Math.min(a.id(), b.id()), Math.max(a.id(), b.id()));
        }
    }

    private final Simulation simulation;
    private final Set<Link> down = new HashSet<>();
    private final List<Wire> stalled = new ArrayList<>();
    private int partitionPlan;
    private Consumer<SimConnection> watcher = _ -> {};

    SimNetwork(Simulation simulation) {
        this.simulation = simulation;
    }

    /// From now on nothing that one sends reaches the other. Connections between them stand still;
    /// after 15 minutes with something under way, they break.
    public void partition(SimHost a, SimHost b) {
        if (down.add(Link.between(a, b))) {
            simulation.note(Trace.Kind.PARTITION, a.id(), b.id());
        }
    }

    /// They can reach each other again, and get what was under way.
    public void heal(SimHost a, SimHost b) {
        if (down.remove(Link.between(a, b))) {
            simulation.note(Trace.Kind.HEAL, a.id(), b.id());
            resume();
        }
    }

    /// Ends all partitions: each host can reach all others.
    public void healAll() {
        down.clear();
        simulation.note(Trace.Kind.HEAL, 0, 0);
        resume();
    }

    private void resume() {
        List<Wire> wires = List.copyOf(stalled);
        stalled.clear();
        wires.forEach(Wire::resume);
    }

    boolean isDown(SimHost a, SimHost b) {
        return !down.isEmpty() && down.contains(Link.between(a, b));
    }

    /// Resumes `wire` when the network heals.
    void stalled(Wire wire) {
        stalled.add(wire);
    }

    /// Has `script` see each connection before its first byte: to say exactly what happens to it.
    public void onConnection(Consumer<SimConnection> script) {
        watcher = script;
    }

    void connected(SimConnection connection) {
        watcher.accept(connection);
    }

    @Nullable SimHost host(SocketAddress address) {
        InetAddress wanted = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
        for (SimHost host : simulation.hosts()) {
            if (host.isAt(wanted)) {
                return host;
            }
        }
        return null;
    }

    /// Plans the next partition, after a random time.
    void planPartition() {
        int plan = ++partitionPlan;
        long every = simulation.faults().partitionEvery();
        if (every == 0) {
            return;
        }
        simulation.after(
                simulation.exponential(every),
                () -> {
                    if (plan == partitionPlan) {
                        strike();
                        planPartition();
                    }
                });
    }

    private void strike() {
        List<SimHost> hosts = simulation.hosts();
        if (hosts.size() < 2) {
            return;
        }
        SimHost a = hosts.get(simulation.dice().nextInt(hosts.size()));
        SimHost b = hosts.get(simulation.dice().nextInt(hosts.size()));
        if (a != b && !isDown(a, b)) {
            long length = 1 + simulation.dice().nextLong(simulation.faults().longestPartition());
            partition(a, b);
            simulation.after(Duration.ofNanos(length), () -> heal(a, b));
        }
    }
}
