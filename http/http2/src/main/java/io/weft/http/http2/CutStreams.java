package io.weft.http.http2;

import java.util.ArrayDeque;

/// The channels of streams that were cut off before their time, until they close: they read what
/// had arrived first, or have not sent anything since.
///
/// Such streams count no longer among those that a peer may have open, and their content is out of
/// the windows. So a peer that resets them could make this side keep any number. As many are kept
/// as may be open, with as much content as the connection's window has room for: beyond that the
/// oldest fail at once. Thread: the connection's.
final class CutStreams {
    private final int most;
    private final int mostBytes;

    /// Oldest first.
    private final ArrayDeque<Http2StreamHandle> channels = new ArrayDeque<>();

    CutStreams(Http2Limits limits) {
        this.most = limits.streams();
        this.mostBytes = limits.connectionWindow();
    }

    void add(Http2StreamHandle channel) {
        channels.add(channel);
        while (channels.size() > most || (channels.size() > 1 && bytes() > mostBytes)) {
            channels.removeFirst().fail();
        }
    }

    void remove(Http2StreamHandle channel) {
        channels.remove(channel);
    }

    private long bytes() {
        long sum = 0;
        for (Http2StreamHandle each : channels) {
            sum += each.unread();
        }
        return sum;
    }
}
