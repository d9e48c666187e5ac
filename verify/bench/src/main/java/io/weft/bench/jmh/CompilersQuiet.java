package io.weft.bench.jmh;

import io.weft.bench.warmup.Compilers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/// Begins each iteration when the JIT compilers have done what the one before asked of them. Short
/// iterations would be over before that: of HPACK decoding for half a second and more.
///
/// It is a profiler since JMH calls those between iterations, in the JVM that is measured. Where
/// there is no `/proc`, nothing is waited for.
public final class CompilersQuiet implements InternalProfiler {
    private final Compilers compilers = new Compilers(ProcessHandle.current().pid());

    @Override
    public String getDescription() {
        return "begins iterations when JIT compilers are quiet";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        try {
            compilers.awaitQuiet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return List.of();
    }
}
