package io.weft.http.http2;

import static io.weft.http.http2.ErrorCode.FRAME_SIZE_ERROR;
import static io.weft.http.http2.ErrorCode.PROTOCOL_ERROR;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.StepDecoder;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes frames (RFC 9113, 4 and 6): checks what can be said of a frame by itself, and that
/// nothing stands between the frames of a field section. Payloads are slices of the input.
///
/// A frame is handed out when it is whole. Errors of the connection are [Http2Exception]s, errors
/// of a stream [Http2Frame.Malformed].
public final class FrameDecoder extends StepDecoder<Http2Frame> {
    /// Of a priority as in RFC 7540.
    private static final int PRIORITY_LENGTH = 5;

    private static final int STREAM = 0x7FFF_FFFF;

    /// Octets of the debug data of GOAWAY that are kept.
    private static final int MAX_DEBUG = 120;

    private final int maxFrameSize;

    private final @Nullable DirectFrames direct;

    /// The stream whose field section is coming in, or 0.
    private int section;

    /// @param maxFrameSize bytes of a payload, as this side's SETTINGS_MAX_FRAME_SIZE
    public FrameDecoder(int maxFrameSize) {
        this(maxFrameSize, null);
    }

    /// @param direct takes what it can, in the place of the consumer
    FrameDecoder(int maxFrameSize, @Nullable DirectFrames direct) {
        if (maxFrameSize < 1 << 14 || maxFrameSize > (1 << 24) - 1) {
            throw new IllegalArgumentException(
                    "maxFrameSize: " + maxFrameSize + " (expected: 2^14 to 2^24-1)");
        }
        this.maxFrameSize = maxFrameSize;
        this.direct = direct;
    }

    /// Tells if more of a field section has to come.
    boolean isWithinSection() {
        return section != 0;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Http2Frame> out) {
        if (in.readableBytes() < FrameType.HEADER) {
            return false;
        }
        int at = in.readOffset();
        int length = in.getUnsignedMedium(at);
        int type = in.getUnsignedByte(at + 3);
        int flags = in.getUnsignedByte(at + 4);
        int stream = in.getInt(at + 5) & STREAM; // the reserved bit is ignored (4.1)
        if (length > maxFrameSize) {
            throw error(FRAME_SIZE_ERROR, "length", length, "at most " + maxFrameSize);
        }
        checkSection(type, stream);
        checkStream(type, stream);
        checkLength(type, flags, length);
        if (in.readableBytes() < FrameType.HEADER + length) {
            return false;
        }
        in.skipReadable(FrameType.HEADER);
        DirectFrames to = direct;
        if (to != null && hand(type, flags, stream, in, length, to)) {
            return true;
        }
        try (Buffer payload = in.split(length)) {
            out.accept(frame(type, flags, stream, payload));
        }
        return true;
    }

    /// Hands a frame over without making an object of it, if it is one of those.
    private boolean hand(int type, int flags, int stream, Buffer in, int length, DirectFrames to) {
        return switch (type) {
            case FrameType.DATA -> data(flags, stream, in, length, to);
            case FrameType.HEADERS -> headers(flags, stream, in, length, to);
            case FrameType.WINDOW_UPDATE -> windowUpdate(stream, in, length, to);
            default -> false;
        };
    }

    private static boolean data(int flags, int stream, Buffer in, int length, DirectFrames to) {
        int padding = has(flags, FrameType.PADDED) ? in.getUnsignedByte(in.readOffset()) : -1;
        int rest = length - padding - 1;
        if (rest < 0) {
            return false;
        }
        in.skipReadable(padding < 0 ? 0 : 1);
        Buffer data = in.split(rest);
        in.skipReadable(Math.max(padding, 0));
        to.data(stream, has(flags, FrameType.END_STREAM), data, length);
        return true;
    }

    private boolean headers(int flags, int stream, Buffer in, int length, DirectFrames to) {
        if (has(flags, FrameType.PADDED)) {
            return false;
        }
        boolean priority = has(flags, FrameType.PRIORITY_FLAG);
        boolean onItself = priority && (in.getInt(in.readOffset()) & STREAM) == stream;
        int skipped = priority ? PRIORITY_LENGTH : 0;
        in.skipReadable(skipped);
        boolean end = has(flags, FrameType.END_HEADERS);
        section = end ? 0 : stream;
        boolean last = has(flags, FrameType.END_STREAM);
        to.headers(stream, last, end, onItself, in, length - skipped);
        return true;
    }

