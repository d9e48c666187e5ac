package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

class TestLogTest {
    private static final System.Logger LOGGER = System.getLogger("io.weft.testkit.test");

    static final class Failing {
        @Test
        void failsAfterAWarning() {
            LOGGER.log(Level.WARNING, "the disk is full", new IllegalStateException("full"));
            throw new AssertionError("failed");
        }

        @Test
        void failsInSilence() {
            throw new AssertionError("failed");
        }
    }

    static final class Passing {
        @Test
        void warns() {
            LOGGER.log(Level.WARNING, "nobody expects this");
        }

        @Test
        void informs() {
            LOGGER.log(Level.INFO, "just so");
        }

        @Test
        @Warns
        void isMeantToWarn() {
            LOGGER.log(Level.WARNING, "expected");
        }
    }

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
    void aFailureShowsWhatItsTestLogged() {
        List<Throwable> failures = failures(Failing.class);
        assertThat(failures).hasSize(2);
        assertThat(failures.stream().flatMap(f -> List.of(f.getSuppressed()).stream()))
                .singleElement()
                .satisfies(
                        logged ->
                                assertThat(logged.getMessage())
                                        .contains("WARNING io.weft.testkit.test: the disk is full")
                                        .contains("IllegalStateException: full"));
    }

    @Test
    void aWarningThatNoTestDeclaresIsNoted() throws Exception {
        Path noted = Path.of("target", "unexpected-warnings.txt");
        Files.createDirectories(noted.getParent());
        long before = Files.exists(noted) ? Files.readAllLines(noted).size() : 0;
        assertThat(failures(Passing.class)).isEmpty();
        assertThat(Files.readAllLines(noted).stream().skip(before))
                .containsExactly(
                        Passing.class.getName()
                                + ".warns: WARNING io.weft.testkit.test: nobody expects this");
    }
}
