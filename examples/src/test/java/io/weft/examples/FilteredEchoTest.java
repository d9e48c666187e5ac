package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilteredEchoTest {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served server(boolean unique, String... allowed) {
        return Served.start(o -> FilteredEcho.start(o, List.of(allowed), unique), "nio");
    }

    private static void requireEcho(Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        assertThat(socket.getInputStream().read()).isEqualTo('x');
    }

    /// A reset, or an end when the reset came before the first byte was read.
    private static boolean isRefused(Socket socket) {
        try {
            socket.getOutputStream().write('x');
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return !(e instanceof java.net.SocketTimeoutException);
        }
    }

    @Test
    void allowedAddressesAreAnswered() throws Exception {
        try (Served server = server(false, "10.0.0.0/8", "127.0.0.0/8", "::1/128");
                Socket one = server.connect();
                Socket two = server.connect()) {
            requireEcho(one);
            requireEcho(two);
        }
    }

    @Test
    void otherAddressesAreRefused() throws Exception {
        try (Served server = server(false, "192.0.2.0/24");
                Socket socket = server.connect()) {
            assertThat(isRefused(socket)).isTrue();
        }
    }

    @Test
    void uniqueAddressHasOneConnection() throws Exception {
        try (Served server = server(true, "127.0.0.0/8", "::1/128");
                Socket one = server.connect()) {
            requireEcho(one);
            try (Socket two = server.connect()) {
                assertThat(isRefused(two)).isTrue();
            }
            requireEcho(one);
        }
    }

    @Test
    void malformedBlockIsRefusedAtTheStart() {
        assertThatThrownBy(() -> server(false, "192.0.2.0/99"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
