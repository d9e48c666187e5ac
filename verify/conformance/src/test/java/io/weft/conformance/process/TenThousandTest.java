package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.blocking.Connection;
import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Ten thousand connections open at a time, each with a virtual thread at either end; the servers
/// are in a process of their own, as both together need more descriptors than one often may have.
@EveryTransport
@Timeout(300)
class TenThousandTest {
    private static final int COUNT = 10_000;
    private static final int DESCRIPTORS = COUNT + 500;

    /// So many take seconds where nothing else runs.
    static final long PATIENCE_SECONDS = 240;

    private final Rig rig;
    private final String transport;
    private final CountDownLatch open = new CountDownLatch(COUNT);
    private final CountDownLatch finished = new CountDownLatch(COUNT);
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /// So many connect at a time, as a backlog is finite.
    private final Semaphore connecting = new Semaphore(100);

    TenThousandTest(String transport) throws IOException {
        this.transport = transport;
        rig = Rig.ofSockets(transport, 1);
        assumeDescriptors();
    }

    /// Skips a test for which this process may not have enough.
    static void assumeDescriptors() throws IOException {
        long limit = limit();
        Assumptions.assumeTrue(
                limit >= DESCRIPTORS,
                () -> "descriptors: " + limit + " (expected: at least " + DESCRIPTORS + ")");
    }

    /// Limit of descriptors of this process.
    private static long limit() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        Assumptions.assumeTrue(Files.exists(limits), "/proc/self/limits: missing");
        for (String line : Files.readAllLines(limits)) {
            if (line.startsWith("Max open files")) {
                String soft = line.substring("Max open files".length()).trim().split(" +", -1)[0];
                return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
            }
        }
        return 0;
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void tenThousandConnectionsAreServedAtATime() throws Exception {
        try (Child server =
                new Child(
                        BlockingChild.class,
                        transport,
                        0,
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED")) {
            for (int i = 0; i < COUNT; i++) {
                int number = i;
                Thread.ofVirtual().start(() -> converse(server, number));
            }
            assertThat(finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("open: %d, finished: %d", open.getCount(), finished.getCount())
                    .isTrue();
            assertThat(failures).isEmpty();
        }
    }

    private void converse(Child server, int number) {
        try (var connection = connect(server)) {
            say(connection, "first of " + number);
            open.countDown();
            open.await(); // until all are
            say(connection, "second of " + number);
        } catch (Throwable e) {
            failures.add(e);
            open.countDown();
        } finally {
            finished.countDown();
        }
    }

    private Connection<String, String> connect(Child server) throws Exception {
        connecting.acquire();
        try {
            return Connection.connect(rig.group, server.address, BlockingTest.LINES);
        } finally {
            connecting.release();
        }
    }

    private static void say(Connection<String, String> connection, String line) throws Exception {
        connection.write(line);
        connection.flush();
        assertThat(connection.read()).isEqualTo(line);
    }
}
