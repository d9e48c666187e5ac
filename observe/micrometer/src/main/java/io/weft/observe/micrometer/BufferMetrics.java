package io.weft.observe.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weft.buffer.AllocatorMetrics;
import io.weft.buffer.BufferAllocator;
import java.util.function.ToLongFunction;

/// Meters of the memory of buffers: `weft.buffer.used`, `weft.buffer.pinned`,
/// `weft.buffer.reserved` and `weft.buffer.limit`, in bytes. [AllocatorMetrics] says what each of
/// them counts.
public final class BufferMetrics implements MeterBinder {
    /// Makes meters of the allocator that loops use.
    public BufferMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(
                registry,
                "weft.buffer.used",
                "Bytes that buffers are open on",
                AllocatorMetrics::used);
        gauge(
                registry,
                "weft.buffer.pinned",
                "Bytes that a trim would keep",
                AllocatorMetrics::pinned);
        gauge(registry, "weft.buffer.reserved", "Bytes of the system", AllocatorMetrics::reserved);
        gauge(registry, "weft.buffer.limit", "The cap on reserved bytes", AllocatorMetrics::limit);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            String description,
            ToLongFunction<AllocatorMetrics> figure) {
        Gauge.builder(
                        name,
                        BufferAllocator.pooled(),
                        allocator -> (double) figure.applyAsLong(allocator.metrics()))
                .description(description)
                .baseUnit("bytes")
                .register(registry);
    }
}
