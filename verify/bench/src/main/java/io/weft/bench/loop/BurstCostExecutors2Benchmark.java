package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Threads;

/// Two producers.
@Threads(2)
public class BurstCostExecutors2Benchmark extends BurstCostExecutorsBenchmark {}
