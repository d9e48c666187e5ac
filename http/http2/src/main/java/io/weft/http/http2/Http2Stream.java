package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// One stream of an [Http2Connection]: a request and its response. See [StreamState].
///
/// **Sending.** [#response] or [Http2Connection#request] first, then [#data] within [#room], then
/// [#end] or [#trailers]. Who has more than there is room for says [#wantsToSend], and waits for
/// [Http2Events#send]. After [#reset], or when the peer has reset the stream, everything but the
/// end's bookkeeping is ignored.
///
/// **Receiving.** The peer's window opens as [#consumed] is told: back-pressure is not telling it.
///
/// Thread: the connection's.
public final class Http2Stream {
    private final Http2Connection connection;
    private final int id;
    private StreamState state = StreamState.OPEN;
    private Priority priority = Priority.DEFAULT;
    private @Nullable Object attachment;

    /// Neighbour in the table.
    @Nullable Http2Stream next;

    /// The one behind in the scheduler's ring; null when it is in none.
    @Nullable Http2Stream behind;

    /// The scheduler's queue for its priority.
    int queue = Scheduler.queue(Priority.DEFAULT);

    /// Has something to send.
    boolean wants;

    /// Bytes that the peer takes; below 0 when it has taken credit back (6.9.2).
    int sendWindow;

    /// Bytes that the peer may send.
    int receiveWindow;

    /// Bytes that the receiver has and did not say it has consumed.
    int unconsumed;

    /// Bytes that were consumed and not yet given back to the peer's window.
    private int credit;

    /// Bytes that the connection's window has back, and the stream's not.
    private int withheld;

    /// Bytes that the peer may send beyond the stream's window, which is not given back until it
    /// has.
    private int ahead;

    /// The message's head has come; what follows are trailers.
    boolean headReceived;

    /// Content that is still to come as content-length said, or -1.
    long remaining = -1;

    /// The response to this request has no content, whatever its fields say: it was HEAD.
    boolean head;

    /// True if all input is dropped.
    boolean discards;

    /// Bytes of the request's head.
    int headBytes;

    private long sent;

    Http2Stream(Http2Connection connection, int id) {
        this.connection = connection;
        this.id = id;
    }

    /// Returns the number: odd for streams that the client opened.
    public int id() {
        return id;
    }

    /// Tells if the peer has opened the stream.
    boolean isPeers() {
        return connection.numbers().isPeers(id);
    }

    public StreamState state() {
        return state;
    }

    public Priority priority() {
        return priority;
    }

    /// Changes the order in which streams are served.
    public void priority(Priority value) {
        connection.flow().reschedule(this, value);
    }

    /// Returns the channels of the connection's streams that were cut off.
    CutStreams cutStreams() {
        return connection.cutStreams();
    }

    void setPriority(Priority value) {
        priority = value;
        queue = Scheduler.queue(value);
    }

    /// Returns what the owner has put here.
    public @Nullable Object attachment() {
        return attachment;
    }

    /// Keeps an object of the owner's.
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    /// Tells if something may be sent here.
    public boolean maySend() {
        return state.maySend();
    }

    /// Tells if the peer may send more.
    public boolean mayReceive() {
        return state.mayReceive();
    }

    /// Tells if there is something to send that the peer's windows have no room for.
    public boolean isBlocked() {
        return wants && room() == 0;
    }

    /// Returns the bytes of content that have been sent.
    public long sent() {
        return sent;
    }

    // ---- sending ----

    /// Sends the head of a response. Fields that concern a connection are left out.
    ///
    /// @param end whether it has neither content nor trailers; false for an interim one
    public void response(Status status, Headers headers, boolean end) {
        if (maySend()) {
            connection.writer().response(id, status, headers, -1, null, end);
            ended(end);
        }
    }

    /// Sends the head of a response as [#response(Status, Headers, boolean)] does, with
    /// Content-Length and Date where `headers` has none.
    ///
    /// @param contentLength left out for -1
    /// @param date left out for null
    public void response(
            Status status,
            Headers headers,
            long contentLength,
            @Nullable String date,
            boolean end) {
        if (maySend()) {
            connection.writer().response(id, status, headers, contentLength, date, end);
            ended(end);
        }
    }

    /// Returns the bytes of content that may be sent now, in one frame; 0 when the peer takes none.
    public int room() {
        return maySend() ? connection.flow().room(this) : 0;
    }

    /// Sends the readable bytes of `piece` as one frame, and takes it over. Many bytes are not
    /// copied: nobody may change them any more.
    ///
    /// @throws IllegalArgumentException when they are more than [#room]
    public void data(Buffer piece, boolean end) {
        int length = piece.readableBytes();
        if (isDue(length, end, piece)) {
            connection.writer().data(id, piece, end);
            sent(length, end);
        }
    }

    /// Sends the readable bytes of `piece` as [#data(Buffer, boolean)] does. The nine bytes before
    /// them may become the header of the frame: they must be nobody else's, as those of
    /// [OutgoingFrames#piece] are.
    ///
    /// @throws IllegalArgumentException when the readable bytes are more than [#room]
    public void frame(Buffer piece, boolean end) {
        int length = piece.readableBytes();
        if (isDue(length, end, piece)) {
            connection.writer().frame(id, piece, end);
            sent(length, end);
        }
    }

    /// Sends `length` bytes of `from`, beginning with that at `index`, as one frame. `from` stays
    /// the caller's, to be released: many bytes are not copied if it is the only owner.
    void data(Buffer from, int index, int length) {
        if (isDue(length, false, null)) {
            connection.writer().data(id, from, index, length);
            sent(length, false);
        }
    }

