package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Threads;

/// Four producers.
@Threads(4)
public class HandOff4Benchmark extends HandOffBenchmark {}
