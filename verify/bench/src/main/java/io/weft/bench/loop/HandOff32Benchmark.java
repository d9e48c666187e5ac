package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Threads;

/// Thirty-two producers.
@Threads(32)
public class HandOff32Benchmark extends HandOffBenchmark {}
