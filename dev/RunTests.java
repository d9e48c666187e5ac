import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Runs test classes and methods once, prints a line for each test as it ends and a summary. Started
/// by `sctp.sh`, where no build tool runs.
final class RunTests {
    private RunTests() {}

    /// @param args `CLASS` or `CLASS#method`
    public static void main(String[] args) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(
                                Arrays.stream(args)
                                        .map(RunTests::selector)
                                        .toArray(DiscoverySelector[]::new))
                        .configurationParameter(
                                "junit.jupiter.extensions.autodetection.enabled", "true")
                        .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary, new Lines());
        PrintWriter out = new PrintWriter(System.out);
        summary.getSummary().printFailuresTo(out, 20);
        summary.getSummary().printTo(out);
        long failures = summary.getSummary().getTotalFailureCount();
        boolean some = summary.getSummary().getTestsSucceededCount() > 0;
        System.exit(failures == 0 && some ? 0 : 1);
    }

    private static DiscoverySelector selector(String name) {
        return name.contains("#") ? selectMethod(name) : selectClass(name);
    }

    private static final class Lines implements TestExecutionListener {
        private long began = System.nanoTime();

        @Override
        public void executionStarted(TestIdentifier test) {
            began = System.nanoTime();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                long millis = (System.nanoTime() - began) / 1_000_000;
                System.out.println(
                        result.getStatus() + " " + test.getDisplayName() + " " + millis + " ms");
            }
            if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
                result.getThrowable().ifPresent(cause -> System.out.println("  " + cause));
            }
        }
    }
}
