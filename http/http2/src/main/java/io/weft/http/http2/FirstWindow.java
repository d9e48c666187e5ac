package io.weft.http.http2;

/// The window that a stream of the peer's begins with (RFC 9113, 6.9.2), which SETTINGS changes for
/// open streams, too: all of it, or nothing, where each stream is granted one of its own.
///
/// A change is in force when the peer has acknowledged it; there is one at a time.
final class FirstWindow {
    private final int all;
    private final Writer writer;
    private final Flow flow;
    private final StreamTable streams;
    private int wanted;
    private int announced;
    private int inForce;

    /// SETTINGS were sent that are not acknowledged.
    private boolean pending = true;

    /// Counts SETTINGS that were acknowledged.
    private int acknowledgements;

    FirstWindow(int all, Writer writer, Flow flow, StreamTable streams) {
        this.all = all;
        this.writer = writer;
        this.flow = flow;
        this.streams = streams;
        this.wanted = all;
        this.announced = all;
        // Until it has acknowledged our settings the peer may go by the initial value.
        this.inForce = Math.max(all, Http2Connection.DEFAULT_WINDOW);
    }

    /// Returns the window that a stream has which begins now.
    int inForce() {
        return inForce;
    }

    /// Returns the bytes by which windows will have changed when the peer has acknowledged
    /// everything.
    int toCome() {
        return wanted - inForce;
    }

    int all() {
        return all;
    }

    /// Tells if streams begin with nothing, now or soon.
    boolean isClosed() {
        return wanted == 0;
    }

    /// Tells if SETTINGS were sent that the peer has not acknowledged.
    boolean isPending() {
        return pending;
    }

    /// As [Http2Connection#acknowledgements].
    int acknowledgements() {
        return acknowledgements;
    }

    /// As [Http2Connection#closeWindows].
    void close() {
        wanted = 0;
        announce();
    }

    /// As [Http2Connection#openWindows].
    void open() {
        if (isClosed()) {
            wanted = all;
            for (Http2Stream stream : streams.all()) {
                stream.windowOpens();
            }
            announce();
        }
    }

    /// Tells the peer what is wanted, unless it has an earlier change to acknowledge. While it may
    /// still send what is to be taken back, the connection's window is held.
    private void announce() {
        if (!pending && wanted != announced) {
            pending = true;
            announced = wanted;
            FrameEncoder.settings(
                    Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, announced), writer.out());
        }
        flow.hold(wanted == 0 && inForce != 0);
    }

    /// Changes the windows of open streams: the peer has acknowledged SETTINGS.
    ///
    /// @return false when there were none to acknowledge
    boolean acknowledged() {
        if (!pending) {
            return false;
        }
        int change = announced - inForce;
        inForce = announced;
        pending = false;
        acknowledgements++;
        if (change != 0) {
            for (Http2Stream stream : streams.all()) {
                stream.receiveWindow += change;
            }
        }
        announce();
        return true;
    }
}
