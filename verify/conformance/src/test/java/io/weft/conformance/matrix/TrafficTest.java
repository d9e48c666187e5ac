package io.weft.conformance.matrix;

import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Connections on which both ends do what the dice say, checked against what either direction has
/// to carry. A fixed list of seeds runs always; with `-Dio.weft.traffic.seconds=N` fresh ones do
/// for so long on each transport. A failure prints its seed: `-Dio.weft.traffic.seed=N` runs that
/// one again.
@EveryTransport
@Timeout(3600)
class TrafficTest {
    private static final long SECONDS = Long.getLong("io.weft.traffic.seconds", 0);

    /// As many seeds from 1 on.
    private static final int COMMITTED = 80;

    private final Rig rig;
    private final ExecutorService elsewhere = Executors.newFixedThreadPool(2);

    @TempDir private Path directory;

    TrafficTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        elsewhere.close();
        rig.close();
    }

    @Test
    void everyByteArrivesOnceAndEveryOutcomeIsTold() throws Exception {
        Path file =
                Files.write(
                        directory.resolve("file"),
                        TrafficStream.bytes(TrafficEncoder.FILE_KEY, TrafficEncoder.FILE_LENGTH));
        Long given = Long.getLong("io.weft.traffic.seed");
        if (given == null && SECONDS == 0) {
            for (long seed = 1; seed <= COMMITTED; seed++) {
                new TrafficCase(rig, seed, file, elsewhere).run();
            }
            return;
        }
        long seed = given == null ? new Random().nextInt() * 1_000_000L : given;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int cases = 0;
        for (long next = seed; cases == 0 || System.nanoTime() - end < 0; cases++) {
            new TrafficCase(rig, next, file, elsewhere).run();
            next = given == null ? next + 1 : next;
        }
        System.out.println(
                "traffic over "
                        + rig.transport()
                        + ": "
                        + cases
                        + " connections from seed "
                        + seed);
    }
}
