package io.weft.loop.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
    private static final long MS = 1_000_000;

    private final Pulse pulse = new Pulse();
    private long tasks;
    private int stacks; // taken, one a report
    private final Watch watch =
            new Watch(
                    "a loop",
                    pulse,
                    () -> tasks,
                    () -> {
                        stacks++;
                        return new StackTraceElement[] {
                            new StackTraceElement("Handler", "blocks", "Handler.java", 7)
                        };
                    },
                    100 * MS);

    private void look(long... millis) {
        for (long now : millis) {
            watch.look(now * MS);
        }
    }

    @Test
    void aHoldIsReportedFromTheThresholdOnAndThenEachTimeItHasDoubled() {
        pulse.works();
        look(0, 50, 99);
        assertThat(stacks).isZero();
        look(100, 150, 199);
        assertThat(stacks).isEqualTo(1);
        look(200, 250, 300, 350);
        assertThat(stacks).isEqualTo(2);
        look(400, 500, 600, 700, 800);
        assertThat(stacks).isEqualTo(4);
        assertThat(watch.longestHoldNanos()).isEqualTo(800 * MS);
    }

    @Test
    void aLoopThatGoesOnIsNotReported() {
        pulse.works();
        for (int now = 0; now < 10_000; now += 90) {
            look(now);
            if (now % 180 == 0) {
                tasks++;
            } else {
                pulse.works();
            }
        }
        assertThat(stacks).isZero();
        assertThat(watch.longestHoldNanos()).isZero();
    }

    @Test
    void aLoopMayWaitAsLongAsItLikes() {
        pulse.works();
        look(0);
        pulse.waits();
        look(1_000, 2_000, 3_000_000);
        assertThat(stacks).isZero();
        assertThat(watch.busyNanos()).isZero();
        pulse.works();
        look(3_000_050, 3_000_100);
        assertThat(stacks).isZero();
        assertThat(watch.busyNanos()).isEqualTo(100 * MS);
        look(3_000_150);
        assertThat(stacks).isEqualTo(1);
    }

    @Test
    void aLoopWaitsThatMadeNoRoundBetweenTwoLooks() {
        pulse.works();
        look(0, 50);
        assertThat(watch.waits()).isFalse();
        pulse.waits();
        look(100);
        assertThat(watch.waits()).as("since when is not known").isFalse();
        look(150);
        assertThat(watch.waits()).isTrue();
        pulse.works();
        assertThat(watch.waits()).isFalse();
        pulse.waits();
        look(200);
        assertThat(watch.waits()).as("it worked in between").isFalse();
    }

    @Test
    void timeInWhichTheWholeMachineStoodStillDoesNotCount() {
        pulse.works();
        look(0);
        watch.stoodStill();
        look(5_000, 5_050);
        assertThat(stacks).isZero();
        assertThat(watch.busyNanos()).isEqualTo(50 * MS);
    }

    @Test
    void aHoldIsAnEventWithItsStack(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("hold.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.weft.LoopHeld");
            recording.start();
            pulse.works();
            look(0, 120);
            recording.stop();
            recording.dump(file);
        }
        assertThat(Files.size(file)).isPositive();
        List<RecordedEvent> events =
                RecordingFile.readAllEvents(file).stream()
                        .filter(e -> e.getString("executor").equals("a loop"))
                        .toList();
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getDuration("heldFor").toNanos())
                .isEqualTo(TimeUnit.MILLISECONDS.toNanos(120));
        assertThat(events.getFirst().getString("stack"))
                .isEqualTo("\tat Handler.blocks(Handler.java:7)\n");
    }
}
