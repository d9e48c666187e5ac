package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Calls into a shared library that has kqueue: one that tells the arguments that came.
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class KqueueLibraryTest {
    private static final String SOURCE =
            """
            #include <errno.h>
            #include <time.h>
            int kqueue(void) { return 4711; }
            int kevent(int queue, const long *changes, int changeCount, long *events,
                       int eventCount, const struct timespec *timeout) {
              if (changeCount < 0) { errno = EINVAL; return -1; }
              events[0] = queue;
              events[1] = changes ? changes[0] : 0;
              events[2] = changeCount;
              events[3] = eventCount;
              events[4] = timeout ? timeout->tv_sec : -1;
              events[5] = timeout ? timeout->tv_nsec : -1;
              return 6;
            }
            """;

    @TempDir Path directory;
    private final long memory = Memory.allocate(64, 8);

    @AfterEach
    void free() {
        Memory.free(memory, 64);
    }

    private KqueueCalls library() throws Exception {
        Path source = Files.writeString(directory.resolve("kqueue.c"), SOURCE);
        Path library = directory.resolve("kqueue.so");
        Process compiler;
        try {
            compiler =
                    new ProcessBuilder(
                                    "gcc",
                                    "-shared",
                                    "-fPIC",
                                    "-o",
                                    library.toString(),
                                    source.toString())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            return Assumptions.abort("gcc is not on the PATH (dev/install-peers.sh installs it)");
        }
        String output =
                new String(compiler.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(compiler.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).as(output).isZero();
        return Kqueue.ofLibrary(library.toString());
    }

    private int kevent(KqueueCalls calls, int changeCount, long nanos) {
        return calls.kevent(7, memory + 56, changeCount, memory, 9, nanos);
    }

    @Test
    void argumentsTimesAndErrorsPass() throws Exception {
        KqueueCalls calls = library();
        Memory.putLong(memory + 56, 42);
        assertThat(calls.kqueue()).isEqualTo(4711);
        assertThat(kevent(calls, 3, 2_000_000_005L)).isEqualTo(6);
        long[] told = new long[6];
        for (int i = 0; i < told.length; i++) {
            told[i] = Memory.getLong(memory + 8L * i);
        }
        assertThat(told).containsExactly(7, 42, 3, 9, 2, 5);
        assertThat(kevent(calls, 0, Long.MAX_VALUE)).isEqualTo(6); // no end of waiting
        assertThat(Memory.getLong(memory + 32)).isEqualTo(-1);
        assertThat(kevent(calls, -1, 0)).isEqualTo(-Errno.EINVAL);
    }

    @Test
    void libraryThatIsNoneIsNamed() {
        String missing = directory.resolve("none.so").toString();
        assertThatThrownBy(() -> Kqueue.ofLibrary(missing))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(missing);
    }
}
