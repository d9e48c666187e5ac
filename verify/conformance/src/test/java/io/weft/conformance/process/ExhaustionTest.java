package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Processor;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A server without descriptors left waits quietly until one is free, and serves everybody in the
/// end.
@EveryTransport
@EnabledOnOs(OS.LINUX)
class ExhaustionTest {
    private static final int DESCRIPTORS = 100;
    private static final int CLIENTS = 180;

    private final String transport;

    ExhaustionTest(String transport) throws IOException {
        Assumptions.assumeFalse(
                transport.equals("scripted-kqueue"), "takes descriptors of its own for each loop");
        this.transport = transport;
        Rig.ofSockets(transport, 1).close(); // skips where it does not work
    }

    @Test
    void whoeverFindsNoDescriptorIsServedWhenOneIsFree() throws IOException {
        long start = System.nanoTime();
        // The first time is cold: nothing of what the failure needs has been loaded yet, and
        // loading takes descriptors.
        // The lines about accepting are counted: no traces of a loop that a busy machine held up.
        try (Child child =
                new Child(
                        transport,
                        DESCRIPTORS,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dio.weft.watchdog.threshold=0")) {
            for (int cycle = 0; cycle < 2; cycle++) {
                try {
                    exhaust(child);
                } catch (IOException e) {
                    throw new AssertionError("cycle " + cycle + ": " + child.errors(), e);
                }
            }
            assertThat(child.errors()).doesNotContain("Error");
            assertThat(child.errors()).contains("not accepting on ");
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            assertThat(child.errors().lines().filter(line -> line.contains("accept")).count())
                    .as("lines in %d s: %s", seconds, child.errors())
                    .isLessThanOrEqualTo(2 * (seconds + 2));
        }
    }

    private static void exhaust(Child child) throws IOException {
        List<Socket> clients = new ArrayList<>();
        try {
            // All come while the server sleeps, so that one batch of accepts takes every
            // descriptor.
            child.signal("STOP");
            for (int i = 0; i < CLIENTS; i++) {
                Socket client = new Socket(child.address.getAddress(), child.address.getPort());
                client.setSoTimeout(60_000);
                clients.add(client);
                Rig.send(client, "x");
            }
            child.signal("CONT");
            Rig.awaitTrue("no descriptor left", () -> child.descriptors() >= DESCRIPTORS);
            // Not at once: the loop may still be at work for those it did accept.
            Rig.awaitTrue("the loop rests", () -> rests(child));
            for (Socket client : clients) {
                assertThat(Rig.receive(client, 1)).isEqualTo("x");
                client.close();
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /// Tells if the loop takes less than half of the processor time that this thread takes
    /// meanwhile.
    private static boolean rests(Child child) {
        try {
            long before = child.loopTicks();
            long spunTicks = Processor.spin(100) / 10_000_000;
            return child.loopTicks() - before <= spunTicks / 2;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
