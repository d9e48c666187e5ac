package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.http.hpack.HpackException;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One side of an HTTP/2 connection (RFC 9113) as a pure machine: it knows no channel, no thread
/// and no clock but what it is given.
///
/// ```java
/// Http2Connection h2 = new Http2Connection(Role.SERVER, limits, clock, frames, events);
/// h2.start();                                  // writes SETTINGS
/// h2.receive(bytes);                           // events.request(stream, head, end), ...
/// stream.response(Status.OK, headers, false);  // within events, or later
/// stream.wantsToSend();
/// h2.serve(channel::isWritable);               // events.send(stream): stream.data(piece, end)
/// frames.drainTo(channel::write);
/// ```
///
/// **Output.** Frames go to a [FrameOutput], one behind the other; the owner sends them whenever it
/// likes, best behind a batch of calls.
///
/// **Errors.** What the peer does wrong to a stream resets that; what is wrong with the connection,
/// or exhausts a budget of [Http2Limits], is told by [Http2Events#failed] when GOAWAY is written.
///
/// Thread: one at a time, never again within [#receive].
public final class Http2Connection {
    /// The sides of a connection.
    public enum Role {
        CLIENT,
        SERVER
    }

    static final int DEFAULT_WINDOW = 65_535;

    /// Work after which events are told: some 500 small frames, or 8 KiB of field sections.
    private static final int MUCH_WORK = 16 << 10;

    private final Role role;
    private final Http2Limits limits;
    private final Http2Events events;
    private final Writer writer;
    private final Inbound inbound;
    private final StreamTable streams = new StreamTable();
    private final StreamNumbers numbers;
    private final Shutdown shutdown;
    private final StreamEnds ends;
    private final Flow flow;
    private final FirstWindow firstWindow;
    private final PeerSettings peer;
    private final Budget resets;
    private final Budget oddities;
    private final Cumulation input = new Cumulation();

    /// Null before the first.
    private @Nullable CutStreams cutStreams;

    private long resetsSent;

    private boolean failed;

    /// Since events were told.
    private int work;

    /// The decoder is on the stack, and reads the input.
    private boolean decoding;

    /// The owner has given up within an event: the input goes when the decoder has returned.
    private boolean closed;

    /// @param clock nanoseconds, for budgets; a coarse one will do
    /// @param out takes the frames
    public Http2Connection(
            Role role,
            Http2Limits limits,
            LongSupplier clock,
            FrameOutput out,
            Http2Events events) {
        this.role = role;
        this.limits = limits;
        this.events = events;
        this.writer = new Writer(out);
        this.numbers = new StreamNumbers(role);
        this.shutdown = new Shutdown(numbers, writer);
        long period = limits.period().toNanos();
        this.resets = new Budget("streams reset", limits.resets(), period, clock);
        this.oddities = new Budget("frames without use", limits.oddities(), period, clock);
        this.flow = new Flow(limits, writer, oddities);
        this.firstWindow = new FirstWindow(limits.streamWindow(), writer, flow, streams);
        this.ends = new StreamEnds(streams, numbers, flow, resets, writer, events);
        this.peer = new PeerSettings(role, writer, flow, streams);
        this.inbound = new Inbound(this, events);
    }

    // ---- the connection ----

    /// Begins: writes the client's preface, and SETTINGS (RFC 9113, 3.4). Once, first.
    public void start() {
        Buffer out = writer.out();
        if (role == Role.CLIENT) {
            Preface.write(out);
        }
        FrameEncoder.settings(Settings.initial(role, limits), out);
        int more = limits.connectionWindow() - DEFAULT_WINDOW;
        if (more > 0) {
            FrameEncoder.windowUpdate(0, more, out);
        }
    }

    /// Takes bytes from the peer; `in` is this object's from now on. While it is paused, they wait.
    public void receive(Buffer in) {
        if (failed) {
            in.release();
            return;
        }
        decode(input.add(in));
    }

    /// Makes [#receive] return behind the event that is being told, and keep what is left until
    /// [#resume].
    public void pause() {
        inbound.pause();
    }

    /// Ends a [#pause], and goes on with what waits. Not within [#receive].
    public void resume() {
        inbound.resume();
        Buffer in = input.bytes();
        if (in != null && !failed) {
            decode(in);
        }
    }

