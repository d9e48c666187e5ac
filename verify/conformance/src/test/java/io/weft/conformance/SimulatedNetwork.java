package io.weft.conformance;

import io.weft.channel.EventLoopGroup;
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

/// Two hosts of a simulation whose time a thread moves as fast as real time, since these tests are on threads of their own.
/// Nothing fails, but everything comes in another way each time: in parts, later, in another order.
final class SimulatedNetwork implements Network {
    private static final Faults UNEVEN =
            Faults.none()
                    .with(Fault.PARTIAL_SEND, 0.3)
                    .with(Fault.PARTIAL_RECEIVE, 0.3)
                    .with(Fault.DEFERRED_SEND, 0.5)
                    .with(Fault.SPURIOUS_SEND, 0.2)
                    .with(Fault.REORDER, 0.5)
                    .with(Fault.RECEIVE_AT_ONCE, 0.3)
                    .with(Fault.LATE_CLOSE, 0.3)
                    .latency(Duration.ofNanos(1_000), Duration.ofNanos(100_000));

    private static final long PAUSE_NANOS = 100_000;

    private final CompletableFuture<EventLoopGroup[]> groups = new CompletableFuture<>();
    private final Thread time;
    private volatile boolean stopped;

    SimulatedNetwork(int loops) {
        time = new Thread(() -> run(loops), "simulated time");
        time.start();
        groups.join();
    }

    private void run(int loops) {
        try (Simulation simulation = new Simulation(Simulation.seed(), UNEVEN)) {
            SimHost server = simulation.host("server");
            groups.complete(
                    new EventLoopGroup[] {server.group(loops), simulation.host("peers").group(1)});
            long last = System.nanoTime();
            while (!stopped) {
                long now = System.nanoTime();
                simulation.run(Duration.ofNanos(now - last));
                last = now;
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
