package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Ledger;
import io.weft.ffi.Errno;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.uring.ScriptedKernel.Submission;
import io.weft.transport.uring.ScriptedRingTest.Rig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Streams whose receive is under way when they pause, and brings input and then an error.
class HeldInputTest {
    private final List<String> failures = new ArrayList<>();

    @BeforeAll
    static void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "descriptors of Linux");
        assumeTrue(NativeAccess.refusal() == null, NativeAccess.refusal());
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Rig pausedWithInputAndReset() {
        Rig rig = new Rig(16);
        rig.atFailure = (IOException cause) -> failures.add(cause.getMessage());
        Submission receive = rig.receive();
        rig.stream.pause();
        rig.kernel.receive(receive, 10, 0, true);
        rig.kernel.complete(receive, -Errno.ECONNRESET);
        rig.poll();
        return rig;
    }

    @Test
    void resetIsToldBehindInputThatIsHeld() {
        try (Rig rig = pausedWithInputAndReset()) {
            assertThat(failures).isEmpty();
            assertThat(rig.received).isZero();
            rig.stream.receive();
            rig.poll();
            assertThat(rig.received).isEqualTo(10);
            assertThat(failures).singleElement().asString().contains("ECONNRESET");
            assertThat(rig.ends).isZero();
        }
    }

    @Test
    void resetBehindHeldInputIsToldByTheNextSend() {
        try (Rig rig = pausedWithInputAndReset()) {
            rig.send(1);
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), -Errno.EPIPE);
            rig.poll();
            assertThat(failures).singleElement().asString().contains("EPIPE");
            assertThat(rig.received).isZero();
        }
    }

    @Test
    void streamThatPausesAgainHearsOfTheResetBehindTheRest() {
        try (Rig rig = pausedWithInputAndReset()) {
            rig.pausesAfter = 1;
            rig.stream.receive();
            rig.poll();
            assertThat(rig.received).isEqualTo(10);
            assertThat(failures).isEmpty();
            rig.stream.receive();
            rig.poll();
            assertThat(failures).hasSize(1);
            assertThat(rig.ends).isZero();
        }
    }
}
