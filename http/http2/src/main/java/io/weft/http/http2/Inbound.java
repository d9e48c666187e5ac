package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.http.http2.StreamTable.End;
import java.util.function.Consumer;

/// The input of an [Http2Connection]: the preface, and the meaning of each frame in the state
/// of its stream (RFC 9113, 5.1 and 6). Field sections are [Sections]' business.
final class Inbound implements Consumer<Http2Frame>, DirectFrames {
    /// Costs of what is useless, in [Http2Limits#oddities].
    private static final int SETTINGS_COST = 20;

    private static final int EMPTY_DATA_COST = 100;
    private static final int GOAWAY_COST = 100;
    private static final int PING_COST = 2;
    private static final int PRIORITY_COST = 2;
    private static final int PRIORITY_UPDATE_COST = 5;
    private static final int UNKNOWN_COST = 5;
    private static final int CLOSED_COST = 2;

    /// Work of a frame, whatever becomes of it: see [Http2Connection#work].
    private static final int FRAME_WORK = 32;

    private final Http2Connection connection;
    private final Http2Events events;
    private final FrameDecoder decoder;
    private final Sections sections;
    private boolean prefaced;
    private boolean settled;
    private boolean goneAway;

    /// The peer has acknowledged the first settings.
    private boolean acknowledged;

    Inbound(Http2Connection connection, Http2Events events) {
        this.connection = connection;
        this.events = events;
        this.decoder = new FrameDecoder(connection.limits().frame(), this);
        this.sections = new Sections(connection, events);
        this.prefaced = connection.role() == Http2Connection.Role.CLIENT;
    }

    void pause() {
        decoder.pause();
    }

    void resume() {
        decoder.resume();
    }

    /// Decodes what there is; bytes that are no whole frame stay unread.
    void decode(Buffer in) {
        if (!prefaced) {
            int matching = Preface.match(in);
            if (matching < 0) {
                throw new Http2Exception(
                        ErrorCode.PROTOCOL_ERROR,
                        "preface: other bytes (expected: PRI * HTTP/2.0)");
            }
            if (matching < Preface.LENGTH) {
                return;
            }
            in.skipReadable(matching);
            prefaced = true;
        }
        decoder.decode(in, this);
    }

    /// Tells if a frame is taken: nothing is behind a failure, and before the first SETTINGS it is
    /// an error.
    private boolean takes(boolean settings) {
        if (connection.isFailed()) {
            decoder.pause();
            return false;
        }
        if (!settled && !settings) {
            throw new Http2Exception(
                    ErrorCode.PROTOCOL_ERROR, "first frame: another (expected: SETTINGS, 3.4)");
        }
        connection.work(FRAME_WORK);
        return true;
    }

    @Override
    public void accept(Http2Frame frame) {
        boolean taken = false;
        try {
            taken = takes(frame instanceof Http2Frame.SettingsFrame);
        } finally {
            if (!taken) {
                release(frame);
            }
        }
        if (!taken) {
            return;
        }
        switch (frame) {
            case Http2Frame.Data data ->
                    data(data.stream(), data.endStream(), data.data(), data.flowControlled());
            case Http2Frame.Headers headers -> sections.headers(headers);
            case Http2Frame.Continuation more -> sections.continuation(more);
            case Http2Frame.PushPromise push -> sections.pushPromise(push, acknowledged);
            case Http2Frame.Priority _ -> connection.oddities().spend(PRIORITY_COST);
            case Http2Frame.RstStream reset -> reset(reset);
            case Http2Frame.SettingsFrame settings -> settings(settings);
            case Http2Frame.SettingsAck _ -> acknowledged();
            case Http2Frame.Ping ping -> ping(ping);
            case Http2Frame.GoAway away -> {
                connection.oddities().spend(goneAway ? GOAWAY_COST : 0);
                goneAway = true;
                connection.goAway(away);
            }
            case Http2Frame.WindowUpdate update ->
                    windowUpdate(update.stream(), update.increment());
            case Http2Frame.PriorityUpdate update -> priorityUpdate(update);
            case Http2Frame.Unknown _ -> connection.oddities().spend(UNKNOWN_COST);
            case Http2Frame.Malformed malformed -> malformed(malformed);
        }
    }

    /// A stream that is idle may not be reset (6.4): there the error is the connection's (5.4).
    private void malformed(Http2Frame.Malformed frame) {
        if (connection.numbers().isIdle(frame.stream())) {
            throw new Http2Exception(frame.code(), frame.reason());
        }
        connection.ends().error(frame.stream(), frame.code());
    }

    // ---- streams ----

    @Override
    public void headers(
            int id,
            boolean endStream,
            boolean endHeaders,
            boolean onItself,
            Buffer in,
            int length) {
        if (takes(false)) {
            sections.headers(id, endStream, endHeaders, onItself, in, length);
        } else {
            in.skipReadable(length);
        }
    }

    @Override
    public void data(int id, boolean endStream, Buffer data, int counted) {
        boolean handed = false;
        try {
            if (!takes(false)) {
                return;
            }
            connection.flow().arrived(counted);
            Http2Stream stream = connection.table().get(id);
            if (stream == null) {
                dataWithoutStream(id, counted);
            } else if (dataFits(stream, endStream, data.readableBytes(), counted)) {
                handed = true;
                deliver(stream, endStream, data, counted);
            }
        } finally {
            if (!handed) {
                data.release();
            }
        }
    }

