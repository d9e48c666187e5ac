package io.weft.examples.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.http.model.BodySource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A body that goes on until it is ended: events for one browser (Server-Sent Events). A browser
/// that takes them slower than they come misses some, and costs no more memory than one of them.
final class EventStream implements BodySource {
    private final Set<EventStream> viewers;
    private final AtomicReference<byte @Nullable []> next = new AtomicReference<>();

    private volatile Runnable wake = () -> {};
    private volatile boolean ended;

    // What is being written: of the thread that reads.
    private byte[] event = {};
    private int written;

    /// @param viewers that have this one as long as it is read
    /// @param first an event that is there already
    EventStream(Set<EventStream> viewers, String first) {
        this.viewers = viewers;
        send(first);
    }

    /// Sends an event instead of one that still waits. Any thread.
    ///
    /// @param data without line breaks
    void send(String data) {
        next.set(("data: " + data + "\n\n").getBytes(UTF_8));
        wake.run();
    }

    /// Ends the body behind what waits. Any thread.
    void end() {
        ended = true;
        wake.run();
    }

    @Override
    public void onWake(Runnable newWake) {
        wake = newWake;
        viewers.add(this);
    }

    @Override
    public Step read(Buffer out) {
        if (written == event.length) {
            boolean last = ended; // before the look: what was sent before the end is not lost
            byte[] taken = next.getAndSet(null);
            if (taken == null) {
                return last ? Step.END : Step.WAIT;
            }
            event = taken;
            written = 0;
        }
        int length = Math.min(event.length - written, out.writableBytes());
        out.writeBytes(event, written, length);
        written += length;
        return Step.MORE;
    }

    @Override
    public void close() {
        viewers.remove(this);
    }
}