    private static boolean windowUpdate(int stream, Buffer in, int length, DirectFrames to) {
        int increment = in.getInt(in.readOffset()) & STREAM;
        if (increment == 0) {
            return false;
        }
        in.skipReadable(length);
        to.windowUpdate(stream, increment);
        return true;
    }

    /// Nothing may stand between the frames of a field section (6.10).
    private void checkSection(int type, int stream) {
        boolean continues = type == FrameType.CONTINUATION;
        if (section == 0 ? continues : !continues || stream != section) {
            throw error(
                    PROTOCOL_ERROR,
                    "frame type",
                    type,
                    section == 0
                            ? "no CONTINUATION without HEADERS"
                            : "CONTINUATION of stream " + section);
        }
    }

    private static void checkStream(int type, int stream) {
        switch (type) {
            case FrameType.DATA,
                    FrameType.HEADERS,
                    FrameType.PRIORITY,
                    FrameType.RST_STREAM,
                    FrameType.PUSH_PROMISE,
                    FrameType.CONTINUATION -> {
                if (stream == 0) {
                    throw error(PROTOCOL_ERROR, "frame type " + type + ": stream", 0, "above 0");
                }
            }
            case FrameType.SETTINGS,
                    FrameType.PING,
                    FrameType.GOAWAY,
                    FrameType.PRIORITY_UPDATE -> {
                if (stream != 0) {
                    throw error(PROTOCOL_ERROR, "frame type " + type + ": stream", stream, "0");
                }
            }
            default -> {}
        }
    }

    /// Lengths whose error is one of the connection (4.2): those of fixed length that change the
    /// state of the connection, or cannot hold what their flags announce.
    private static void checkLength(int type, int flags, int length) {
        boolean right =
                switch (type) {
                    case FrameType.RST_STREAM, FrameType.WINDOW_UPDATE -> length == 4;
                    case FrameType.PING -> length == 8;
                    case FrameType.GOAWAY -> length >= 8;
                    case FrameType.SETTINGS ->
                            (flags & FrameType.ACK) != 0 ? length == 0 : length % 6 == 0;
                    case FrameType.DATA, FrameType.HEADERS -> length >= least(type, flags);
                    case FrameType.PUSH_PROMISE ->
                            length >= 4 + (has(flags, FrameType.PADDED) ? 1 : 0);
                    case FrameType.PRIORITY_UPDATE -> length >= 4;
                    default -> true;
                };
        if (!right) {
            throw error(FRAME_SIZE_ERROR, "frame type " + type + ": length", length, "its type's");
        }
    }

    private static int least(int type, int flags) {
        int least = has(flags, FrameType.PADDED) ? 1 : 0;
        if (type == FrameType.HEADERS && has(flags, FrameType.PRIORITY_FLAG)) {
            least += PRIORITY_LENGTH;
        }
        return least;
    }

