package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.http.hpack.HpackDecoder;
import io.weft.http.hpack.HpackLimits;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// Field sections that come in: heads and trailers, over HEADERS and CONTINUATION (RFC 9113, 4.3
/// and 8.1). Each is decoded to its end whatever becomes of it, since HPACK's state is the
/// connection's.
final class Sections {
    /// Cost of a section that nobody wants.
    private static final int DISCARDED_COST = 10;

    /// A few bytes of a section may stand for all that the table holds, thousands of times.
    private static final int TOO_LARGE_COST = 10;

    /// Work of a byte, which may stand for a field: see [Http2Connection#work].
    private static final int BYTE_WORK = 2;

    /// The uses of a section.
    private enum Use {
        REQUEST,
        RESPONSE,
        TRAILERS,
        /// Of a message that nobody waits for any more.
        DISCARD,
        /// To be followed by an error of the stream.
        ERROR
    }

    /// Times [Http2Limits#headerSection] that the heads of open requests may have together.
    private static final int HEADS = 8;

    private final Http2Connection connection;
    private final Http2Events events;
    private final Http2Limits limits;
    private final HpackDecoder hpack;
    private final SectionReader reader = new SectionReader();

    private int id;
    private @Nullable Http2Stream stream;
    private Use use = Use.DISCARD;
    private ErrorCode error = ErrorCode.NO_ERROR;
    private boolean endStream;
    private int continuations;
    private long compressed;

    Sections(Http2Connection connection, Http2Events events) {
        this.connection = connection;
        this.events = events;
        this.limits = connection.limits();
        this.hpack =
                new HpackDecoder(
                        HpackLimits.DEFAULT
                                .decoderTable(limits.headerTable())
                                .fieldSection(limits.headerSection())
                                .fields(limits.headerFields()));
    }

    /// The peer knows of the size of the table (RFC 7541, 4.2).
    void acknowledged() {
        hpack.tableSize(limits.headerTable());
    }

    void headers(Http2Frame.Headers frame) {
        try (Buffer fragment = frame.fragment()) {
            headers(
                    frame.stream(),
                    frame.endStream(),
                    frame.endHeaders(),
                    frame.dependsOnItself(),
                    fragment,
                    fragment.readableBytes());
        }
    }

    /// As [DirectFrames#headers].
    void headers(int stream, boolean ends, boolean whole, boolean onItself, Buffer in, int length) {
        id = stream;
        endStream = ends;
        this.stream = connection.table().get(id);
        choose();
        if (onItself && use != Use.DISCARD) {
            fail(ErrorCode.PROTOCOL_ERROR);
        }
        begin(in, length, whole);
    }

