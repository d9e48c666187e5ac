package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.http.hpack.HpackException;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One side of an HTTP/2 connection (RFC 9113) as a pure machine: it knows no channel, no thread
/// and no clock but what it is given.
///
/// ```java
/// Http2Connection h2 = new Http2Connection(Role.SERVER, limits, clock, this::out, events);
/// h2.start();                                  // writes SETTINGS
/// h2.receive(bytes);                           // events.request(stream, head, end), ...
/// stream.response(Status.OK, headers, false);  // within events, or later
/// stream.wantsToSend();
/// h2.serve(channel::isWritable);               // events.send(stream): stream.data(piece, end)
/// flush(out);
/// ```
///
/// **Output.** Frames are written to the end of the buffer that the supplier returns, one behind
/// the other; the owner sends it whenever it likes, best behind a batch of calls.
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

    /// The opaque data of the PING between the two GOAWAYs of [#shutdown].
    private static final long SHUTDOWN_PING = 0x57454654_474F4E45L;

    static final int DEFAULT_WINDOW = 65_535;

    /// Times [Http2Limits#headerSection] that the heads of open requests may have together.
    private static final int HEADS = 8;

    private final Role role;
    private final Http2Limits limits;
    private final Http2Events events;
    private final Writer writer;
    private final Inbound inbound;
    private final StreamTable streams = new StreamTable();
    private final Flow flow;
    private final FirstWindow firstWindow;
    private final PeerSettings peer;
    private final Budget resets;
    private final Budget oddities;
    private final Cumulation input = new Cumulation();

    private int nextStream;

    /// The highest stream that the peer has opened.
    private int lastPeerStream;

    private int localStreams;
    private boolean failed;

    /// The decoder is on the stack, and reads the input.
    private boolean decoding;

    /// The owner has given up within an event: the input goes when the decoder has returned.
    private boolean closed;

    /// Of the heads of all requests that are open.
    private int headBytes;

    /// The highest stream of the peer's that is processed; those beyond were refused by GOAWAY.
    private int acceptedStream = Integer.MAX_VALUE;

    private boolean shuttingDown;

    /// The peer takes no more streams of this side.
    private boolean goneAway;

    /// @param clock nanoseconds, for budgets; a coarse one will do
    /// @param out returns the buffer that frames are written to
    public Http2Connection(
            Role role,
            Http2Limits limits,
            LongSupplier clock,
            Supplier<Buffer> out,
            Http2Events events) {
        this.role = role;
        this.limits = limits;
        this.events = events;
        this.writer = new Writer(out);
        this.nextStream = role == Role.CLIENT ? 1 : 2;
        long period = limits.period().toNanos();
        this.resets = new Budget("streams reset", limits.resets(), period, clock);
        this.oddities = new Budget("frames without use", limits.oddities(), period, clock);
        this.flow = new Flow(limits, writer, oddities);
        this.firstWindow = new FirstWindow(limits.streamWindow());
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
        for (Http2Stream stream : streams.all()) {
            flow.remove(stream);
            stream.closed();
        }
    }

    /// Breaks the connection off: writes GOAWAY, then resets all streams.
    public void fail(Http2Exception cause) {
        if (failed) {
            return;
        }
        failed = true;
        FrameEncoder.goAway(lastPeerStream, cause.code(), brief(cause.getMessage()), writer.out());
        events.failed(cause);
        for (Http2Stream stream : streams.all()) {
            drop(stream, StreamTable.End.RESET_HERE, cause.code().code());
        }
    }

    private static String brief(@Nullable String message) {
        String text = String.valueOf(message);
        StringBuilder ascii = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), 120); i++) {
            char c = text.charAt(i);
            ascii.append(c >= 0x20 && c < 0x7F ? c : '?');
        }
        return ascii.toString();
    }

    /// Tells if [#fail] has been called, or the peer had to be cut off.
    public boolean isFailed() {
        return failed;
    }

    /// Begins to end the connection without losing a request (6.8): GOAWAY for all streams that the
    /// peer may have opened, and when it has certainly read that, one with the last stream.
    public void shutdown() {
        if (!shuttingDown && !failed) {
            shuttingDown = true;
            FrameEncoder.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "", writer.out());
            FrameEncoder.ping(false, SHUTDOWN_PING, writer.out());
        }
    }

    /// Refuses streams that come from now on. [#shutdown] does so by itself when the peer answers.
    public void finishShutdown() {
        if (acceptedStream == Integer.MAX_VALUE && !failed) {
            shuttingDown = true;
            acceptedStream = lastPeerStream;
            FrameEncoder.goAway(lastPeerStream, ErrorCode.NO_ERROR, "", writer.out());
        }
    }

    /// Tells if no stream is open, and none can come.
    public boolean isDrained() {
        return streams.size() == 0
                && (failed
                        || acceptedStream != Integer.MAX_VALUE
                        || (goneAway && role == Role.CLIENT));
    }

    /// Tells if [#shutdown] has been called.
    public boolean isShuttingDown() {
        return shuttingDown;
    }

    /// Writes PING; [Http2Events#pong] follows.
    public void ping(long data) {
        FrameEncoder.ping(false, data, writer.out());
    }

    /// Returns the number of streams that are open.
    public int openStreams() {
        return streams.size();
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
        seen(1);
        Http2Stream stream = add(1);
        stream.headReceived = true;
        stream.endReceived();
        events.request(stream, head, true);
    }

    // ---- streams ----

    /// Tells if the peer takes one more stream now. Clients only.
    public boolean mayOpen() {
        return !failed
                && !goneAway
                && !shuttingDown
                && nextStream > 0
                && localStreams < peer.inForce().get(Setting.MAX_CONCURRENT_STREAMS);
    }

    /// Tells if no stream can be opened any more, whatever happens. Clients only.
    public boolean isGoingAway() {
        return failed || goneAway || shuttingDown || nextStream < 0;
    }

    /// Opens a stream with a request. Clients only.
    ///
    /// @param end whether it has neither content nor trailers
    /// @throws IllegalStateException unless [#mayOpen]
    public Http2Stream request(RequestHead head, boolean end) {
        if (!mayOpen()) {
            throw new IllegalStateException(
                    "streams: " + localStreams + " (expected: the peer to take one more)");
        }
        Http2Stream stream = add(nextStream);
        nextStream += 2; // overflows below 0 behind the last one
        localStreams++;
        stream.head = head.method() == Method.HEAD;
        stream.priority(Priority.of(head.headers().first(HeaderName.PRIORITY)));
        writer.request(stream.id(), head, end);
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
        firstWindow.want(false);
        announceWindow();
    }

    /// Ends [#closeWindows]: all streams have their windows again.
    public void openWindows() {
        if (firstWindow.isClosed()) {
            firstWindow.want(true);
            for (Http2Stream stream : streams.all()) {
                stream.windowOpens();
            }
            announceWindow();
        }
    }

    /// Tells if the peer has settings of this side to acknowledge.
    public boolean awaitsAcknowledgement() {
        return firstWindow.isPending();
    }

    private void announceWindow() {
        if (firstWindow.announce()) {
            Settings change =
                    Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, firstWindow.announced());
            FrameEncoder.settings(change, writer.out());
        }
        flow.hold(firstWindow.isClosing());
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

    int lastPeerStream() {
        return lastPeerStream;
    }

    /// Tells if streams of the peer's beyond the last one are dropped unprocessed.
    boolean refuses(int stream) {
        return stream > acceptedStream;
    }

    boolean isPeers(int stream) {
        return (stream & 1) == (role == Role.SERVER ? 1 : 0);
    }

    /// Tells if the stream is one that was never opened (5.1.1).
    boolean isIdle(int stream) {
        return isPeers(stream) ? stream > lastPeerStream : stream >= nextStream && nextStream > 0;
    }

    /// The peer has named a new stream, which may be refused.
    void seen(int stream) {
        lastPeerStream = stream;
    }

    Http2Stream add(int id) {
        Http2Stream stream = new Http2Stream(this, id);
        stream.sendWindow = (int) peer.inForce().get(Setting.INITIAL_WINDOW_SIZE);
        stream.receiveWindow = firstWindow.inForce();
        streams.add(stream);
        return stream;
    }

    /// Tells if there is memory for a request with such a head beside those that are open.
    boolean hasRoomForHead(int bytes) {
        return headBytes == 0 || headBytes + bytes <= HEADS * limits.headerSection();
    }

    void heldHead(Http2Stream stream, int bytes) {
        stream.headBytes = bytes;
        headBytes += bytes;
    }

    /// The stream is over on both sides.
    void close(Http2Stream stream, StreamTable.End how) {
        if (stream.state() == StreamState.CLOSED) {
            return;
        }
        flow.remove(stream);
        stream.closed();
        streams.remove(stream, how);
        if (!isPeers(stream.id())) {
            localStreams--;
        }
        headBytes -= stream.headBytes;
        stream.headBytes = 0;
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

    /// The peer has made an error of a stream, which may be unknown (5.4.2). It counts as a reset
    /// of the peer's own: otherwise it could have this side reset streams without end.
    void streamError(int id, ErrorCode code) {
        resets.spend(1);
        FrameEncoder.rstStream(id, code, writer.out());
        Http2Stream stream = streams.get(id);
        if (stream != null) {
            drop(stream, StreamTable.End.RESET_HERE, code.code());
        } else {
            streams.remember(id, StreamTable.End.RESET_HERE);
        }
    }

    // ---- settings and the end ----

    /// Takes over the peer's settings, and acknowledges them.
    void settings(Settings changed) {
        peer.adopt(changed);
        peer.settle();
        FrameEncoder.settingsAck(writer.out());
        events.settings(peer.inForce());
    }

    /// The peer has acknowledged this side's settings, among them the size of windows.
    ///
    /// @return false when there were none to acknowledge
    boolean acknowledged() {
        if (!firstWindow.isPending()) {
            return false;
        }
        int change = firstWindow.acknowledged();
        if (change != 0) {
            for (Http2Stream stream : streams.all()) {
                stream.receiveWindow += change;
            }
        }
        announceWindow();
        return true;
    }

    void pong(long data) {
        if (data == SHUTDOWN_PING && shuttingDown) {
            finishShutdown();
        } else {
            events.pong(data);
        }
    }

    void goAway(int lastStream, int code) {
        goneAway = true;
        events.goAway(lastStream, code);
        for (Http2Stream stream : streams.all()) {
            if (!isPeers(stream.id()) && stream.id() > lastStream) {
                drop(stream, StreamTable.End.RESET_BY_PEER, ErrorCode.REFUSED_STREAM.code());
            }
        }
    }
}
