package io.weft.http.http2;

import java.util.function.BooleanSupplier;

/// Flow control of a connection (RFC 9113, 5.2 and 6.9), and the streams that wait to send.
final class Flow {
    private final Http2Limits limits;
    private final Writer writer;
    private final Budget oddities;
    private final Scheduler scheduler = new Scheduler();

    /// Bytes that the peer takes of all streams together.
    private int sendWindow = Http2Connection.DEFAULT_WINDOW;

    /// Bytes that the peer may send.
    private int receiveWindow;

    /// Bytes that were consumed and not yet given back.
    private int credit;

    /// The window stays as it is for now.
    private boolean held;

    private boolean serving;

    Flow(Http2Limits limits, Writer writer, Budget oddities) {
        this.limits = limits;
        this.writer = writer;
        this.oddities = oddities;
        this.receiveWindow = limits.connectionWindow();
    }

    /// As [Http2Connection#serve].
    void serve(Http2Events events, BooleanSupplier goesOn) {
        if (serving) {
            return;
        }
        serving = true;
        try {
            while (hasMoreToSend() && goesOn.getAsBoolean()) {
                Http2Stream stream = scheduler.next();
                if (stream != null) {
                    stream.wants = false; // or it says so again
                    events.send(stream);
                }
            }
        } finally {
            serving = false;
        }
    }

    boolean hasMoreToSend() {
        return sendWindow > 0 && !scheduler.isEmpty();
    }

    void remove(Http2Stream stream) {
        scheduler.remove(stream);
    }

    int room(Http2Stream stream) {
        return Math.max(0, Math.min(Math.min(stream.sendWindow, sendWindow), writer.maxFrame()));
    }

    /// Counts a frame of DATA. What is of use to the peer earns credit for what it may cause.
    ///
    /// @param cut whether the peer's windows may have cut it short
    void sending(Http2Stream stream, int length, boolean cut) {
        stream.sendWindow -= length;
        sendWindow -= length;
        if (!cut || length >= 512) {
            oddities.earn(3);
        }
    }

    void schedule(Http2Stream stream) {
        if (stream.wants && stream.sendWindow > 0) {
            scheduler.add(stream);
        }
    }

    void reschedule(Http2Stream stream, Priority priority) {
        boolean queued = stream.behind != null;
        scheduler.remove(stream);
        stream.setPriority(priority);
        if (queued) {
            scheduler.add(stream);
        }
    }

    /// Takes bytes that have arrived off the connection's window (6.9.1).
    void arrived(int bytes) {
        if (bytes > receiveWindow) {
            throw new Http2Exception(
                    ErrorCode.FLOW_CONTROL_ERROR,
                    "data: " + bytes + " (expected: at most " + receiveWindow + ", the window)");
        }
        receiveWindow -= bytes;
    }

    /// Keeps the window from opening, or ends that.
    void hold(boolean on) {
        held = on;
        refund(0);
    }

    /// Gives bytes back to the connection's window.
    void refund(int bytes) {
        credit += bytes;
        if (credit >= limits.connectionWindow() / 2 && !held) {
            FrameEncoder.windowUpdate(0, credit, writer.out());
            receiveWindow += credit;
            credit = 0;
        }
    }

    /// The peer takes more bytes of all streams.
    void widen(int increment) {
        if (increment > Integer.MAX_VALUE - Math.max(sendWindow, 0)) {
            throw new Http2Exception(
                    ErrorCode.FLOW_CONTROL_ERROR,
                    "window: " + ((long) sendWindow + increment) + " (expected: at most 2^31-1)");
        }
        sendWindow += increment;
    }

    /// The peer takes more bytes of a stream.
    ///
    /// @return false when that are too many
    boolean widen(Http2Stream stream, long increment) {
        if (stream.sendWindow + increment > Integer.MAX_VALUE) {
            return false;
        }
        stream.sendWindow = (int) (stream.sendWindow + increment);
        if (stream.sendWindow > 0) {
            schedule(stream);
        } else {
            scheduler.remove(stream);
        }
        return true;
    }
}
