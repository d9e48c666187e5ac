package io.weft.http.http2;

/// Settings of the peer: those in force, and the effect of a change on streams that are open.
final class PeerSettings {
    private final Http2Connection.Role role;
    private final Writer writer;
    private final Flow flow;
    private final StreamTable streams;
    private Settings inForce = Settings.EMPTY;
    private boolean settled;

    /// @param role of this side
    PeerSettings(Http2Connection.Role role, Writer writer, Flow flow, StreamTable streams) {
        this.role = role;
        this.writer = writer;
        this.flow = flow;
        this.streams = streams;
    }

    /// Returns the settings in force; initial values before any have come.
    Settings inForce() {
        return inForce;
    }

    /// Tells if the peer's settings have come.
    boolean isSettled() {
        return settled;
    }

    /// The peer's settings have come.
    void settle() {
        settled = true;
    }

    /// Puts settings in force.
    ///
    /// @throws Http2Exception when the peer may not have them
    void adopt(Settings changed) {
        if (role == Http2Connection.Role.CLIENT
                && changed.get(Setting.ENABLE_PUSH) == 1
                && changed.has(Setting.ENABLE_PUSH)) {
            throw new Http2Exception(
                    ErrorCode.PROTOCOL_ERROR, "ENABLE_PUSH: 1 (expected: 0 of a server)");
        }
        long before = inForce.get(Setting.INITIAL_WINDOW_SIZE);
        if (inForce.get(Setting.ENABLE_CONNECT_PROTOCOL) == 1
                && changed.has(Setting.ENABLE_CONNECT_PROTOCOL)
                && changed.get(Setting.ENABLE_CONNECT_PROTOCOL) == 0) {
            throw new Http2Exception(
                    ErrorCode.PROTOCOL_ERROR,
                    "ENABLE_CONNECT_PROTOCOL: 0 (expected: 1, as before)");
        }
        inForce = inForce.with(changed);
        writer.settings(changed);
        long more = inForce.get(Setting.INITIAL_WINDOW_SIZE) - before;
        if (more != 0) {
            widen(more);
        }
    }

    private void widen(long more) {
        for (Http2Stream stream : streams.all()) {
            if (!flow.widen(stream, more)) {
                throw new Http2Exception(
                        ErrorCode.FLOW_CONTROL_ERROR,
                        "INITIAL_WINDOW_SIZE: makes a window too large (expected: < 2^31)");
            }
        }
    }
}