    private static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }

    private Http2Frame frame(int type, int flags, int stream, Buffer in) {
        int length = in.readableBytes();
        return switch (type) {
            case FrameType.DATA ->
                    new Http2Frame.Data(
                            stream,
                            has(flags, FrameType.END_STREAM),
                            content(flags, in, 0),
                            length);
            case FrameType.HEADERS -> headers(flags, stream, in);
            case FrameType.PRIORITY -> priority(stream, in);
            case FrameType.RST_STREAM -> new Http2Frame.RstStream(stream, in.readInt());
            case FrameType.SETTINGS ->
                    has(flags, FrameType.ACK) ? new Http2Frame.SettingsAck() : settings(in);
            case FrameType.PUSH_PROMISE -> pushPromise(flags, stream, in);
            case FrameType.PING -> new Http2Frame.Ping(has(flags, FrameType.ACK), in.readLong());
            case FrameType.GOAWAY ->
                    new Http2Frame.GoAway(in.readInt() & STREAM, in.readInt(), debug(in));
            case FrameType.WINDOW_UPDATE -> windowUpdate(stream, in);
            case FrameType.CONTINUATION -> {
                boolean end = has(flags, FrameType.END_HEADERS);
                section = end ? 0 : stream;
                yield new Http2Frame.Continuation(stream, end, in.split(length));
            }
            case FrameType.PRIORITY_UPDATE -> priorityUpdate(in);
            default -> new Http2Frame.Unknown(type, stream, length);
        };
    }

    /// Cuts the padding off (6.1): its length stands first, and `skipped` bytes behind that.
    private static Buffer content(int flags, Buffer in, int skipped) {
        int padding = 0;
        if (has(flags, FrameType.PADDED)) {
            padding = in.readUnsignedByte();
        }
        int rest = in.readableBytes() - skipped;
        if (padding > rest) {
            throw error(PROTOCOL_ERROR, "padding", padding, "at most " + rest);
        }
        in.skipReadable(skipped);
        return in.split(rest - padding);
    }

    private Http2Frame headers(int flags, int stream, Buffer in) {
        boolean end = has(flags, FrameType.END_HEADERS);
        boolean priority = has(flags, FrameType.PRIORITY_FLAG);
        boolean dependsOnItself =
                priority
                        && (in.getInt(in.readOffset() + (has(flags, FrameType.PADDED) ? 1 : 0))
                                        & STREAM)
                                == stream;
        Buffer fragment = content(flags, in, priority ? PRIORITY_LENGTH : 0);
        section = end ? 0 : stream;
        return new Http2Frame.Headers(
                stream, has(flags, FrameType.END_STREAM), end, dependsOnItself, fragment);
    }

    private Http2Frame pushPromise(int flags, int stream, Buffer in) {
        int at = in.readOffset() + (has(flags, FrameType.PADDED) ? 1 : 0);
        int promised = in.getInt(at) & STREAM;
        boolean end = has(flags, FrameType.END_HEADERS);
        Buffer fragment = content(flags, in, 4);
        section = end ? 0 : stream;
        return new Http2Frame.PushPromise(stream, promised, end, fragment);
    }

    private static Http2Frame priority(int stream, Buffer in) {
        if (in.readableBytes() != PRIORITY_LENGTH) {
            return new Http2Frame.Malformed(
                    stream, FRAME_SIZE_ERROR, "PRIORITY: " + in.readableBytes() + " (expected: 5)");
        }
        if ((in.readInt() & STREAM) == stream) {
            return new Http2Frame.Malformed(
                    stream, PROTOCOL_ERROR, "PRIORITY: depends on itself (expected: on another)");
        }
        return new Http2Frame.Priority(stream);
    }

    private static Http2Frame settings(Buffer in) {
        byte[] payload = new byte[in.readableBytes()];
        in.readBytes(payload);
        return new Http2Frame.SettingsFrame(Settings.of(payload), payload.length / 6);
    }

    private static Http2Frame windowUpdate(int stream, Buffer in) {
        int increment = in.readInt() & STREAM;
        if (increment > 0) {
            return new Http2Frame.WindowUpdate(stream, increment);
        }
        if (stream == 0) {
            throw error(PROTOCOL_ERROR, "window increment", 0, "at least 1");
        }
        return new Http2Frame.Malformed(
                stream, PROTOCOL_ERROR, "window increment: 0 (expected: at least 1)");
    }

    private static String debug(Buffer in) {
        int length = Math.min(in.readableBytes(), MAX_DEBUG);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int b = in.readUnsignedByte();
            if (b < 0x20 || b > 0x7E || b == '"' || b == '\\') {
                text.append("\\x").append(HexFormat.of().toHexDigits((byte) b));
            } else {
                text.append((char) b);
            }
        }
        return text.toString();
    }

    private static Http2Frame priorityUpdate(Buffer in) {
        int stream = in.readInt() & STREAM;
        if (stream == 0) {
            throw error(PROTOCOL_ERROR, "PRIORITY_UPDATE: prioritized stream", 0, "above 0");
        }
        return new Http2Frame.PriorityUpdate(stream, in.readString(ISO_8859_1));
    }

    private static Http2Exception error(ErrorCode code, String what, long value, String expected) {
        return new Http2Exception(code, what + ": " + value + " (expected: " + expected + ")");
    }
}
