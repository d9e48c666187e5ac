package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BufferEventsTest {
    @TempDir Path directory;

    @Test
    void whatMemoryDoesIsRecorded() throws IOException {
        BufferAllocator allocator = new BufferAllocator(new MemoryBudget(4 << 20));
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("Chunk", "Large", "Limit", "Trim")) {
                recording.enable("io.weft.Buffer" + name);
            }
            recording.start();
            allocator.allocate(1000).release();
            allocator.allocate(2 << 20).release();
            assertThatThrownBy(() -> allocator.allocate(5 << 20))
                    .isInstanceOf(MemoryLimitException.class);
            recording.stop();
            recording.dump(file);
        }
        long here = Thread.currentThread().threadId();
        List<RecordedEvent> events =
                RecordingFile.readAllEvents(file).stream() // other threads trim memory, too
                        .filter(event -> event.getThread().getJavaThreadId() == here)
                        .toList();
        assertThat(events)
                .extracting(event -> event.getEventType().getName().substring(8))
                .containsExactlyInAnyOrder(
                        "BufferChunk",
                        "BufferLarge",
                        "BufferLarge",
                        "BufferChunk",
                        "BufferTrim",
                        "BufferLimit");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().endsWith("Limit"))
                .allMatch(event -> event.getLong("wanted") == 5 << 20)
                .allMatch(event -> event.getLong("limit") == 4 << 20);
        assertThat(Ledger.takeOpen()).isEmpty();
    }
}
