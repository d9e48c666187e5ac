package io.weft.buffer.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.leak.LeakDetector.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LeakDetectorTest {
    private final List<LeakReport> reports = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();

    private LeakDetector detector(Level level) {
        LeakDetector detector = new LeakDetector("thing", level, 1, 4);
        detector.listener(reports::add);
        detector.leaks.log = logged::add;
        return detector;
    }

    private static LeakTracker track(LeakDetector detector, Object thing) {
        return Objects.requireNonNull(detector.track(thing));
    }

    private static void leak(LeakDetector detector, int records, @Nullable Object hint) {
        LeakTracker tracker = track(detector, new Object());
        for (int i = 0; i < records; i++) {
            tracker.record(hint);
        }
    }

    /// Lets the collector find what was dropped.
    private LeakReport nextReport(LeakDetector detector) {
        while (reports.isEmpty()) {
            System.gc();
            detector.check();
            Thread.onSpinWait();
        }
        return reports.removeFirst();
    }

    @Test
    void whatIsDroppedWhileOpenIsReportedWithItsAllocationAndAccesses() {
        LeakDetector detector = detector(Level.PARANOID);
        leak(detector, 7, "a hint");
        LeakReport report = nextReport(detector);
        assertThat(report.resource()).isEqualTo("thing");
        assertThat(report.allocation().getFirst().getMethodName()).isEqualTo("track");
        assertThat(report.allocation().get(1).getMethodName()).isEqualTo("leak");
        assertThat(report.accesses()).isEqualTo(7);
        assertThat(report.shown())
                .extracting(LeakReport.Access::number)
                .containsExactly(1, 5, 6, 7);
        assertThat(report.shown()).extracting(LeakReport.Access::hint).containsOnly("a hint");
        assertThat(report.shown())
                .allSatisfy(
                        access ->
                                assertThat(access.stack().getFirst().getMethodName())
                                        .isEqualTo("leak"));
        assertThat(report.toString())
                .contains("a thing was dropped without being released", "accesses: 7")
                .contains("#7 by " + Thread.currentThread().getName() + ": a hint")
                .contains("LeakDetectorTest.leak(LeakDetectorTest.java:");
        assertThat(detector.leaks()).isEqualTo(1);
        assertThat(detector.open()).isZero();
    }

    @Test
    void whatIsClosedIsNotReported() {
        LeakDetector detector = detector(Level.PARANOID);
        Object thing = new Object();
        LeakTracker tracker = track(detector, thing);
        assertThat(detector.open()).isEqualTo(1);
        assertThat(tracker.close()).isTrue();
        assertThat(tracker.close()).isFalse();
        assertThat(thing).isNotNull();
        assertThat(detector.open()).isZero();
        leak(detector, 0, null);
        nextReport(detector);
        assertThat(detector.leaks()).isEqualTo(1);
    }

    @Test
    void simpleRecordsNothingUntilSomethingLeaked() {
        LeakDetector detector = detector(Level.SIMPLE);
        leak(detector, 3, "a hint");
        LeakReport first = nextReport(detector);
        assertThat(first.allocation()).isEmpty();
        assertThat(first.site()).isEmpty();
        assertThat(first.accesses()).isZero();
        assertThat(first.toString()).contains("was not recorded, and will be");
        leak(detector, 3, "a hint");
        LeakReport second = nextReport(detector);
        assertThat(second.allocation().get(1).getMethodName()).isEqualTo("leak");
        assertThat(second.shown()).isEmpty();
    }

    @Test
    void advancedRecordsStacksOfAFewAccessesUntilSomethingLeaked() {
        LeakDetector detector = detector(Level.ADVANCED);
        leak(detector, 70, null);
        LeakReport first = nextReport(detector);
        assertThat(first.allocation()).isNotEmpty();
        assertThat(first.shown())
                .extracting(LeakReport.Access::number)
                .containsExactly(1, 64, 68, 69, 70);
        assertThat(first.shown())
                .extracting(access -> access.stack().isEmpty())
                .containsExactly(false, false, true, true, true);
        leak(detector, 70, null);
        assertThat(nextReport(detector).shown())
                .allSatisfy(access -> assertThat(access.stack()).isNotEmpty());
    }

    @Test
    void withAHintAdvancedNeedsNoStack() {
        LeakDetector detector = detector(Level.ADVANCED);
        leak(detector, 5, List.of("decoder"));
        LeakReport report = nextReport(detector);
        assertThat(report.shown())
                .extracting(LeakReport.Access::number)
                .containsExactly(1, 3, 4, 5);
        assertThat(report.shown()).allSatisfy(access -> assertThat(access.stack()).isEmpty());
        assertThat(report.shown()).extracting(LeakReport.Access::hint).containsOnly("[decoder]");
    }

    @Test
    void aPlaceIsLoggedOnceAndOnceMoreInFull() {
        LeakDetector detector = detector(Level.ADVANCED);
        for (int i = 0; i < 4; i++) {
            leak(detector, 1, null);
            nextReport(detector);
        }
        assertThat(logged).hasSize(2);
        assertThat(detector.leaks()).isEqualTo(4);
    }

    @Test
    void disabledFollowsNothing() {
        assertThat(detector(Level.DISABLED).track(new Object())).isNull();
    }

    @Test
    void aSampleIsAboutOneInTheInterval() {
        LeakDetector detector = new LeakDetector("thing", Level.SIMPLE, 16, 4);
        int followed = 0;
        for (int i = 0; i < 16_000; i++) {
            LeakTracker tracker = detector.track(detector);
            if (tracker != null) {
                followed++;
                tracker.close();
            }
        }
        assertThat(followed).isBetween(700, 1300);
        assertThat(detector.open()).isZero();
    }

    @Test
    void aHintThatCannotBeShownHarmsNobody() {
        LeakDetector detector = detector(Level.PARANOID);
        Object bad =
                new Object() {
                    @Override
                    public String toString() {
                        throw new IllegalStateException("no");
                    }
                };
        leak(detector, 1, bad);
        assertThat(nextReport(detector).shown().getFirst().hint())
                .contains("its toString failed: class java.lang.IllegalStateException");
    }

    @Test
    void aListenerThatFailsHarmsNobody() {
        LeakDetector detector = detector(Level.PARANOID);
        detector.listener(
                report -> {
                    reports.add(report);
                    throw new IllegalStateException("no");
                });
        leak(detector, 1, null);
        nextReport(detector);
        leak(detector, 1, null);
        nextReport(detector);
        assertThat(detector.leaks()).isEqualTo(2);
    }

    @Test
    void aLeakIsAnEvent(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("leak.jfr");
        LeakDetector detector = detector(Level.PARANOID);
        try (Recording recording = new Recording()) {
            recording.enable("io.weft.Leak");
            recording.start();
            leak(detector, 2, "a hint");
            nextReport(detector);
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .anySatisfy(
                        event -> {
                            assertThat(event.getString("resource")).isEqualTo("thing");
                            assertThat(event.getString("site")).contains("LeakDetectorTest.track");
                            assertThat(event.getInt("accesses")).isEqualTo(2);
                            assertThat(event.getString("report")).contains("a hint");
                        });
    }

    @Test
    void levelsAreNamedInAnyCaseAndSimpleUnlessTheyAre() {
        assertThat(Level.named("paranoid")).isEqualTo(Level.PARANOID);
        assertThat(Level.named("Disabled")).isEqualTo(Level.DISABLED);
        assertThat(Level.named(null)).isEqualTo(Level.SIMPLE);
        assertThat(Level.named("sometimes")).isEqualTo(Level.SIMPLE);
    }

    @Test
    void figuresThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> new LeakDetector("thing", Level.SIMPLE, 0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("samplingInterval: 0 (expected: at least 1)");
        assertThatThrownBy(() -> new LeakDetector("thing", Level.SIMPLE, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("targetRecords: 1 (expected: at least 2)");
    }
}
