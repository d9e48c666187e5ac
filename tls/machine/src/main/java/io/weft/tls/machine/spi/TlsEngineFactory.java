package io.weft.tls.machine.spi;

import io.weft.buffer.BufferAllocator;

/// Makes engines of one context: what is costly, such as parsed keys and the cache of sessions, is
/// here. Any thread may call it.
public interface TlsEngineFactory extends AutoCloseable {
    /// An engine that has not started.
    ///
    /// @param allocator where the buffers come from that it emits
    TlsEngine engine(TlsPeer peer, BufferAllocator allocator);

    /// No engine is made after it. Engines that exist go on.
    @Override
    default void close() {}
}
