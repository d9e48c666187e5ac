package io.weft.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Keeps what a test logs, and shows it where the test fails: as a suppressed exception of the
/// failure, so that it stands in the same report.
///
/// A WARNING, or worse, of a test that neither has [Warns] nor stands in a class that does, is
/// added to `target/unexpected-warnings.txt` of the module.
///
/// With `junit.jupiter.extensions.autodetection.enabled=true` it is on for every test that has this
/// module on its path. Records are told apart by the time of the test alone, so tests must not run
/// in parallel; a record of a thread that outlives its test counts for the next one.
public final class TestLog implements BeforeEachCallback, AfterEachCallback {
    private static final int MOST_RECORDS = 100;
    private static final Path TARGET = Path.of("target");
    private static final Logger ROOT = Logger.getLogger("");
    private static final Records RECORDS = new Records();

    static {
        ROOT.addHandler(RECORDS);
    }

    /// Called by JUnit.
    public TestLog() {}

    /// The latest records since the test began.
    private static final class Records extends Handler {
        private final ArrayDeque<LogRecord> latest = new ArrayDeque<>();

        @Override
        public synchronized void publish(LogRecord logged) {
            if (latest.size() == MOST_RECORDS) {
                latest.removeFirst();
            }
            latest.addLast(logged);
        }

        synchronized List<LogRecord> take() {
            List<LogRecord> taken = List.copyOf(latest);
            latest.clear();
            return taken;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /// The log of a test before it failed; its message is the records.
    private static final class Logged extends Exception {
        private static final long serialVersionUID = 1L;

        Logged(String records) {
            super(records, null, false, false);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        List<LogRecord> _ = RECORDS.take();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        List<LogRecord> records = RECORDS.take();
        if (records.isEmpty()) {
            return;
        }
        Throwable failure = context.getExecutionException().orElse(null);
        if (failure != null) {
            failure.addSuppressed(new Logged("logged by then:\n" + text(records)));
        } else if (!isExpected(context)) {
            note(context, records);
        }
    }

    private static boolean isExpected(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Warns.class)
                || context.getRequiredTestClass().isAnnotationPresent(Warns.class);
    }

    private static void note(ExtensionContext context, List<LogRecord> records) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (LogRecord logged : records) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.append(context.getRequiredTestClass().getName())
                        .append('.')
                        .append(context.getRequiredTestMethod().getName())
                        .append(": ")
                        .append(line(logged))
                        .append('\n');
            }
        }
        if (!lines.isEmpty() && Files.isDirectory(TARGET)) {
            Files.writeString(
                    TARGET.resolve("unexpected-warnings.txt"),
                    lines,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private static String line(LogRecord logged) {
        Throwable thrown = logged.getThrown();
        return logged.getLevel()
                + " "
                + logged.getLoggerName()
                + ": "
                + logged.getMessage()
                + (thrown == null ? "" : ": " + thrown);
    }

    private static String text(List<LogRecord> records) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        for (LogRecord logged : records) {
            writer.println(line(logged));
            if (logged.getThrown() != null) {
                logged.getThrown().printStackTrace(writer);
            }
        }
        return text.toString();
    }
}
