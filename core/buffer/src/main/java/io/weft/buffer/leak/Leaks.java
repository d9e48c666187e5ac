package io.weft.buffer.leak;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// The leaks of a [LeakDetector]: counts them, and tells the log, JFR and a listener. Nothing that
/// fails here reaches the program, which was only about to track something.
final class Leaks {
    private static final System.Logger LOGGER = System.getLogger("io.weft.leak");

    /// Beyond this, only JFR and a listener hear of new places.
    private static final int MAX_LOGGED = 256;

    private final String resource;
    private final AtomicLong found = new AtomicLong();

    /// Places that were logged; with a mark in front, those logged in full.
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    volatile @Nullable Consumer<LeakReport> listener;
    volatile Consumer<String> log = report -> LOGGER.log(System.Logger.Level.WARNING, report);

    Leaks(String resource) {
        this.resource = resource;
    }

    long found() {
        return found.get();
    }

    void found(LeakTracker tracker) {
        found.incrementAndGet();
        Consumer<LeakReport> told = listener;
        // The first use of an event class takes up to half a second.
        LeakEvent event = FlightRecorder.isInitialized() ? new LeakEvent() : null;
        boolean recorded = event != null && event.isEnabled();
        if (told == null && !recorded && logged.size() >= MAX_LOGGED) {
            return;
        }
        try {
            LeakReport report = tracker.report(resource);
            if (logged.size() < MAX_LOGGED
                    && logged.add((tracker.isFull() ? "!" : "") + report.site())) {
                log.accept(report.toString());
            }
            if (event != null) {
                event.fill(report);
                event.commit();
            }
            if (told != null) {
                told.accept(report);
            }
        } catch (Throwable nobodyToTell) {
            return;
        }
    }
}
