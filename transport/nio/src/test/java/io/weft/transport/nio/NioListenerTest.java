package io.weft.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class NioListenerTest {
    private static final class Refusing implements ListenEvents {
        @Override
        public void accepted(Accepted connection) {
            throw new AssertionError("accepted (expected: closed before)");
        }

        @Override
        public void exhausted(IOException cause) {
            throw new AssertionError("exhausted (expected: never)", cause);
        }

        @Override
        public void closed() {}
    }

    /// The JDK throws IllegalArgumentException for a value that an accepted channel cannot have.
    @Test
    void connectionThatRefusesAnOptionIsClosedAndReported() throws Exception {
        NioEngine engine = new NioEngine();
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.IP_TOS, 300);
        ListenHandle listener =
                engine.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        options,
                        new Refusing());
        listener.accept();
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        for (int i = 0; i < 2; i++) {
            try (Socket peer = new Socket(address.getAddress(), address.getPort())) {
                peer.setSoTimeout((int) TimeUnit.SECONDS.toMillis(60));
                assertThatThrownBy(() -> engine.poll(Long.MAX_VALUE))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("IP_TOS");
                assertThat(peer.getInputStream().read()).isEqualTo(-1);
            }
        }
        listener.close();
        engine.close();
    }
}
