package io.weft.testkit;

import io.weft.buffer.Ledger;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails each test that leaves a buffer open, and names the line that opened it.
///
/// It looks after the test's own `@AfterEach` methods: buffers that they release are not leaks. A
/// test whose event loops release buffers has to end those loops. A leak is reported once, by the
/// first test that ends after it.
///
/// With `junit.jupiter.extensions.autodetection.enabled=true` it is on for every test that has this
/// module on its path; else `@ExtendWith(LeakLedger.class)` turns it on. The test JVM needs
/// `-Dio.weft.leakLedger=true`: without, it finds nothing. The ledger is one a process, so tests
/// must not run in parallel.
public final class LeakLedger implements AfterEachCallback {
    /// Called by JUnit.
    public LeakLedger() {}

    /// @throws AssertionError with the stack of every allocation as a suppressed exception
    @Override
    public void afterEach(ExtensionContext context) {
        List<Throwable> open = Ledger.takeOpen();
        if (open.isEmpty()) {
            return;
        }
        StringBuilder message = new StringBuilder("open buffers: ");
        message.append(open.size()).append(" (expected: 0), opened at");
        open.forEach(opening -> message.append("\n  ").append(site(opening)));
        AssertionError leak = new AssertionError(message.toString());
        open.forEach(leak::addSuppressed);
        throw leak;
    }

    /// The innermost call that is not the buffer module's own.
    private static String site(Throwable opening) {
        for (StackTraceElement frame : opening.getStackTrace()) {
            if (!frame.getClassName().startsWith("io.weft.buffer.")) {
                return frame + ", " + opening.getMessage();
            }
        }
        return "an unknown place, " + opening.getMessage();
    }
}
