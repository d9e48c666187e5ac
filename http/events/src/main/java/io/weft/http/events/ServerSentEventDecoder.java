package io.weft.http.events;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes a stream of `text/event-stream` (WHATWG HTML, 9.2.5 and 9.2.6). Any bytes are such a
/// stream: what has no meaning is ignored, and bytes that are not UTF-8 become U+FFFD. Only limits
/// end it, by a [LimitExceededException].
///
/// An event has the type, id and retry of its own lines; [#lastEventId] and [#retry] are those of
/// the stream. An event that the end of the stream cuts off is dropped.
public final class ServerSentEventDecoder extends StepDecoder<ServerSentEvent> {
    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /// Below this, ten times as many and a digit are a long.
    private static final long ROOM_FOR_DIGIT = Long.MAX_VALUE / 10;

    private final EventLimits limits;

    // ---- the line ----

    /// Unread bytes that are known to have no end of a line.
    private int scanned;

    private boolean firstLine = true;

    /// The line before ended by CR, so that an LF here is the same end. An event is not held back
    /// for it.
    private boolean behindReturn;

    // ---- the event ----

    private @Nullable String type;
    private @Nullable String id;
    private @Nullable Duration eventRetry;
    private @Nullable StringBuilder data;
    private long dataBytes;

    // ---- the stream ----

    private String lastEventId = "";
    private @Nullable Duration retry;

    /// With [EventLimits#DEFAULT].
    public ServerSentEventDecoder() {
        this(EventLimits.DEFAULT);
    }

    public ServerSentEventDecoder(EventLimits limits) {
        this.limits = limits;
    }

    /// Returns the id of the last event that had one, also of one without data; empty if there was
    /// none. A client sends it as `Last-Event-ID` when it connects again.
    public String lastEventId() {
        return lastEventId;
    }

    /// Returns the time to wait before connecting again, as the server told last; null if it told
    /// none.
    public @Nullable Duration retry() {
        return retry;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super ServerSentEvent> out) {
        int start = in.readOffset();
        if (behindReturn && in.isReadable()) {
            behindReturn = false;
            if (in.getByte(start) == '\n') {
                in.skipReadable(1);
                return true;
            }
        }
        int to = start + Math.min(in.readableBytes(), limits.lineBytes() + 1);
        int end = start + scanned;
        while (end < to && !isLineEnd(in.getByte(end))) {
            end++;
        }
        scanned = end - start;
        if (scanned > limits.lineBytes()) {
            throw new LimitExceededException("bytes of a line", scanned, limits.lineBytes());
        }
        if (end == to) {
            return false;
        }
        scanned = 0;
        behindReturn = in.getByte(end) == '\r';
        in.skipReadable(end + 1 - start);
        line(in, start, end, out);
        return true;
    }

    private static boolean isLineEnd(byte b) {
        return b == '\n' || b == '\r';
    }

    private void line(Buffer in, int from, int to, Consumer<? super ServerSentEvent> out) {
        int start = from;
        if (firstLine) {
            firstLine = false;
            if (to - from >= BOM.length && startsWith(in, from, BOM)) {
                start += BOM.length;
            }
        }
        if (start == to) {
            dispatch(out);
            return;
        }
        int colon = start;
        while (colon < to && in.getByte(colon) != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, to);
        if (value < to && in.getByte(value) == ' ') {
            value++;
        }
        field(in, start, colon, value, to);
    }

    private static boolean startsWith(Buffer in, int at, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (in.getByte(at + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private void field(Buffer in, int name, int nameEnd, int value, int end) {
        if (nameEnd - name > 5) {
            return; // longer than any that is known
        }
        switch (Utf8Text.decode(in, name, nameEnd)) {
            case "event" -> type = end > value ? Utf8Text.decode(in, value, end) : null;
            case "data" -> data(in, value, end);
            case "id" -> {
                String decoded = Utf8Text.decode(in, value, end);
                id = decoded.indexOf('\0') < 0 ? decoded : id;
            }
            case "retry" -> retry(in, value, end);
            default -> {} // a comment, whose name is empty, or unknown
        }
    }

    private void data(Buffer in, int value, int end) {
        dataBytes += end - value + 1;
        if (dataBytes > limits.eventBytes()) {
            throw new LimitExceededException("bytes of an event", dataBytes, limits.eventBytes());
        }
        String decoded = Utf8Text.decode(in, value, end);
        StringBuilder lines = data;
        if (lines == null) {
            data = new StringBuilder(decoded);
        } else {
            lines.append('\n').append(decoded);
        }
    }

    /// Digits alone count; a number beyond a long is the largest one.
    private void retry(Buffer in, int value, int end) {
        long millis = 0;
        for (int i = value; i < end; i++) {
            int digit = in.getByte(i) - '0';
            if (digit < 0 || digit > 9) {
                return;
            }
            millis = millis < ROOM_FOR_DIGIT ? millis * 10 + digit : Long.MAX_VALUE;
        }
        if (end > value) {
            eventRetry = Duration.ofMillis(millis);
            retry = eventRetry;
        }
    }

    private void dispatch(Consumer<? super ServerSentEvent> out) {
        StringBuilder lines = data;
        ServerSentEvent event =
                lines == null ? null : new ServerSentEvent(type, lines.toString(), id, eventRetry);
        lastEventId = id == null ? lastEventId : id;
        type = null;
        id = null;
        eventRetry = null;
        data = null;
        dataBytes = 0;
        if (event != null) {
            out.accept(event);
        }
    }

    @Override
    protected void finish(int unread, Consumer<? super ServerSentEvent> out) {
        // Without a blank line behind it, an event is not dispatched.
    }
}
