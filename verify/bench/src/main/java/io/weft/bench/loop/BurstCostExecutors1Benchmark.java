package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Threads;

/// One producer.
@Threads(1)
public class BurstCostExecutors1Benchmark extends BurstCostExecutorsBenchmark {}
