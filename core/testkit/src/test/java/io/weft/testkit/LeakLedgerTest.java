package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

class LeakLedgerTest {
    private static final List<Buffer> LEAKED = new ArrayList<>();

    static final class Leaking {
        @Test
        void leaks() {
            LEAKED.add(BufferAllocator.pooled().allocate(10));
        }

        @Test
        void doesNot() {}
    }

    static final class Tidy {
        private final Buffer buffer = BufferAllocator.pooled().allocate(10);

        @AfterEach
        void release() {
            buffer.release();
        }

        @Test
        void releasesAfterwards() {}
    }

    /// With what the tests failed; nothing in them names the extension.
    private static List<Throwable> failures(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .failed()
                .map(e -> e.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow())
                .toList();
    }

    @Test
    void anOpenBufferFailsItsTestAloneAndNamesTheLineThatOpenedIt() {
        List<Throwable> failures = failures(Leaking.class);
        assertThat(failures).hasSize(1);
        assertThat(failures.getFirst())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("open buffers: 1 (expected: 0)")
                .hasMessageContaining("Leaking.leaks(LeakLedgerTest.java:")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        LEAKED.removeLast().release();
    }

    @Test
    void whatAfterEachReleasesIsNoLeak() {
        assertThat(failures(Tidy.class)).isEmpty();
    }
}
