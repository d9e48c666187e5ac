package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Ledger;
import io.weft.engine.FileRegion;
import io.weft.ffi.Errno;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.uring.ScriptedKernel.Submission;
import io.weft.transport.uring.ScriptedRingTest.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Streams that are asked to send again while the kernel still reads what they send: so does a
/// channel whose handler flushes or closes when it hears that a receive has failed.
class SendUnderWayTest {
    @BeforeAll
    static void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "descriptors of Linux");
        assumeTrue(NativeAccess.refusal() == null, NativeAccess.refusal());
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, " + IoUring.IORING_OP_SEND,
        "100, " + IoUring.IORING_OP_SEND_ZC,
    })
    void sendAfterAFailedReceiveWaitsForTheOneUnderWay(int zeroCopyFrom, int opcode) {
        try (Rig rig = new Rig(16, zeroCopyFrom)) {
            Submission receive = rig.receive();
            rig.send(100);
            rig.poll();
            Submission send = rig.kernel.only(opcode);
            rig.atFailure = _ -> rig.send(100);
            rig.kernel.complete(receive, -Errno.ECONNRESET);
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.only(opcode)).isSameAs(send);
            assertThat(send.cancelled).isTrue();
            assertThat(rig.closes).isZero();
            rig.kernel.complete(send, -Errno.ECANCELED);
            rig.poll();
            assertThat(rig.closes).isOne();
        }
    }

    @Test
    void fileIsNotSentAgainWhileItIsRead(@TempDir Path directory) throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[1_000]);
        try (Rig rig = new Rig(16);
                FileRegion region = FileRegion.open(path)) {
            rig.stream.share(); // so that the ring reads the file
            rig.stream.sendFile(region);
            rig.poll();
            Submission read = rig.kernel.pending.getLast();
            assertThat(read.length).isEqualTo(1_000);
            assertThat(rig.stream.sendFile(region)).isEqualTo(UringStream.PENDING);
            rig.poll();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .containsOnly(IoUring.IORING_OP_READ);
            assertThat(rig.kernel.pending.getLast()).isSameAs(read);
            rig.kernel.complete(read, -Errno.ECANCELED);
            rig.stream.close(true);
            rig.poll();
        }
    }
}
