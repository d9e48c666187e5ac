package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.PassedDescriptor;
import io.weft.ffi.Libc;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// A listening socket goes from one owner to another, as between processes.
@EveryTransport
class ListenerTakeoverTest {
    private static final int CLIENTS = 200;

    private final Rig rig;

    ListenerTakeoverTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private void assumeNative() {
        Assumptions.assumeFalse(rig.transport().equals("nio"), "the JDK has none");
    }

    private ServerChannel echo() {
        return rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
    }

    /// Another descriptor of the same socket, as a process that it was passed to has.
    private static PassedDescriptor passed(ServerChannel listener) {
        int number = listener.eventLoop().submit(listener::descriptor).join();
        assertThat(number).isNotNegative();
        return new PassedDescriptor(Libc.fcntl(number, Libc.F_DUPFD_CLOEXEC, 3), Libc::close);
    }

    private ServerChannel adopt(PassedDescriptor descriptor) {
        return rig.server(ch -> ch.pipeline().addLast(new Echo())).adopt(descriptor).join();
    }

    @Test
    void adoptedSocketIsAcceptedFromWhenTheOtherIsClosed() throws IOException {
        assumeNative();
        ServerChannel first = echo();
        Socket before = rig.connect(first.localAddress());
        Rig.assertServed(before);
        ServerChannel second = adopt(passed(first));
        assertThat(second.localAddress()).isEqualTo(first.localAddress());
        first.close().join();
        Rig.assertServed(rig.connect(second.localAddress()));
        Rig.assertServed(before);
        assertThat((int) first.eventLoop().submit(first::descriptor).join()).isEqualTo(-1);
        // Of epoll: no event of the shared socket wakes the loop that no longer listens.
        rig.assertIdle(50);
    }

    @Test
    void noClientIsLostWhileTheSocketChangesHands() throws Exception {
        assumeNative();
        ServerChannel listener = echo();
        SocketAddress address = listener.localAddress();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(
                    CompletableFuture.runAsync(
                            () -> visit(address), task -> new Thread(task).start()));
            if (i % 20 == 10) {
                ServerChannel next = adopt(passed(listener));
                var _ = listener.close();
                listener = next;
            }
        }
        Rig.await(CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)));
    }

    private void visit(SocketAddress address) {
        try (Socket socket = rig.connect(address)) {
            Rig.assertServed(socket);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachLoopGetsItsListeners() throws IOException {
        assumeNative();
        List<ServerChannel> first =
                rig.server(ch -> ch.pipeline().addLast(new Echo()))
                        .bindOnEachLoop(rig.anyAddress())
                        .join();
        List<ServerChannel> second =
                rig.server(ch -> ch.pipeline().addLast(new Echo()))
                        .adoptOnEachLoop(first.stream().map(ListenerTakeoverTest::passed).toList())
                        .join();
        assertThat(second.stream().map(ServerChannel::eventLoop))
                .containsExactlyElementsOf(rig.group.loops());
        first.forEach(one -> one.close().join());
        for (int i = 0; i < 10; i++) {
            Rig.assertServed(rig.connect(second.getFirst().localAddress()));
        }
    }

    @Test
    void descriptorThatDoesNotListenIsClosed() throws IOException {
        ServerChannel listener = echo();
        PassedDescriptor other =
                new PassedDescriptor(Libc.eventfd(0, Libc.EFD_CLOEXEC), Libc::close);
        assertThatThrownBy(() -> adopt(other))
                .hasCauseInstanceOf(
                        rig.transport().equals("nio")
                                ? UnsupportedOperationException.class
                                : IOException.class);
        assertThatThrownBy(other::take).isInstanceOf(IllegalStateException.class);
        Rig.assertServed(rig.connect(listener.localAddress()));
    }

    @Test
    void descriptorThatIsGoneIsRefused() {
        PassedDescriptor gone = PassedDescriptor.borrowed(0);
        gone.close();
        assertThatThrownBy(() -> adopt(gone)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void severalAreLeftAsTheyAreWhenOneIsGone() throws IOException {
        assumeNative();
        ServerChannel listener = echo();
        SocketAddress address = listener.localAddress();
        PassedDescriptor gone = PassedDescriptor.borrowed(0);
        gone.close();
        try (PassedDescriptor open = passed(listener)) {
            ServerBootstrap server = rig.server(_ -> {});
            assertThatThrownBy(() -> server.adoptOnEachLoop(List.of(open, gone)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(open.isOpen()).isTrue();
        }
        Rig.assertServed(rig.connect(address));
    }

    @Test
    void eachOfSeveralIsClosedWhenOneCannotBeHad() throws IOException {
        assumeNative();
        ServerChannel listener = echo();
        PassedDescriptor other =
                new PassedDescriptor(Libc.eventfd(0, Libc.EFD_CLOEXEC), Libc::close);
        List<PassedDescriptor> both = List.of(passed(listener), other);
        assertThatThrownBy(() -> rig.server(_ -> {}).adoptOnEachLoop(both).join())
                .hasCauseInstanceOf(IOException.class);
        listener.close().join();
    }
}
