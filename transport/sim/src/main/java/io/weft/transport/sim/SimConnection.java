package io.weft.transport.sim;

import io.weft.engine.ChannelOptions;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A connection, seen from the network: what a script can do to it.
public final class SimConnection {
    /// One of the two ends.
    public enum End {
        CLIENT,
        SERVER
    }

    private static final int MAX_SYNS = 6;
    private static final long FIRST_RETRY = Duration.ofSeconds(1).toNanos();

    private final int id;
    private final Simulation simulation;
    private final SimHost from;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final SimStream client;

    /// From the client, and from the server.
    private @Nullable Wire there;

    private @Nullable Wire back;

    SimConnection(SimHost from, InetSocketAddress remote, ChannelOptions options) {
        this.from = from;
        this.simulation = from.simulation();
        this.id = simulation.nextConnection();
        this.local = from.ephemeral();
        this.remote = remote;
        this.client = new SimStream(this, from, new OptionValues(options, false), local, remote);
        simulation.note(Trace.Kind.CONNECT, id, remote.getPort());
    }

    SimStream clientEnd() {
        return client;
    }

    // ---- the handshake ----

    /// Sends a SYN for the `attempt`th time, from 0.
    void syn(int attempt) {
        if (client.isClosed()) {
            return;
        }
        if (attempt >= MAX_SYNS) {
            outcome("Connection timed out");
            return;
        }
        SimHost to = isLoopback() ? from : simulation.network().host(remote);
        if (to == null) {
            simulation.after(
                    simulation.latency(),
                    () ->
                            client.connectEnded(
                                    new NoRouteToHostException(
                                            "connect " + remote + ": No route to host")));
        } else if (from.strikes(Fault.LOSE_SYN)) {
            retry(attempt);
        } else {
            simulation.after(simulation.latency(), () -> synArrived(to, attempt));
        }
    }

    private boolean isLoopback() {
        return remote.getAddress().isLoopbackAddress();
    }

    private void retry(int attempt) {
        simulation.after(FIRST_RETRY << attempt, () -> syn(attempt + 1));
    }

    private void synArrived(SimHost to, int attempt) {
        if (client.isClosed()) {
            return; // a reset answers the SYN-ACK, and nothing is accepted (RFC 9293, 3.10.7)
        }
        if (simulation.network().isDown(from, to)) {
            retry(attempt);
            return;
        }
        SimListener listener = to.listener(remote.getPort());
        if (listener == null || to.strikes(Fault.REFUSE)) {
            simulation.after(simulation.latency(), () -> outcome("Connection refused"));
            return;
        }
        SimStream accepted =
                new SimStream(
                        this,
                        to,
                        new OptionValues(listener.options().all(), false),
                        /* local= */ remote,
                        /* remote= */ local);
        Wire out = new Wire(this, client, accepted);
        Wire in = new Wire(this, accepted, client);
        client.wire(out, in);
        accepted.wire(in, out);
        if (!listener.offer(accepted)) {
            client.unwire();
            retry(attempt);
            return;
        }
        there = out;
        back = in;
        simulation.network().connected(this);
        simulation.after(simulation.latency(), () -> client.connectEnded(null));
    }

    private void outcome(String reason) {
        client.connectEnded(new ConnectException("connect " + remote + ": " + reason));
    }

    // ---- for scripts ----

    /// Counted from 1, in the order of the connects.
    public int id() {
        return id;
    }

    public InetSocketAddress clientAddress() {
        return local;
    }

    public InetSocketAddress serverAddress() {
        return remote;
    }

    private Wire wire(End sender) {
        Wire wire = sender == End.CLIENT ? there : back;
        if (wire == null) {
            throw new IllegalStateException("not connected yet: " + this);
        }
        return wire;
    }

    /// The connection is reset when exactly `bytes` of what `sender` sent have arrived.
    public void resetAfter(End sender, long bytes) {
        wire(sender).resetAfter(bytes);
    }

    /// Lets only the first `bytes` of what `sender` sends arrive, until [#resume].
    public void stallAfter(End sender, long bytes) {
        wire(sender).stallAfter(bytes);
    }

    /// Lets what was stalled arrive.
    public void resume(End sender) {
        wire(sender).stallAfter(Long.MAX_VALUE);
        wire(sender).resume();
    }

    /// Splits what `sender` sends into pieces of at most `bytes`.
    public void pieces(End sender, int bytes) {
        wire(sender).pieces(bytes);
    }

    /// At most `bytes` are under way from `sender`, or unread by its peer.
    public void window(End sender, int bytes) {
        wire(sender).window(bytes);
    }

    /// Bytes that `sender` sent and that have arrived.
    public long arrived(End sender) {
        return wire(sender).arrived();
    }

    /// Both ends are told that the other has reset the connection.
    public void reset() {
        wire(End.CLIENT).breakReceiver();
        wire(End.SERVER).breakReceiver();
    }

    // ---- for the ends ----

    Simulation simulation() {
        return simulation;
    }

    @Override
    public String toString() {
        return "SimConnection[" + id + ", " + local + " to " + remote + "]";
    }
}
