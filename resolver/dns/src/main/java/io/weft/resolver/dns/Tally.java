package io.weft.resolver.dns;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;

/// Counts events, and tells the observer and JFR. Counting from any thread.
final class Tally {
    private static final System.Logger LOG = System.getLogger("io.weft.resolver.dns");

    private final Map<DnsCounter, LongAdder> counts = new EnumMap<>(DnsCounter.class);
    private final DnsObserver observer;

    Tally(DnsObserver observer) {
        this.observer = observer;
        for (DnsCounter counter : DnsCounter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    void count(DnsCounter counter) {
        LongAdder count = counts.get(counter);
        if (count != null) {
            count.increment();
        }
    }

    void tell(Consumer<DnsObserver> event) {
        try {
            // The first use of an event class starts JFR, which takes half a second.
            if (FlightRecorder.isInitialized()) {
                event.accept(DnsEvents.OBSERVER);
            }
            event.accept(observer);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "an observer threw", e);
        }
    }

    Map<DnsCounter, Long> snapshot() {
        Map<DnsCounter, Long> all = new EnumMap<>(DnsCounter.class);
        counts.forEach((counter, count) -> all.put(counter, count.sum()));
        return all;
    }
}
