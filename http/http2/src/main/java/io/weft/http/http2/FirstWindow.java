package io.weft.http.http2;

/// The window that a stream of the peer's begins with (RFC 9113, 6.9.2), which SETTINGS changes for
/// open streams, too: all of it, or nothing, where each stream is granted one of its own.
///
/// A change is in force when the peer has acknowledged it; there is one at a time.
final class FirstWindow {
    private final int all;
    private int wanted;
    private int announced;
    private int inForce;

    /// SETTINGS were sent that are not acknowledged.
    private boolean pending = true;

    FirstWindow(int all) {
        this.all = all;
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

    /// Tells if the peer may still send what is to be taken back.
    boolean isClosing() {
        return wanted == 0 && inForce != 0;
    }

    boolean isPending() {
        return pending;
    }

    void want(boolean open) {
        wanted = open ? all : 0;
    }

    /// Tells if SETTINGS are to be sent with what is [#wanted][#want].
    boolean announce() {
        if (pending || wanted == announced) {
            return false;
        }
        pending = true;
        announced = wanted;
        return true;
    }

    /// Returns the value that SETTINGS tell.
    int announced() {
        return announced;
    }

    /// The peer has acknowledged SETTINGS.
    ///
    /// @return the bytes by which the windows of open streams have changed
    int acknowledged() {
        int change = announced - inForce;
        inForce = announced;
        pending = false;
        return change;
    }
}
