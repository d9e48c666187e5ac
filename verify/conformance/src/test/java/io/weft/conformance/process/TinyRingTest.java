package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A completion queue that overflows all the time loses nothing; one of an impossible size is
/// refused with its name.
@Timeout(300)
class TinyRingTest {
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    TinyRingTest() throws IOException {
        new Rig("io_uring", 1).close(); // skips where it does not work
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void whatDoesNotFitIsServedLater(int entries) throws IOException {
        try (Child child =
                new Child("io_uring", 0, NATIVE, "-Dio.weft.uring.cqEntries=" + entries)) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Socket client = new Socket(child.address.getAddress(), child.address.getPort());
                client.setSoTimeout(60_000);
                clients.add(client);
                Rig.send(client, "hello");
            }
            for (Socket client : clients) {
                assertThat(Rig.receive(client, 5)).isEqualTo("hello");
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_537})
    void anImpossibleSizeIsRefused(int entries) throws IOException {
        try (Child child = new Child("auto", 0, NATIVE, "-Dio.weft.uring.cqEntries=" + entries)) {
            assertThat(child.transport).isNotEqualTo("io_uring");
            assertThat(child.errors())
                    .contains("io.weft.uring.cqEntries: " + entries + " (expected: 2 to 65536)");
        }
    }
}
