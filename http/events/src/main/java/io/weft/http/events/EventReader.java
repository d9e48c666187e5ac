package io.weft.http.events;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads events from the body of a response, by a thread that waits for them: a virtual one at
/// best, never an event loop.
///
/// ```java
/// try (var events = new EventReader(response.inputStream())) {
///     for (ServerSentEvent event; (event = events.next()) != null; ) {
///         show(event.data());
///     }
/// }
/// ```
///
/// When the stream ends, a client that wants more waits for [#retry], and asks again with
/// [#lastEventId] as `Last-Event-ID`.
///
/// **Threads.** One at a time, but [#close], which any may call if the input allows that.
public final class EventReader implements AutoCloseable {
    private static final int PIECE = 8 << 10;

    private final InputStream in;
    private final ServerSentEventDecoder decoder;
    private final byte[] piece = new byte[PIECE];

    // Guarded by this object:
    private final Cumulation cumulation = new Cumulation();
    private @Nullable ServerSentEvent event;
    private boolean ended;
    private boolean closed;

    /// With [EventLimits#DEFAULT].
    ///
    /// @param in the reader's from now on, which closes it
    public EventReader(InputStream in) {
        this(in, EventLimits.DEFAULT);
    }

    /// @param in the reader's from now on, which closes it
    public EventReader(InputStream in, EventLimits limits) {
        this.in = in;
        this.decoder = new ServerSentEventDecoder(limits);
    }

    /// Waits for the next event.
    ///
    /// @return null when the stream has ended
    /// @throws IOException when the input fails, or the reader is closed
    /// @throws io.weft.codec.LimitExceededException when a line or an event is too long; the reader
    ///     is closed then
    public @Nullable ServerSentEvent next() throws IOException {
        ServerSentEvent next = decode(0);
        while (next == null && !ended()) {
            // Not under the lock, so that another thread may close the input.
            next = decode(in.read(piece));
        }
        return next;
    }

    private synchronized boolean ended() {
        return ended;
    }

    /// @param got bytes of the piece, which follow those before; negative at the end
    /// @return the first event of what was received; null if there is none
    private synchronized @Nullable ServerSentEvent decode(int got) throws IOException {
        if (closed) {
            throw new IOException("reader: closed (expected: open)");
        }
        if (got < 0) {
            ended = true;
            cumulation.release(); // half an event
            return null;
        }
        Buffer bytes = got == 0 ? cumulation.bytes() : append(got);
        if (bytes == null) {
            return null;
        }
        event = null;
        decoder.resume();
        try {
            decoder.decode(bytes, this::received);
        } catch (DecoderException e) {
            close();
            throw e;
        }
        if (event == null) {
            cumulation.trim();
        }
        return event;
    }

    private Buffer append(int got) {
        Buffer more = BufferAllocator.pooled().allocate(got);
        more.writeBytes(piece, 0, got);
        return cumulation.add(more);
    }

    /// One at a time, so that the id of the stream is that of the event which was returned last.
    private void received(ServerSentEvent received) {
        event = received;
        decoder.pause();
    }

    /// Returns the id of the last event that had one, of those returned by [#next]; empty if there
    /// was none.
    public synchronized String lastEventId() {
        return decoder.lastEventId();
    }

    /// Returns the time to wait before connecting again, as the server told last; null if it told
    /// none.
    public synchronized @Nullable Duration retry() {
        return decoder.retry();
    }

    /// Gives the stream up, and closes the input. Again without effect.
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            cumulation.release();
        }
        in.close();
    }
}
