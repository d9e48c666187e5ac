package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Deflates within a window, flushing after each call.
///
/// The JDK's deflater has one size of window, 32 KiB. A smaller one is kept by never telling it
/// more: half a window of input at a time, begun anew each time with the half before as its
/// dictionary, so that no distance is longer than a window. What comes out is one stream, as each
/// part ends with a flush, at a byte.
final class DeflateWindow implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final int ROOM = 128;

    private final int level;

    /// Half a window; 0 for the whole one.
    private final int half;

    /// Made when there is something to compress: it holds 260 KiB of native memory.
    private @Nullable Deflater engine;

    /// The last bytes of the input, at most half a window.
    private byte[] history = NOTHING;

    DeflateWindow(int bits, int level) {
        this.level = level;
        half = bits == DeflateParameters.MAX_BITS ? 0 : 1 << (bits - 1);
    }

    /// Appends the readable bytes of `from`, compressed, to `to`, which grows.
    void deflate(Buffer from, Buffer to) {
        if (half == 0) {
            part(from, from.readableBytes(), to);
            return;
        }
        while (from.isReadable()) {
            int length = Math.min(half, from.readableBytes());
            Deflater deflater = engine();
            deflater.reset();
            if (history.length > 0) {
                deflater.setDictionary(history);
            }
            int start = from.readOffset();
            part(from, length, to);
            remember(from, start, length);
        }
    }

    private void part(Buffer from, int length, Buffer to) {
        Deflater deflater = engine();
        deflater.setInput(from.byteBuffer(from.readOffset(), length));
        try {
            int made;
            int room;
            do {
                // With less than seven bytes of room the end of a flush would be written twice.
                to.ensureWritable(ROOM);
                room = to.writableBytes();
                made = deflater.deflate(to.byteBuffer(to.writeOffset(), room), Deflater.SYNC_FLUSH);
                to.writeOffset(to.writeOffset() + made);
            } while (made == room);
            from.skipReadable(length);
        } finally {
            deflater.setInput(NOTHING); // the memory is not ours any longer
        }
    }

    private void remember(Buffer in, int start, int length) {
        int kept = Math.min(history.length, half - length);
        byte[] next = new byte[kept + length];
        System.arraycopy(history, history.length - kept, next, 0, kept);
        in.getBytes(start, next, kept, length);
        history = next;
    }

    private Deflater engine() {
        Deflater made = engine;
        if (made == null) {
            made = new Deflater(level, true);
            engine = made;
        }
        return made;
    }

    /// Forgets the history: later data refers to nothing before it.
    void forget() {
        history = NOTHING;
        close();
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.end();
            engine = null;
        }
    }
}
