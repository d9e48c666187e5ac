package io.weft.conformance.rig;

import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// Two hosts of a simulation whose time a thread moves as fast as real time, since these tests are
/// on threads of their own. Nothing fails, but everything comes in another way each time: in parts,
/// later, in another order.
final class SimulatedNetwork implements Network {
    private static final Faults UNEVEN =
            Faults.none()
                    .with(Fault.PARTIAL_SEND, 0.3)
                    .with(Fault.PARTIAL_RECEIVE, 0.3)
                    .with(Fault.DEFERRED_SEND, 0.5)
                    .with(Fault.SPURIOUS_SEND, 0.2)
                    .with(Fault.REORDER, 0.5)
                    .with(Fault.LATE_CLOSE, 0.3)
                    .latency(Duration.ofNanos(1_000), Duration.ofNanos(100_000));

    private static final long PAUSE_NANOS = 100_000;

    /// When this thread gets no processor for long the tests' threads may get none either, and no
    /// timer is to run out for that.
    private static final long LONGEST_STEP_NANOS = 1_000_000;

    /// Longer than anything takes that is under way.
    private static final int RESTING_STEPS = 20;

    private final CompletableFuture<EventLoopGroup[]> groups = new CompletableFuture<>();
    private static final long SEED = Simulation.seed();

    private final Thread time;
    private volatile boolean stopped;

    /// The last ones in which nothing happened.
    private volatile int resting;

    private volatile long steps;

    SimulatedNetwork(int loops) {
        time = new Thread(() -> run(loops), "simulated time");
        time.start();
        groups.join();
    }

    private void run(int loops) {
        try (Simulation simulation = new Simulation(SEED, UNEVEN)) {
            SimHost server = simulation.host("server");
            groups.complete(
                    new EventLoopGroup[] {server.group(loops), simulation.host("peers").group(1)});
            long last = System.nanoTime();
            long events = 0;
            long step = 0;
            int rest = 0;
            while (!stopped) {
                long now = System.nanoTime();
                simulation.run(Duration.ofNanos(Math.min(now - last, LONGEST_STEP_NANOS)));
                last = now;
                long noted = simulation.trace().events();
                rest = noted == events ? rest + 1 : 0;
                events = noted;
                resting = rest;
                steps = ++step; // last: who sees it sees the rest
                boolean _ = Thread.interrupted(); // or it would spin
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (Throwable t) {
            groups.completeExceptionally(t);
            throw t;
        }
    }

    @Override
    public EventLoopGroup group() {
        return groups.join()[0];
    }

    @Override
    public SocketAddress anyAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public Socket connect(SocketAddress address, int receiveBuffer) throws IOException {
        return ChannelSocket.connect(groups.join()[1], address, receiveBuffer);
    }

    /// The loops have no thread whose processor time would tell, and a run that spins at one time
    /// fails by itself; so this waits until nothing happens while time goes on.
    @Override
    public void assertIdle(long spinMillis) {
        long first = steps + 1; // may have begun before what the caller did
        Rig.awaitTrue(
                "nothing happens", () -> steps > first + RESTING_STEPS && resting > RESTING_STEPS);
    }

    @Override
    public void close() {
        Rig.await(groups.join()[1].shutdownGracefully().toCompletableFuture());
        stopped = true;
        try {
            time.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