    /// Sends as many bytes of `body` from `offset` on as make a good frame.
    ///
    /// @param end whether the last byte of the body ends the message
    /// @return how many bytes; 0 when the peer takes none
    public int data(Body.Bytes body, int offset, boolean end) {
        int left = (int) body.length() - offset;
        int length = Math.min(Math.min(left, room()), connection.writer().room());
        boolean last = end && length == left;
        if (isDue(length, last, null)) {
            connection.writer().data(id, body, offset, length, last);
            sent(length, last);
        }
        return length;
    }

    /// Tells if a frame is to be written. If none is, `piece` is released.
    private boolean isDue(int length, boolean end, @Nullable Buffer piece) {
        // The peer may take empty frames for a flood.
        boolean due = maySend() && (length > 0 || end);
        int room = due ? connection.flow().room(this) : 0;
        boolean fits = length <= room;
        if (piece != null && !(due && fits)) {
            piece.release();
        }
        if (due && !fits) {
            throw new IllegalArgumentException(
                    "data: " + length + " (expected: at most " + room + ")");
        }
        return due;
    }

    private void sent(int length, boolean end) {
        if (length > 0) {
            Flow flow = connection.flow();
            flow.sending(this, length, length == flow.room(this));
            sent += length;
        }
        ended(end);
    }

    /// Ends the message.
    public void end() {
        if (maySend()) {
            connection.writer().end(id);
            ended(true);
        }
    }

    /// Ends the message with fields behind the content.
    public void trailers(Headers trailers) {
        if (maySend()) {
            connection.writer().trailers(id, trailers);
            ended(true);
        }
    }

    /// Asks for [Http2Events#send] when there is room, and it is this stream's turn.
    public void wantsToSend() {
        if (maySend()) {
            wants = true;
            connection.flow().schedule(this);
        }
    }

    /// Ends the stream at once. [Http2Events#reset] does not follow.
    public void reset(ErrorCode code) {
        if (state != StreamState.CLOSED) {
            FrameEncoder.rstStream(id, code, connection.writer().out());
            connection.resetSent();
            connection.ends().close(this, StreamTable.End.RESET_HERE);
        }
    }

    /// Tells that the receiver has consumed `bytes` of content, so that the peer may send as many.
    public void consumed(int bytes) {
        int done = Math.min(bytes, unconsumed);
        unconsumed -= done;
        refund(done);
    }

    /// Tells that the receiver keeps `bytes` of content in memory that is not the connection's:
    /// other streams may go on, this one not until [#letGo].
    public void keep(int bytes) {
        int kept = Math.min(bytes, unconsumed);
        unconsumed -= kept;
        withheld += kept;
        connection.flow().refund(kept);
    }

    /// Gives back what was kept from this stream's window.
    public void letGo() {
        int bytes = withheld;
        withheld = 0;
        widen(bytes);
    }

    /// Drops what comes in from now on, without a word to anybody. The stream's window does not
    /// open again.
    public void discard() {
        discards = true;
        connection.flow().refund(unconsumed);
        unconsumed = 0;
    }

    /// Gives bytes back to both windows.
    void refund(int bytes) {
        if (bytes > 0) {
            widen(bytes);
            connection.flow().refund(bytes);
        }
    }

    /// Lets the peer send `bytes` more, and what it has sent beyond that count no longer, while
    /// windows are [closed][Http2Connection#closeWindows].
    public void grant(int bytes) {
        ahead = 0;
        credit = 0;
        withheld = 0;
        int more = bytes - receiveWindow - connection.firstWindow().toCome();
        if (more > 0 && mayReceive()) {
            FrameEncoder.windowUpdate(id, more, connection.writer().out());
            receiveWindow += more;
        }
    }

    /// Grants the stream a whole window while windows are [closed][Http2Connection#closeWindows].
    public void grantWindow() {
        grant(connection.firstWindow().all() - unconsumed);
    }

    /// Windows are about to open: what the peer may send by grants is not given back a second time.
    void windowOpens() {
        int all = receiveWindow + connection.firstWindow().toCome();
        ahead = Math.max(0, all + unconsumed + credit + withheld - connection.firstWindow().all());
    }

    private void widen(int bytes) {
        int paid = Math.min(bytes, ahead);
        ahead -= paid;
        if (bytes > paid && mayReceive()) {
            credit += bytes - paid;
            int least = (connection.limits().streamWindow() + 1) / 2;
            if (connection.firstWindow().isClosed()) {
                // A grant may be small, and is counted without padding: it must not run dry.
                least = Math.clamp(receiveWindow + connection.firstWindow().toCome(), 1, least);
            }
            if (credit >= least) {
                FrameEncoder.windowUpdate(id, credit, connection.writer().out());
                receiveWindow += credit;
                credit = 0;
            }
        }
    }

    // ---- the state ----

    private void ended(boolean end) {
        if (!end || !maySend()) {
            return;
        }
        wants = false;
        if (state == StreamState.HALF_CLOSED_REMOTE) {
            connection.ends().close(this, StreamTable.End.COMPLETE);
        } else {
            state = StreamState.HALF_CLOSED_LOCAL;
        }
    }

    /// This side has sent everything, in the head already.
    void endSent() {
        ended(true);
    }

    /// The peer has sent everything.
    void endReceived() {
        if (state == StreamState.HALF_CLOSED_LOCAL) {
            connection.ends().close(this, StreamTable.End.COMPLETE);
        } else if (state == StreamState.OPEN) {
            state = StreamState.HALF_CLOSED_REMOTE;
        }
    }

    void closed() {
        state = StreamState.CLOSED;
        wants = false;
    }

    @Override
    public String toString() {
        return "stream " + id + " " + state;
    }
}
