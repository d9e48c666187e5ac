package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsResolverTest {
    @TempDir private Path dir;
    private Path path;
    private final ManualClock clock = new ManualClock();
    private final ManualExecutor loop = new ManualExecutor(clock);
    private final Queue<Runnable> reads = new ArrayDeque<>();
    private HostsResolver resolver;
    private int version;

    @BeforeEach
    void make() throws IOException {
        path = dir.resolve("hosts");
        write("192.0.2.1 host");
        resolver = resolver(reads::add);
    }

    private HostsResolver resolver(Executor reader) {
        return new HostsResolver(path, Duration.ofSeconds(5), clock, reader);
    }

    private void write(String text) throws IOException {
        Files.writeString(path, text);
        Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000L + ++version));
    }

    private String ask(String host) {
        Asked asked = new Asked(resolver, host, loop);
        return asked.search.isSuccess() ? asked.addresses() : "unknown";
    }

    private void pass(long millis) {
        clock.advance(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void answersWhatTheFileHas() {
        assertThat(ask("host")).isEqualTo("192.0.2.1");
        assertThat(ask("HOST.")).isEqualTo("192.0.2.1");
        assertThat(ask("other")).isEqualTo("unknown");
    }

    @Test
    void unknownNameNamesTheFile() {
        assertThat(new Asked(resolver, "other", loop).failure())
                .isEqualTo("other (expected: a name in " + path + ")");
    }

    @Test
    void changeIsSeenAfterTheRefreshInterval() throws IOException {
        write("192.0.2.2 host");
        pass(4_999);
        assertThat(ask("host")).isEqualTo("192.0.2.1");
        assertThat(reads).isEmpty();
        pass(1);
        assertThat(ask("host")).isEqualTo("192.0.2.1"); // it is being read
        assertThat(ask("host")).isEqualTo("192.0.2.1");
        assertThat(reads).hasSize(1);
        reads.remove().run();
        assertThat(ask("host")).isEqualTo("192.0.2.2");
        assertThat(reads).isEmpty();
    }

    @Test
    void fileThatHasNotChangedIsNotReadAgain() {
        HostsFile before = resolver.hosts();
        pass(5_000);
        ask("host");
        reads.remove().run();
        assertThat(resolver.hosts()).isSameAs(before);
    }

    @Test
    void changeOfTheSizeAloneIsSeen() throws IOException {
        FileTime time = Files.getLastModifiedTime(path);
        Files.writeString(path, "192.0.2.33 host");
        Files.setLastModifiedTime(path, time);
        pass(5_000);
        ask("host");
        reads.remove().run();
        assertThat(ask("host")).isEqualTo("192.0.2.33");
    }

    @Test
    void fileThatHasGoneHasNoNamesAndMayComeBack() throws IOException {
        Files.delete(path);
        pass(5_000);
        ask("host");
        reads.remove().run();
        assertThat(ask("host")).isEqualTo("unknown");
        write("192.0.2.3 host");
        pass(5_000);
        ask("host");
        reads.remove().run();
        assertThat(ask("host")).isEqualTo("192.0.2.3");
    }

    @Test
    void fileThatCannotBeReadLeavesWhatWasKnown() throws IOException {
        Files.delete(path);
        Files.createDirectory(path);
        pass(5_000);
        ask("host");
        reads.remove().run();
        assertThat(ask("host")).isEqualTo("192.0.2.1");
    }

    @Test
    void readerThatRefusesIsAskedAgain() throws IOException {
        boolean[] refuses = {true};
        resolver =
                resolver(
                        task -> {
                            if (refuses[0]) {
                                throw new RejectedExecutionException();
                            }
                            task.run();
                        });
        write("192.0.2.2 host");
        pass(5_000);
        assertThat(ask("host")).isEqualTo("192.0.2.1");
        refuses[0] = false;
        assertThat(ask("host")).isEqualTo("192.0.2.2");
    }

    @Test
    void othersAreAskedForOtherNames() {
        ScriptedResolver others = new ScriptedResolver().answers("other", "192.0.2.9");
        Asked known = new Asked(resolver.before(others), "host", loop);
        Asked unknown = new Asked(resolver.before(others), "other", loop);
        assertThat(known.addresses()).isEqualTo("192.0.2.1");
        assertThat(unknown.addresses()).isEqualTo("192.0.2.9");
        assertThat(others.asked()).containsExactly("other");
    }

    @Test
    void intervalBeyondTheClocksRangeNeverPasses() throws IOException {
        for (Duration time :
                List.of(Duration.ofDays(200_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            resolver = new HostsResolver(path, time, clock, reads::add);
            write("192.0.2.2 host");
            pass(1_000_000);
            assertThat(ask("other")).isEqualTo("unknown");
            assertThat(reads).isEmpty();
        }
    }
}
