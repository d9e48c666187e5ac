package io.weft.bench.warmup;

import java.io.IOException;

/// Work of threads beside those that are measured.
interface Work {
    /// Processor time that it has taken so far.
    long nanos() throws IOException;
}
