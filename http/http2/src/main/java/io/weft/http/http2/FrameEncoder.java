package io.weft.http.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;

/// Writes frames (RFC 9113, 6) without padding. It checks nothing: what may be sent when is its
/// caller's to know.
public final class FrameEncoder {
    private FrameEncoder() {}

    /// Writes the header of a frame, behind which there is room for the payload that is to follow:
    /// if there is no memory for both, neither is written.
    static void header(int length, int type, int flags, int stream, Buffer out) {
        out.ensureWritable(FrameType.HEADER + length);
        out.writeLong(start(length, type, flags, stream));
        out.writeByte(stream);
    }

    /// Returns the first eight bytes of a header.
    private static long start(int length, int type, int flags, int stream) {
        return (long) length << 40 | (long) type << 32 | (long) flags << 24 | stream >>> 8;
    }

    /// Writes the header of a DATA frame, whose payload is to follow, perhaps in another buffer.
    public static void dataHeader(int stream, int length, boolean endStream, Buffer out) {
        out.ensureWritable(FrameType.HEADER);
        int flags = endStream ? FrameType.END_STREAM : 0;
        out.writeLong(start(length, FrameType.DATA, flags, stream));
        out.writeByte(stream);
    }

    /// Writes the header of a DATA frame over the bytes at `index`.
    static void dataHeader(int stream, int length, boolean endStream, int index, Buffer frame) {
        int flags = endStream ? FrameType.END_STREAM : 0;
        frame.setLong(index, start(length, FrameType.DATA, flags, stream));
        frame.setByte(index + Long.BYTES, stream);
    }

    /// Writes a whole field section as HEADERS and as many CONTINUATION frames as it takes.
    ///
    /// @param block readable bytes that HPACK made; they count as read, and stay the caller's
    /// @param maxFrameSize the peer's SETTINGS_MAX_FRAME_SIZE
    public static void headers(
            int stream, boolean endStream, Buffer block, int maxFrameSize, Buffer out) {
        int type = FrameType.HEADERS;
        int flags = endStream ? FrameType.END_STREAM : 0;
        do {
            int length = Math.min(block.readableBytes(), maxFrameSize);
            if (length == block.readableBytes()) {
                flags |= FrameType.END_HEADERS;
            }
            header(length, type, flags, stream, out);
            out.writeBytes(block, length);
            type = FrameType.CONTINUATION;
            flags = 0;
        } while (block.isReadable());
    }

    /// Writes RST_STREAM.
    public static void rstStream(int stream, ErrorCode code, Buffer out) {
        header(4, FrameType.RST_STREAM, 0, stream, out);
        out.writeInt(code.code());
    }

    /// Writes SETTINGS with all that `settings` has.
    public static void settings(Settings settings, Buffer out) {
        header(settings.size() * 6, FrameType.SETTINGS, 0, 0, out);
        for (Setting setting : Setting.values()) {
            if (settings.has(setting)) {
                out.writeShort(setting.id()).writeInt((int) settings.get(setting));
            }
        }
    }

    /// Writes SETTINGS with ACK.
    public static void settingsAck(Buffer out) {
        header(0, FrameType.SETTINGS, FrameType.ACK, 0, out);
    }

    /// Writes PING.
    public static void ping(boolean ack, long data, Buffer out) {
        header(8, FrameType.PING, ack ? FrameType.ACK : 0, 0, out);
        out.writeLong(data);
    }

    /// Writes GOAWAY.
    ///
    /// @param debug ASCII for the peer's log
    public static void goAway(int lastStream, ErrorCode code, String debug, Buffer out) {
        header(8 + debug.length(), FrameType.GOAWAY, 0, 0, out);
        out.writeInt(lastStream).writeInt(code.code()).writeBytes(debug.getBytes(ISO_8859_1));
    }

    /// Writes WINDOW_UPDATE; stream 0 is the connection.
    public static void windowUpdate(int stream, int increment, Buffer out) {
        header(4, FrameType.WINDOW_UPDATE, 0, stream, out);
        out.writeInt(increment);
    }

    /// Writes PRIORITY_UPDATE (RFC 9218, 7.1).
    public static void priorityUpdate(int stream, String field, Buffer out) {
        header(4 + field.length(), FrameType.PRIORITY_UPDATE, 0, 0, out);
        out.writeInt(stream).writeBytes(field.getBytes(ISO_8859_1));
    }
}
