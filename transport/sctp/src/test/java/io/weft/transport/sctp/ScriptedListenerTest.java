package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.ffi.Sockets;
import io.weft.loop.ManualExecutor;
import io.weft.testkit.Warns;
import io.weft.transport.posix.OwnedDescriptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A listener that is told by the test when it is ready. Its socket is one of TCP: the calls are
/// the same, and need no kernel with SCTP.
@EnabledOnOs(OS.LINUX)
class ScriptedListenerTest {
    private final ManualExecutor loop = new ManualExecutor();
    private boolean wantsInput;
    private boolean watched = true;
    private int accepted;
    private int closed;

    private final Engine engine =
            new WatchingEngine() {
                @Override
                public ReadyHandle watch(int descriptor, ReadyEvents events) {
                    return new ReadyHandle() {
                        @Override
                        public void interest(boolean readable, boolean writable) {
                            wantsInput = readable;
                        }

                        @Override
                        public void close() {
                            watched = false;
                        }
                    };
                }
            };

    private final ListenEvents events =
            new ListenEvents() {
                @Override
                public void accepted(Accepted connection) {
                    accepted++;
                    throw new OutOfMemoryError("no memory");
                }

                @Override
                public void exhausted(IOException cause) {
                    throw new AssertionError(cause);
                }

                @Override
                public void closed() {
                    closed++;
                }
            };

    private final SctpListener listener;

    ScriptedListenerTest() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        int fd =
                Sockets.socket(
                        Sockets.AF_INET,
                        Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC,
                        0);
        listener =
                OwnedDescriptor.of(
                        fd,
                        () -> {
                            SctpSocket socket = new SctpSocket(fd, Sockets.AF_INET, SctpMode.BYTES);
                            SctpAddress address = SctpAddress.of(any);
                            socket.bind(address.sockets());
                            socket.listen(8);
                            return new SctpListener(
                                    loop, engine, socket, address, ChannelOptions.DEFAULT, events);
                        });
    }

    @AfterEach
    void close() {
        listener.close();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    @Warns
    void aCallbackThatThrowsCostsTheConnectionAndNotTheListener() throws IOException {
        listener.accept();
        InetSocketAddress at = ((SctpAddress) listener.localAddress()).sockets().getFirst();
        for (int i = 1; i <= 2; i++) {
            try (Socket client = new Socket(at.getAddress(), at.getPort())) {
                listener.ready(true, false);
                assertThat(accepted).isEqualTo(i);
                assertThat(client.getInputStream().read()).as("closed").isEqualTo(-1);
                assertThat(wantsInput).isTrue();
                assertThat(watched).isTrue();
                loop.runNow();
            }
        }
    }
}
