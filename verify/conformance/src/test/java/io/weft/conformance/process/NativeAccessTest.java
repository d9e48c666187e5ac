package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The transport that `auto` takes depends on what the JVM allows.
@Timeout(300)
class NativeAccessTest {
    @Test
    void whereItIsDeniedNioServesAndTheLogSaysWhy() throws IOException {
        try (Child child = new Child("auto", 0, "--illegal-native-access=deny")) {
            assertServes(child);
            assertThat(child.transport).isEqualTo("nio");
            assertThat(child.errors()).contains("transport nio", "--enable-native-access");
        }
    }

    @Test
    void whereItIsSwitchedOffNioServes() throws IOException {
        try (Child child = new Child("auto", 0, "-Dio.weft.noNative=true")) {
            assertServes(child);
            assertThat(child.transport).isEqualTo("nio");
        }
    }

    private static void assertServes(Child child) throws IOException {
        try (Socket client = new Socket(child.address.getAddress(), child.address.getPort())) {
            client.setSoTimeout(60_000);
            Rig.assertServed(client);
        }
    }
}
