package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.leak.LeakDetector;
import io.weft.buffer.leak.LeakLog;
import io.weft.buffer.leak.LeakReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs in a JVM of its own with `-Dio.weft.leakDetection.level=paranoid`.
@Tag("follows-leaks")
@Timeout(60)
class LeakedBufferTest {
    private final LeakDetector detector = LeakDetector.ofBuffers();
    private final List<LeakReport> reports = new ArrayList<>();

    @BeforeEach
    void listen() {
        detector.listener(reports::add);
        LeakLog.mute(detector);
    }

    @AfterEach
    void forget() {
        detector.listener(null);
    }

    private static Buffer allocate() {
        return BufferAllocator.pooled().allocate(16);
    }

    private LeakReport nextReport() {
        return nextReport(detector::check);
    }

    private LeakReport nextReport(Runnable look) {
        while (reports.isEmpty()) {
            System.gc();
            look.run();
            Thread.onSpinWait();
        }
        return reports.removeFirst();
    }

    private static void leakAfter(int touches) {
        Buffer b = allocate();
        b.retain();
        for (int i = 0; i < touches; i++) {
            b.touch("decoder");
        }
        b.release();
    }

    @Test
    void aBufferThatIsDroppedIsReportedAndStaysOnTheLedger() {
        leakAfter(3);
        LeakReport report = nextReport();
        assertThat(report.resource()).isEqualTo("buffer");
        assertThat(report.allocation())
                .extracting(StackTraceElement::getMethodName)
                .contains("leakAfter");
        assertThat(report.accesses()).isEqualTo(5);
        assertThat(report.shown())
                .extracting(LeakReport.Access::hint)
                .containsExactly("retain", "decoder", "decoder", "release");
        assertThat(Ledger.takeOpen()).hasSize(1);
    }

    private static void leakAPart() {
        Buffer whole = allocate();
        whole.writeLong(1).split(4);
        whole.release();
    }

    @Test
    void aPartIsFollowedByItself() {
        leakAPart();
        assertThat(nextReport().allocation())
                .extracting(StackTraceElement::getMethodName)
                .contains("split", "leakAPart");
        assertThat(Ledger.takeOpen()).hasSize(1);
    }

    @Test
    void whatIsReleasedIsForgotten() {
        int before = detector.open();
        Buffer b = allocate();
        Buffer part = b.writeLong(1).split(3);
        Buffer grown = allocate().writeBytes(new byte[5000]);
        assertThat(detector.open()).isEqualTo(before + 3);
        b.release();
        part.release();
        grown.release();
        assertThat(detector.open()).isEqualTo(before);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void anIdleLoopReportsALeakWithoutAnyAllocation() {
        BufferAllocator.pooled().attachThread();
        try {
            leakAfter(0);
            LeakReport report = nextReport(() -> BufferAllocator.pooled().idle(0));
            assertThat(report.toString()).contains("leakAfter");
        } finally {
            BufferAllocator.pooled().detachThread();
        }
        assertThat(Ledger.takeOpen()).hasSize(1);
    }

    @Test
    void anAllocationThatFailsReportsALeak() {
        var small = new BufferAllocator(new MemoryBudget(1 << 20));
        leakAfter(0);
        LeakReport report =
                nextReport(
                        () ->
                                assertThatThrownBy(() -> small.allocate(2 << 20))
                                        .isInstanceOf(MemoryLimitException.class));
        assertThat(report.toString()).contains("leakAfter");
        assertThat(Ledger.takeOpen()).hasSize(1);
    }
}
