package io.weft.bench.transport.machine;

/// A transfer in one direction that goes on until it is closed.
interface Flow extends AutoCloseable {
    /// Returns the bytes that have arrived so far; any thread.
    long received();

    @Override
    void close();
}
