package io.weft.http.http2;

import static io.weft.http.http2.Side.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.loop.EventExecutor;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class Http2StreamHandleTest {
    /// A connection that is asked for nothing.
    private static final class Quiet implements Http2StreamHandle.Owner {
        @Override
        public EventExecutor executor() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public void wrote() {}

        @Override
        public void flush() {}

        @Override
        public void closed(Http2Stream stream) {}

        @Override
        public @Nullable SocketAddress localAddress() {
            return null;
        }

        @Override
        public @Nullable SocketAddress remoteAddress() {
            return null;
        }
    }

    @Test
    void streamThatDidNotBecomeAChannelKeepsNothing() {
        try (Side client = Side.client();
                Side server = Side.server()) {
            exchange(client, server);
            client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
            exchange(client, server);
            Http2StreamHandle handle =
                    new Http2StreamHandle(server.streams.getFirst(), new Quiet());
            handle.data(Side.bytes("early"), false);
            handle.close();
            exchange(client, server);
            assertThat(client.log).containsExactly("reset 1 CANCEL");
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }
}