    void continuation(Http2Frame.Continuation frame) {
        try (Buffer fragment = frame.fragment()) {
            boolean empty = !fragment.isReadable() && !frame.endHeaders();
            if (++continuations > limits.continuations() || empty) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM,
                        "CONTINUATION: "
                                + (empty ? "empty" : "" + continuations)
                                + " (expected: at most "
                                + limits.continuations()
                                + ", not empty)");
            }
            decode(fragment, fragment.readableBytes(), frame.endHeaders());
        }
    }

    /// Push was refused by our settings; a promise that the peer made before it knew is refused by
    /// itself (8.4).
    void pushPromise(Http2Frame.PushPromise frame, boolean acknowledged) {
        try (Buffer fragment = frame.fragment()) {
            boolean server = connection.role() == Http2Connection.Role.SERVER;
            id = frame.promised();
            if (server
                    || acknowledged
                    || !connection.numbers().isPeers(id)
                    || !connection.numbers().isIdle(id)) {
                throw new Http2Exception(
                        ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE: one (expected: none, 8.4)");
            }
            connection.numbers().seen(id);
            stream = null;
            endStream = false;
            fail(ErrorCode.REFUSED_STREAM);
            begin(fragment, fragment.readableBytes(), frame.endHeaders());
        }
    }

    /// Decides what the section is, by the state of its stream (5.1).
    private void choose() {
        Http2Stream s = stream;
        boolean server = connection.role() == Http2Connection.Role.SERVER;
        if (s != null) {
            if (!s.mayReceive()) {
                fail(ErrorCode.STREAM_CLOSED);
            } else if (s.headReceived) {
                use = Use.TRAILERS;
            } else {
                use = Use.RESPONSE;
            }
        } else if (!connection.numbers().isIdle(id)) {
            ended();
        } else if (!server || !connection.numbers().isPeers(id)) {
            throw Inbound.idle("HEADERS", id);
        } else {
            connection.numbers().seen(id);
            if (connection.refuses(id)) {
                use = Use.DISCARD;
            } else if (connection.openStreams() >= limits.streams()) {
                fail(ErrorCode.REFUSED_STREAM);
            } else {
                use = Use.REQUEST;
            }
        }
    }

    private void ended() {
        switch (connection.table().end(id)) {
            case RESET_HERE -> use = Use.DISCARD; // it was under way
            case RESET_BY_PEER -> fail(ErrorCode.STREAM_CLOSED);
            case COMPLETE -> throw Inbound.closed("HEADERS", id);
            case UNKNOWN -> {
                if (!connection.refuses(id)) {
                    throw new Http2Exception(
                            ErrorCode.PROTOCOL_ERROR,
                            "stream: " + id + " (expected: above those before, 5.1.1)");
                }
                use = Use.DISCARD;
            }
        }
    }

    private void fail(ErrorCode code) {
        use = Use.ERROR;
        error = code;
    }

    private void begin(Buffer in, int length, boolean last) {
        continuations = 0;
        compressed = 0;
        reader.begin();
        if (use == Use.DISCARD) {
            connection.oddities().spend(DISCARDED_COST);
        }
        decode(in, length, last);
    }

    private void decode(Buffer in, int length, boolean last) {
        compressed += length;
        if (compressed > Math.max(limits.headerSection(), limits.frame()) * 2L) {
            throw new Http2Exception(
                    ErrorCode.ENHANCE_YOUR_CALM,
                    "field section: " + compressed + " compressed (expected: fewer bytes)");
        }
        hpack.decode(in, length, last, reader);
        connection.work(BYTE_WORK * length);
        if (last) {
            Http2Stream s = stream;
            stream = null;
            end(s);
        }
    }

    private void end(@Nullable Http2Stream s) {
        Headers fields = hpack.isTruncated() ? reader.drop() : reader.end();
        switch (use) {
            case DISCARD -> {}
            case ERROR -> connection.ends().error(id, error);
            case REQUEST -> request(fields);
            case RESPONSE -> response(existing(s), fields);
            case TRAILERS -> trailers(existing(s), fields);
        }
    }

    private static Http2Stream existing(@Nullable Http2Stream s) {
        if (s == null) {
            throw new AssertionError("a section without its stream");
        }
        return s;
    }

    private void request(Headers fields) {
        if (hpack.isTruncated() && reader.malformed() == null) {
            connection.oddities().spend(TOO_LARGE_COST);
            Http2Stream s = connection.add(id);
            s.headReceived = true;
            s.discards = true;
            if (endStream) {
                s.endReceived();
            }
            events.requestTooLarge(s);
            return;
        }
        RequestHead head = MessageRules.request(reader, fields);
        if (head == null || (endStream && head.contentLength() > 0)) {
            connection.ends().error(id, ErrorCode.PROTOCOL_ERROR);
            return;
        }
        int bytes = fields.sectionLength();
        if (!hasRoomForHead(bytes)) {
            connection.ends().error(id, ErrorCode.REFUSED_STREAM);
            return;
        }
        Http2Stream s = connection.add(id);
        connection.table().heldHead(s, bytes);
        s.headReceived = true;
        s.remaining = head.contentLength();
        String priority = head.headers().first(HeaderName.PRIORITY);
        if (priority != null) {
            s.priority(Priority.of(priority));
        }
        if (endStream) {
            s.endReceived();
        }
        events.request(s, head, endStream);
    }

    private void response(Http2Stream s, Headers fields) {
        if (s.state() == StreamState.CLOSED) {
            return;
        }
        ResponseHead head = hpack.isTruncated() ? null : MessageRules.response(reader, fields);
        if (head == null || (endStream && head.status().isInformational())) {
            connection
                    .ends()
                    .error(
                            id,
                            hpack.isTruncated()
                                    ? ErrorCode.ENHANCE_YOUR_CALM
                                    : ErrorCode.PROTOCOL_ERROR);
            return;
        }
        Status status = head.status();
        if (!status.isInformational()) {
            s.headReceived = true;
            s.remaining = s.head || status.isWithoutContent() ? 0 : head.contentLength();
            if (endStream && s.remaining > 0) {
                connection.ends().error(id, ErrorCode.PROTOCOL_ERROR);
                return;
            }
        } else {
            connection.oddities().spend(DISCARDED_COST);
        }
        if (endStream) {
            s.endReceived();
        }
        events.response(s, head, endStream);
    }

    private void trailers(Http2Stream s, Headers fields) {
        if (s.state() == StreamState.CLOSED) {
            return;
        }
        MessageRules.trailers(reader, fields);
        boolean short_ = s.remaining > 0 && !s.discards;
        if (!endStream || short_ || reader.malformed() != null) {
            connection.ends().error(id, ErrorCode.PROTOCOL_ERROR); // 8.1
            return;
        }
        if (hpack.isTruncated()) {
            connection.ends().error(id, ErrorCode.ENHANCE_YOUR_CALM);
            return;
        }
        s.endReceived();
        if (!s.discards) {
            events.trailers(s, fields);
        }
    }

    /// Tells if there is memory for a request with such a head beside those that are open.
    private boolean hasRoomForHead(int bytes) {
        int held = connection.table().headBytes();
        return held == 0 || held + bytes <= HEADS * limits.headerSection();
    }
}