    private void dataWithoutStream(int id, int counted) {
        if (connection.numbers().isIdle(id)) {
            throw idle("DATA", id);
        }
        connection.flow().refund(counted);
        switch (connection.table().end(id)) {
            case RESET_HERE -> connection.oddities().spend(CLOSED_COST); // it was under way (5.1)
            case RESET_BY_PEER -> connection.ends().error(id, ErrorCode.STREAM_CLOSED);
            case COMPLETE, UNKNOWN -> {
                if (!connection.refuses(id)) {
                    throw closed("DATA", id);
                }
                connection.oddities().spend(CLOSED_COST); // it was under way, or never ends
            }
        }
    }

    /// Checks content against the stream's state, its window and its announced length (8.1.1).
    private boolean dataFits(Http2Stream stream, boolean endStream, int length, int counted) {
        ErrorCode error = null;
        if (!stream.mayReceive()) {
            error = ErrorCode.STREAM_CLOSED;
        } else if (counted > Math.max(0, stream.receiveWindow)) { // nothing fits anywhere (6.9)
            error = ErrorCode.FLOW_CONTROL_ERROR;
        } else if (!stream.headReceived) {
            error = ErrorCode.PROTOCOL_ERROR;
        } else if (stream.remaining >= 0 && !stream.discards) {
            stream.remaining -= length;
            if (stream.remaining < 0 || (endStream && stream.remaining > 0)) {
                error = ErrorCode.PROTOCOL_ERROR;
            }
        }
        if (error != null) {
            connection.flow().refund(counted);
            connection.ends().error(stream.id(), error);
            return false;
        }
        return true;
    }

    private void deliver(Http2Stream stream, boolean endStream, Buffer data, int counted) {
        int length = data.readableBytes();
        stream.receiveWindow -= counted;
        boolean empty = length == 0 && !endStream;
        if (empty || stream.discards) {
            data.release();
            if (empty) {
                connection.oddities().spend(EMPTY_DATA_COST);
            }
            connection.flow().refund(counted);
            if (endStream) {
                stream.endReceived();
            }
            return;
        }
        stream.unconsumed += length;
        stream.refund(counted - length); // of the padding nobody else tells
        if (endStream) {
            stream.endReceived();
        }
        events.data(stream, data, endStream);
    }

    private void reset(Http2Frame.RstStream frame) {
        Http2Stream stream = connection.table().get(frame.stream());
        if (stream == null) {
            if (connection.numbers().isIdle(frame.stream())) {
                throw idle("RST_STREAM", frame.stream());
            }
            connection.oddities().spend(CLOSED_COST);
            return;
        }
        connection.resets().spend(1);
        connection.ends().drop(stream, End.RESET_BY_PEER, frame.code());
    }

    @Override
    public void windowUpdate(int id, int increment) {
        if (!takes(false)) {
            return;
        }
        connection.oddities().spend(1);
        if (id == 0) {
            connection.flow().widen(increment);
            return;
        }
        Http2Stream stream = connection.table().get(id);
        if (stream == null) {
            if (connection.numbers().isIdle(id)) {
                throw idle("WINDOW_UPDATE", id);
            }
        } else if (!connection.flow().widen(stream, increment)) {
            connection.ends().error(id, ErrorCode.FLOW_CONTROL_ERROR);
        }
    }

    private void priorityUpdate(Http2Frame.PriorityUpdate frame) {
        connection.oddities().spend(PRIORITY_UPDATE_COST);
        if (connection.role() == Http2Connection.Role.CLIENT) {
            throw new Http2Exception(
                    ErrorCode.PROTOCOL_ERROR,
                    "PRIORITY_UPDATE: of a server (expected: of a client, RFC 9218, 7.1)");
        }
        // One that comes before its stream is lost: the stream's own field will do.
        Http2Stream stream = connection.table().get(frame.stream());
        if (stream != null) {
            stream.priority(Priority.of(frame.field()));
        }
    }

    // ---- the connection ----

    private void settings(Http2Frame.SettingsFrame frame) {
        connection.oddities().spend(settled ? SETTINGS_COST + frame.entries() : 0);
        settled = true;
        connection.settings(frame.settings());
    }

    private void acknowledged() {
        if (!connection.firstWindow().acknowledged()) {
            connection.oddities().spend(SETTINGS_COST);
        } else if (!acknowledged) {
            acknowledged = true;
            sections.acknowledged();
        }
    }

    private void ping(Http2Frame.Ping frame) {
        connection.oddities().spend(PING_COST);
        if (frame.ack()) {
            connection.pong(frame.data());
        } else {
            FrameEncoder.ping(true, frame.data(), connection.writer().out());
        }
    }

    private static void release(Http2Frame frame) {
        switch (frame) {
            case Http2Frame.Data data -> data.data().release();
            case Http2Frame.Headers headers -> headers.fragment().release();
            case Http2Frame.Continuation more -> more.fragment().release();
            case Http2Frame.PushPromise push -> push.fragment().release();
            default -> {}
        }
    }

    static Http2Exception idle(String what, int stream) {
        return new Http2Exception(
                ErrorCode.PROTOCOL_ERROR,
                what + ": stream " + stream + " is idle (expected: an open one, 5.1)");
    }

    static Http2Exception closed(String what, int stream) {
        return new Http2Exception(
                ErrorCode.STREAM_CLOSED,
                what + ": stream " + stream + " is closed (expected: an open one, 5.1)");
    }
}
