package io.weft.http.http2;

/// The ends of a connection's streams, and their effect on the table, the windows and the budget of
/// resets.
final class StreamEnds {
    private final StreamTable streams;
    private final StreamNumbers numbers;
    private final Flow flow;
    private final Budget resets;
    private final Writer writer;
    private final Http2Events events;

    StreamEnds(
            StreamTable streams,
            StreamNumbers numbers,
            Flow flow,
            Budget resets,
            Writer writer,
            Http2Events events) {
        this.streams = streams;
        this.numbers = numbers;
        this.flow = flow;
        this.resets = resets;
        this.writer = writer;
        this.events = events;
    }

    /// Closes a stream that is over on both sides.
    void close(Http2Stream stream, StreamTable.End how) {
        if (stream.state() == StreamState.CLOSED) {
            return;
        }
        flow.remove(stream);
        stream.closed();
        streams.remove(stream, how);
        numbers.closed(stream.id());
        int held = stream.unconsumed;
        stream.unconsumed = 0;
        flow.refund(held);
    }

    /// Closes a stream and tells its owner.
    void drop(Http2Stream stream, StreamTable.End how, int code) {
        if (stream.state() != StreamState.CLOSED) {
            close(stream, how);
            events.reset(stream, code);
        }
    }

    /// Drops all streams: the connection has failed.
    void dropAll(ErrorCode code) {
        for (Http2Stream stream : streams.all()) {
            drop(stream, StreamTable.End.RESET_HERE, code.code());
        }
    }

    /// Drops this side's streams beyond `last`, which the peer will not process.
    void refused(int last) {
        for (Http2Stream stream : streams.all()) {
            if (!numbers.isPeers(stream.id()) && stream.id() > last) {
                drop(stream, StreamTable.End.RESET_BY_PEER, ErrorCode.REFUSED_STREAM.code());
            }
        }
    }

    /// Closes all streams without a word to anybody: the transport has gone. What their owners
    /// consume later opens no window, as nobody drains the output.
    void abandonAll() {
        for (Http2Stream stream : streams.all()) {
            flow.remove(stream);
            stream.closed();
            stream.unconsumed = 0;
        }
    }

    /// Resets a stream, which may be unknown, for an error of the peer's (RFC 9113, 5.4.2). It
    /// counts as a reset of the peer's own: otherwise it could have this side reset streams without
    /// end.
    void error(int id, ErrorCode code) {
        resets.spend(1);
        FrameEncoder.rstStream(id, code, writer.out());
        Http2Stream stream = streams.get(id);
        if (stream != null) {
            drop(stream, StreamTable.End.RESET_HERE, code.code());
        } else {
            streams.remember(id, StreamTable.End.RESET_HERE);
        }
    }
}
