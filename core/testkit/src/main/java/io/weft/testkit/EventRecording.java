package io.weft.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// A recording of JFR events that a test looks at afterwards. Other tests of the same JVM may run
/// meanwhile, and their events are in it as well.
///
/// ```java
/// try (var recording = EventRecording.of("io.weft.ConnectionClosed")) {
///     ...
///     assertThat(recording.events("io.weft.ConnectionClosed")).hasSize(1);
/// }
/// ```
public final class EventRecording implements AutoCloseable {
    private final Recording recording = new Recording();

    private EventRecording() {}

    /// Begins to record events of these names, however short they are.
    public static EventRecording of(String... names) {
        EventRecording begun = new EventRecording();
        for (String name : names) {
            begun.recording.enable(name).withThreshold(Duration.ZERO).withoutStackTrace();
        }
        begun.recording.start();
        return begun;
    }

    /// Returns the events of that name so far, in the order in which they ended.
    public List<RecordedEvent> events(String name) {
        Path file = null;
        try {
            file = Files.createTempFile("weft", ".jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(name))
                    .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(file);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Ends the recording.
    @Override
    public void close() {
        recording.close();
    }
}
