package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sends that the kernel is not to copy, of a server on io_uring. Over loopback it does after all,
/// so that each connection's first send is the only one: a hundred connections.
@Timeout(300)
class ZeroCopyTest {
    private static final int CONNECTIONS = 100;

    ZeroCopyTest() throws IOException {
        new Rig("io_uring", 1).close(); // skips where it does not work
    }

    @Test
    void whatIsSentUncopiedArrives() throws IOException {
        try (Child child =
                new Child(
                        "io_uring",
                        0,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dio.weft.uring.zeroCopyFrom=1")) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket client = new Socket(child.address.getAddress(), child.address.getPort());
                client.setSoTimeout(60_000);
                clients.add(client);
                Rig.send(client, text(i));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket client = clients.get(i);
                assertThat(Rig.receive(client, text(i).length())).isEqualTo(text(i));
                if (i % 2 == 0) {
                    Rig.reset(client);
                }
                client.close();
            }
        }
    }

    private static String text(int i) {
        return ("hello " + i + "! ").repeat(1_000);
    }
}
