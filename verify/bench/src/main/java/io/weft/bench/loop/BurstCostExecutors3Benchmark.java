package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Threads;

/// Three producers.
@Threads(3)
public class BurstCostExecutors3Benchmark extends BurstCostExecutorsBenchmark {}
