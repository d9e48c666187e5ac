package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.util.ArrayList;
import java.util.List;

/// A server's answer that goes on until it is ended: events for one subscriber. Handlers return its
/// [#response], and keep the stream to send by.
///
/// Events wait within [EventStreamLimits] while the subscriber takes them more slowly than they
/// come; [#send] refuses further ones. So a slow subscriber costs that much memory and no more, and
/// its application decides: to leave an event out, or to [#end] the stream, so that the subscriber
/// connects again and tells by `Last-Event-ID` where to go on.
///
/// A subscriber who has left is noticed when something is sent: a [#comment] every 15 seconds or so
/// does that, and keeps proxies from closing a connection that is idle.
///
/// **Threads.** Any, for all methods. None blocks.
public final class EventStream {
    private static final Headers HEADERS =
            Headers.of("content-type", "text/event-stream").with("cache-control", "no-store");

    private final EventQueue queue;
    private final Response response;

    // Guarded by this object:
    private boolean open = true;
    private List<Runnable> listeners = new ArrayList<>();

    /// With [EventStreamLimits#DEFAULT].
    public EventStream() {
        this(EventStreamLimits.DEFAULT);
    }

    public EventStream(EventStreamLimits limits) {
        queue = new EventQueue(limits, this::closed);
        response = Response.of(Status.OK, HEADERS, Body.of(queue));
    }

    /// Returns the answer, which is always the same one and is sent once: 200 with `content-type:
    /// text/event-stream` and `cache-control: no-store`.
    public Response response() {
        return response;
    }

    /// Sends an event, also before the answer is on its way.
    ///
    /// @return false when it is not sent, since the stream is not open or too much waits
    /// @throws IllegalArgumentException for an event of more bytes than may ever wait
    public boolean send(ServerSentEvent event) {
        return queue.add(event.toBytes());
    }

    /// Sends a comment, which receivers ignore, in as many lines as `text` has.
    ///
    /// @return false when it is not sent, since the stream is not open or too much waits
    /// @throws IllegalArgumentException for a comment of more bytes than may ever wait
    public boolean comment(String text) {
        StringBuilder lines = new StringBuilder(text.length() + 8);
        ServerSentEvent.appendLines(": ", text, lines);
        return queue.add(lines.append('\n').toString().getBytes(UTF_8));
    }

    /// Ends the stream behind what waits. Without effect when it is not open.
    public void end() {
        queue.end();
        closed();
    }

    /// Tells if events may be sent: not behind [#end], nor when the subscriber has left.
    public synchronized boolean isOpen() {
        return open;
    }

    /// Registers a listener that is run once, when the stream is not open any longer: by [#end],
    /// because the subscriber has left or the connection has failed, or because the server did not
    /// send the answer. It is run by the thread that this happens on, often an event loop, which it
    /// must not block; at once when it happened before. What it throws is logged.
    public void onClose(Runnable listener) {
        synchronized (this) {
            if (open) {
                listeners.add(listener);
                return;
            }
        }
        run(listener);
    }

    private void closed() {
        List<Runnable> told;
        synchronized (this) {
            open = false;
            told = listeners;
            listeners = List.of();
        }
        told.forEach(EventStream::run);
    }

    private static void run(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            System.getLogger("io.weft.http.events")
                    .log(
                            System.Logger.Level.WARNING,
                            "a listener for the close of a stream failed",
                            e);
        }
    }
}
