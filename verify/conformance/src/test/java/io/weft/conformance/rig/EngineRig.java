package io.weft.conformance.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/// An engine without a loop: the test's thread polls it and hears its events. Closing it checks
/// that no buffer and no descriptor is left.
public final class EngineRig implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    public final Engine engine;

    /// Throwables that callbacks threw and the engine let through, in order.
    public final List<Throwable> thrown = new ArrayList<>();

    private final Set<String> before;
    private final List<Socket> peers = new ArrayList<>();
    private final List<Runnable> handles = new ArrayList<>();

    /// Skips the test if the transport does not work here.
    public EngineRig(String transport) throws IOException {
        KernelNetwork.prepare();
        EngineProvider provider =
                ServiceLoader.load(EngineProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(p -> p.name().equals(transport))
                        .findFirst()
                        .orElseThrow();
        try {
            provider.probe();
            before = Descriptors.open();
            engine = provider.create();
        } catch (EngineUnavailableException e) {
            throw Assumptions.<AssertionError>abort(e.getMessage());
        }
        engine.start();
    }

    /// Polls as a loop does: what a poll throws is noted, and the next poll follows.
    public void poll() {
        guard(() -> engine.poll(POLL_NANOS));
    }

    /// Notes what `action` throws.
    public void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            thrown.add(t);
        }
    }

    public void pollUntil(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Rig.PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("waited in vain: " + what).isNegative();
            poll();
        }
    }

    public ListenHandle listen(EngineEvents events) throws IOException {
        ListenHandle listener = engine.listen(Rig.ANY_PORT, ChannelOptions.DEFAULT, events);
        handles.add(listener::close);
        listener.accept();
        return listener;
    }

    public Socket connect(ListenHandle listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        Socket peer = new Socket();
        peers.add(peer);
        peer.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Rig.PATIENCE_SECONDS));
        peer.connect(address);
        return peer;
    }

    /// The next connection that `listening` was told of.
    public StreamHandle adopt(EngineEvents listening, EngineEvents events) throws IOException {
        pollUntil("a connection", () -> !listening.accepted.isEmpty());
        Accepted accepted = listening.accepted.remove();
        return closedAtEnd(engine.adopt(accepted, events));
    }

    /// As a loop closes all its channels before its engine.
    <T extends ChannelHandle> T closedAtEnd(T handle) {
        handles.add(() -> handle.close(true));
        return handle;
    }

    @Override
    public void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        handles.forEach(Runnable::run);
        engine.close();
        assertThat(Ledger.takeOpen()).as("open buffers").isEmpty();
        Set<String> left = Descriptors.open();
        left.removeAll(before);
        assertThat(left).as("open descriptors").isEmpty();
    }
}