    /// Returns the number of bytes that are not decoded yet: of an incomplete frame, or because of
    /// a [#pause].
    public int undecoded() {
        return input.size();
    }

    private void decode(Buffer in) {
        decoding = true;
        try {
            inbound.decode(in);
        } catch (Http2Exception e) {
            fail(e);
        } catch (HpackException e) {
            fail(new Http2Exception(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage())));
        } catch (DecoderException e) {
            fail(new Http2Exception(ErrorCode.PROTOCOL_ERROR, String.valueOf(e.getMessage())));
        } finally {
            decoding = false;
            if (closed) {
                input.release();
            } else {
                input.trim();
            }
        }
    }

    /// Gives up what is held of the input, and all streams without a word to anybody: the transport
    /// has gone. Within an event, nothing behind that is told.
    public void close() {
        failed = true;
        closed = true;
        if (!decoding) {
            input.release();
        }
        ends.abandonAll();
    }

    /// Breaks the connection off: writes GOAWAY, then resets all streams.
    public void fail(Http2Exception cause) {
        if (failed) {
            return;
        }
        failed = true;
        FrameEncoder.goAway(shutdown.last(), cause.code(), cause.brief(), writer.out());
        events.failed(cause);
        ends.dropAll(cause.code());
    }

    /// Tells if [#fail] has been called, or the peer had to be cut off.
    public boolean isFailed() {
        return failed;
    }

    /// Begins to end the connection without losing a request (6.8): GOAWAY for all streams that the
    /// peer may have opened, and when it has certainly read that, one with the last stream.
    public void shutdown() {
        if (!failed) {
            shutdown.begin();
        }
    }

    /// Refuses streams that come from now on. [#shutdown] does so by itself when the peer answers.
    public void finishShutdown() {
        if (!failed) {
            shutdown.finish();
        }
    }

    /// Tells if no stream is open, and none can come.
    public boolean isDrained() {
        return streams.size() == 0
                && (failed
                        || shutdown.isFinished()
                        || (shutdown.isByPeer() && role == Role.CLIENT));
    }

    /// Tells if [#shutdown] has been called.
    public boolean isShuttingDown() {
        return shutdown.isBegun();
    }

    /// Writes PING; [Http2Events#pong] follows.
    public void ping(long data) {
        FrameEncoder.ping(false, data, writer.out());
    }

    /// Returns the number of streams that are open.
    public int openStreams() {
        return streams.size();
    }

    /// Returns the number of streams that were [reset][Http2Stream#reset] by this side's owner.
    /// Peers bound it, as [Http2Limits#resets] does.
    public long resetsSent() {
        return resetsSent;
    }

    void resetSent() {
        resetsSent++;
    }

    /// Returns all open streams.
    public Http2Stream[] streams() {
        return streams.all();
    }

    /// Returns the peer's settings; initial values before they have come.
    public Settings peerSettings() {
        return peer.inForce();
    }

    /// Tells if the peer's settings have come.
    public boolean isSettled() {
        return peer.isSettled();
    }

    /// Counts something useless that the peer made its owner do.
    ///
    /// @param cost of [Http2Limits#oddities]
    public void spend(int cost) {
        try {
            oddities.spend(cost);
        } catch (Http2Exception e) {
            fail(e);
        }
    }

    /// Takes a connection over from HTTP/1.1, whose client has asked for HTTP/2 (RFC 7540, 3.2):
    /// its request is stream 1. Behind [#start], before anything is received; servers only.
    ///
    /// @param settings of the field HTTP2-Settings
    /// @param head of a request without content
    public void upgrade(Settings settings, RequestHead head) {
        peer.adopt(settings);
        numbers.seen(1);
        Http2Stream stream = add(1);
        stream.headReceived = true;
        stream.endReceived();
        events.request(stream, head, true);
    }

    // ---- streams ----

    /// Tells if the peer takes one more stream now. Clients only.
    public boolean mayOpen() {
        return !isGoingAway()
                && numbers.openHere() < peer.inForce().get(Setting.MAX_CONCURRENT_STREAMS);
    }

    /// Tells if no stream can be opened any more, whatever happens. Clients only.
    public boolean isGoingAway() {
        return failed || shutdown.isByPeer() || shutdown.isBegun() || numbers.areUsedUp();
    }

    /// Opens a stream with a request. Clients only.
    ///
    /// @param end whether it has neither content nor trailers
    /// @throws IllegalStateException unless [#mayOpen]
    public Http2Stream request(RequestHead head, boolean end) {
        if (!mayOpen()) {
            throw new IllegalStateException(
                    "streams: " + numbers.openHere() + " (expected: the peer to take one more)");
        }
        Http2Stream stream = add(numbers.open());
        stream.head = head.method() == Method.HEAD;
        stream.priority(Priority.of(head.headers().first(HeaderName.PRIORITY)));
        try {
            writer.request(stream.id(), head, end);
        } catch (Throwable t) {
            ends.close(stream, StreamTable.End.RESET_HERE); // the peer has not heard of it
            throw t;
        }
        if (end) {
            stream.endSent();
        }
        return stream;
    }

    /// Lets streams send that want to, in the order of their priorities, while the peer takes bytes
    /// and `goesOn`. To be called behind a batch of events, and when the transport takes more.
    public void serve(BooleanSupplier goesOn) {
        flow.serve(events, () -> !failed && goesOn.getAsBoolean());
    }

    /// Tells if a stream wants to send, and the peer takes bytes of it.
    public boolean hasMoreToSend() {
        return flow.hasMoreToSend();
    }

    // ---- the windows of streams ----

    /// Takes back what the peer may send on open streams, and has streams that it opens begin with
    /// nothing (6.9.2): each sends what it [is granted][Http2Stream#grant]. Until the peer has
    /// acknowledged that, the connection's window does not open, so that what was under way is
    /// bounded by it.
    public void closeWindows() {
        firstWindow.close();
    }

    /// Ends [#closeWindows]: all streams have their windows again.
    public void openWindows() {
        firstWindow.open();
    }

    /// Tells if the peer has settings of this side to acknowledge.
    public boolean awaitsAcknowledgement() {
        return firstWindow.isPending();
    }

    /// Returns the number of times that the peer has acknowledged settings of this side.
    public int acknowledgements() {
        return firstWindow.acknowledgements();
    }

    FirstWindow firstWindow() {
        return firstWindow;
    }

    // ---- for streams and what comes in ----

    Role role() {
        return role;
    }

    Http2Limits limits() {
        return limits;
    }

    Flow flow() {
        return flow;
    }

    Writer writer() {
        return writer;
    }

    StreamTable table() {
        return streams;
    }

    Budget resets() {
        return resets;
    }

    Budget oddities() {
        return oddities;
    }

    /// Counts what was decoded, and tells events when it has become much.
    void work(int cost) {
        work += cost;
        if (work >= MUCH_WORK) {
            work = 0;
            events.worked();
        }
    }

    StreamNumbers numbers() {
        return numbers;
    }

    StreamEnds ends() {
        return ends;
    }

    /// Tells if the stream is one of the peer's that is dropped unprocessed.
    boolean refuses(int stream) {
        return shutdown.refuses(stream);
    }

    CutStreams cutStreams() {
        CutStreams there = cutStreams;
        if (there == null) {
            there = new CutStreams(limits);
            cutStreams = there;
        }
        return there;
    }

    Http2Stream add(int id) {
        Http2Stream stream = new Http2Stream(this, id);
        stream.sendWindow = (int) peer.inForce().get(Setting.INITIAL_WINDOW_SIZE);
        stream.receiveWindow = firstWindow.inForce();
        streams.add(stream);
        return stream;
    }

    // ---- settings and the end ----

    /// Takes over the peer's settings, and acknowledges them.
    void settings(Settings changed) {
        peer.adopt(changed);
        peer.settle();
        FrameEncoder.settingsAck(writer.out());
        events.settings(peer.inForce());
    }

    void pong(long data) {
        if (!shutdown.answered(data)) {
            events.pong(data);
        }
    }

    void goAway(Http2Frame.GoAway away) {
        shutdown.byPeer();
        events.goAway(away.lastStream(), away.code(), away.debug());
        ends.refused(away.lastStream());
    }
}
