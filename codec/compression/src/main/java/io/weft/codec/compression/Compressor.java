package io.weft.codec.compression;

import io.weft.buffer.Buffer;

/// Compresses one stream.
///
/// **Threads.** One at a time. [#close] gives back what it holds.
public interface Compressor extends AutoCloseable {
    /// Takes all of `in`, and appends to `out`, which grows, as much as is ready: perhaps nothing
    /// yet. Both stay the caller's.
    void compress(Buffer in, Buffer out);

    /// Appends what is still held back, so that the other side can expand all of it now. It costs
    /// some of the ratio.
    void flush(Buffer out);

    /// Appends the end of the stream. Nothing may be compressed after.
    void finish(Buffer out);

    @Override
    void close();
}
