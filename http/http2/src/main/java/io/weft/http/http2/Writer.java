package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.http.hpack.HpackEncoder;
import io.weft.http.hpack.HpackLimits;
import io.weft.http.hpack.PseudoHeader;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// Encodes messages: the sending side's HPACK, and what of a message HTTP/2 has no place for.
final class Writer {
    private static final NameSet LEFT_OUT =
            NameSet.of(
                    HeaderName.CONNECTION,
                    HeaderName.KEEP_ALIVE,
                    HeaderName.PROXY_CONNECTION,
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.UPGRADE,
                    HeaderName.TE,
                    HeaderName.HOST);

    /// Bytes of a payload that is handed on as it is. A shorter one is copied behind its header,
    /// for less than a buffer more in the channel's queue and in its gathered write would cost.
    static final int BY_REFERENCE = 2 << 10;

    private final HpackEncoder hpack = new HpackEncoder(HpackLimits.DEFAULT);
    private final FrameOutput output;

    /// The peer's SETTINGS_MAX_FRAME_SIZE.
    private int maxFrame = (int) Setting.MAX_FRAME_SIZE.initial();

    private Headers.@Nullable Field lastDate;

    Writer(FrameOutput output) {
        this.output = output;
    }

    /// Returns the buffer that frames are gathered in.
    Buffer out() {
        return output.buffer();
    }

    int maxFrame() {
        return maxFrame;
    }

    /// Returns how many bytes of a body should go in the next frame, whatever the windows take.
    int room() {
        return output.room();
    }

    /// Writes a frame of DATA, and takes over its payload.
    void data(int stream, Buffer payload, boolean end) {
        int length = payload.readableBytes();
        if (isShort(payload)) {
            try (payload) {
                begin(stream, length, end).writeBytes(payload);
            }
            return;
        }
        try {
            FrameEncoder.dataHeader(stream, length, end, output.buffer(FrameType.HEADER));
        } catch (Throwable t) {
            payload.release();
            throw t;
        }
        output.append(payload);
    }

    /// Tells if a payload is to be copied, because it is short, or keeps much more memory than it
    /// has bytes.
    private static boolean isShort(Buffer payload) {
        int length = payload.readableBytes();
        return length < BY_REFERENCE || length < payload.capacity() / 4;
    }

    /// Writes a frame of DATA, and takes over its payload, before which there is room for the
    /// header.
    void frame(int stream, Buffer payload, boolean end) {
        int length = payload.readableBytes();
        int at = payload.readOffset() - FrameType.HEADER;
        if (at < 0 || payload.isReadOnly() || isShort(payload)) {
            data(stream, payload, end);
            return;
        }
        FrameEncoder.dataHeader(stream, length, end, at, payload);
        output.append(payload.readOffset(at));
    }

    /// Writes a frame of DATA with `length` bytes of `from`, beginning with that at `index`. If
    /// `from` has other owners, they may use its memory again when they hear that it was sent: then
    /// the bytes are copied, too.
    void data(int stream, Buffer from, int index, int length) {
        if (length >= BY_REFERENCE && from.references() == 1) {
            data(stream, from.slice(index, length), false);
            return;
        }
        Buffer out = begin(stream, length, false);
        int at = out.writeOffset();
        out.writeOffset(at + length).setBytes(at, from, index, length);
    }

    void data(int stream, Body.Bytes body, int offset, int length, boolean end) {
        if (length >= BY_REFERENCE && body.isShared()) {
            data(stream, body.slice(offset, length), end);
            return;
        }
        Buffer out = begin(stream, length, end);
        int at = out.writeOffset();
        try {
            body.writeTo(out, offset, length);
        } catch (RuntimeException | Error e) {
            out.writeOffset(at - FrameType.HEADER); // no header without its payload
            throw e;
        }
    }

    /// Writes a frame of DATA without content.
    void end(int stream) {
        Buffer _ = begin(stream, 0, true);
    }

    /// Writes the header of a frame of DATA behind which there is room for its payload.
    private Buffer begin(int stream, int length, boolean end) {
        int size = FrameType.HEADER + length;
        Buffer out = output.buffer(size).ensureWritable(size);
        FrameEncoder.dataHeader(stream, length, end, out);
        return out;
    }

