package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The bytes that one direction of a connection has to carry, in runs. The bytes of a run follow
/// from its key, so that the receiver knows them at every position.
final class TrafficStream {
    /// @param key of the first byte; the next has the next one
    private record Run(long key, int length) {}

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();

    // Owned by the sender's loop.
    private long writtenThere;

    // Owned by the receiver's loop.
    private long received;
    private int inRun;

    /// Bytes given to the channel, and those of them that were flushed.
    volatile long written;

    volatile long flushed;

    /// Bytes received so far.
    volatile long arrived;

    static byte byteAt(long key) {
        long mixed = (key >>> 3) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (byte) (mixed >>> ((key & 7) << 3));
    }

    static byte[] bytes(long key, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = byteAt(key + i);
        }
        return bytes;
    }

    /// The next bytes, which are written right after this.
    void next(long key, int length) {
        if (length > 0) {
            runs.add(new Run(key, length));
        }
        writtenThere += length;
        written = writtenThere;
    }

    void flush() {
        flushed = writtenThere;
    }

    /// @return what is wrong with them; null when nothing is
    @Nullable String take(Buffer bytes) {
        int length = bytes.readableBytes();
        byte[] came = new byte[length];
        bytes.readBytes(came);
        for (int i = 0; i < length; ) {
            Run run = runs.peek();
            if (run == null) {
                return (length - i)
                        + " bytes more than were written, from position "
                        + (received + i);
            }
            int part = Math.min(length - i, run.length - inRun);
            for (int j = 0; j < part; j++) {
                if (came[i + j] != byteAt(run.key + inRun + j)) {
                    return "another byte at position "
                            + (received + i + j)
                            + ", which is "
                            + (inRun + j)
                            + " of "
                            + run.length
                            + " in its message";
                }
            }
            i += part;
            inRun += part;
            if (inRun == run.length) {
                runs.poll();
                inRun = 0;
            }
        }
        received += length;
        arrived = received;
        return received > flushed ? "more than was flushed: " + received + " of " + flushed : null;
    }
}