    /// Takes over what the peer wants of this side.
    void settings(Settings settings) {
        if (settings.has(Setting.HEADER_TABLE_SIZE)) {
            hpack.tableSize((int) Math.min(settings.leastHeaderTable(), Integer.MAX_VALUE));
            hpack.tableSize(
                    (int) Math.min(settings.get(Setting.HEADER_TABLE_SIZE), Integer.MAX_VALUE));
        }
        if (settings.has(Setting.MAX_FRAME_SIZE)) {
            maxFrame = (int) settings.get(Setting.MAX_FRAME_SIZE);
        }
    }

    private static String path(RequestTarget target, Method method) {
        if (target.isOfServer(method)) {
            return "*"; // RFC 9113, 8.3.1
        }
        return target.form() == RequestTarget.Form.ABSOLUTE
                ? target.pathAndQuery()
                : target.toString();
    }

    void request(int stream, RequestHead head, boolean end) {
        try {
            fields(head);
            finish(stream, end);
        } catch (Throwable t) {
            hpack.discard(); // or the fields would go out with the next message's
            throw t;
        }
    }

    private void fields(RequestHead head) {
        RequestTarget target = head.target();
        String authority = target.authority();
        if (authority == null) {
            authority = head.headers().first(HeaderName.HOST);
        }
        hpack.encode(PseudoHeader.METHOD, head.method().name());
        if (target.form() != RequestTarget.Form.AUTHORITY) {
            hpack.encode(PseudoHeader.SCHEME, head.scheme());
            hpack.encode(PseudoHeader.PATH, path(target, head.method()));
        }
        if (authority != null) {
            hpack.encode(PseudoHeader.AUTHORITY, authority);
        }
        if (head.protocol() != null) {
            hpack.encode(PseudoHeader.PROTOCOL, head.protocol());
        }
        fields(head.headers());
    }

    void response(
            int stream,
            Status status,
            Headers headers,
            long contentLength,
            @Nullable String date,
            boolean end) {
        try {
            fields(status, headers, contentLength, date);
            finish(stream, end);
        } catch (Throwable t) {
            hpack.discard();
            throw t;
        }
    }

    private void fields(Status status, Headers headers, long contentLength, @Nullable String date) {
        hpack.status(status.code());
        if (date != null && !headers.contains(HeaderName.DATE)) {
            hpack.encode(dateField(date));
        }
        fields(headers);
        if (contentLength >= 0 && !headers.contains(HeaderName.CONTENT_LENGTH)) {
            hpack.encode(HeaderName.CONTENT_LENGTH, contentLength);
        }
    }

    /// Returns the same field as before for the date of the same second.
    private Headers.Field dateField(String date) {
        Headers.Field field = lastDate;
        if (field == null || !field.value().equals(date)) {
            field = new Headers.Field(HeaderName.DATE, date);
            lastDate = field;
        }
        return field;
    }

    void trailers(int stream, Headers trailers) {
        try {
            fields(trailers);
            finish(stream, true);
        } catch (Throwable t) {
            hpack.discard();
            throw t;
        }
    }

    private void fields(Headers headers) {
        if (!headers.mayContain(LEFT_OUT)) {
            hpack.encode(headers);
            return;
        }
        for (int i = 0; i < headers.size(); i++) {
            if (isSent(headers, i)) {
                hpack.encode(headers, i);
            }
        }
    }

    /// Tells if the field goes over HTTP/2: it is no field of a connection (8.2.2), by its name or
    /// because Connection names it, and not Host, which :authority stands for.
    private static boolean isSent(Headers headers, int field) {
        HeaderName name = headers.name(field);
        if (name == HeaderName.TE) {
            return headers.valueIs(field, "trailers");
        }
        return name != HeaderName.HOST
                && !MessageRules.isConnectionSpecific(name)
                && !headers.containsToken(HeaderName.CONNECTION, name.toString());
    }

    /// Writes the block as HEADERS, and CONTINUATION where it is too long for one frame; all of it
    /// or nothing.
    private void finish(int stream, boolean end) {
        Buffer out = output.buffer();
        int at = out.writeOffset();
        try {
            finish(stream, end, out);
        } catch (Throwable t) {
            out.writeOffset(at);
            throw t;
        }
    }

    private void finish(int stream, boolean end, Buffer out) {
        int length = hpack.length();
        if (length <= maxFrame) {
            int flags = FrameType.END_HEADERS | (end ? FrameType.END_STREAM : 0);
            FrameEncoder.header(length, FrameType.HEADERS, flags, stream, out);
            hpack.finish(out);
            return;
        }
        int at = out.writeOffset();
        hpack.finish(out);
        try (Buffer block = out.copy(at, length)) {
            out.writeOffset(at);
            FrameEncoder.headers(stream, end, block, maxFrame, out);
        }
    }
}
