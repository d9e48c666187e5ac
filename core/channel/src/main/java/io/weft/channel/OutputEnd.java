package io.weft.channel;

/// The end of a channel's output, which waits for what handlers hold (design document 0047). Its
/// step is a byte of [Outbound], as an idle connection has no room for an object. Thread: the
/// channel's loop.
final class OutputEnd {
    // In order. It was asked for, and waits for what handlers hold; it is on its way through them;
    // it waits for what they hold then; nothing is taken any more.
    private static final byte ASKED = 1;
    private static final byte PASSED = 2;
    private static final byte WAITS = 3;
    private static final byte BEGUN = 4;

    private OutputEnd() {}

    static boolean isBegun(Outbound of) {
        return of.end == BEGUN;
    }

    /// Tells if handlers have ended their output, and hold nothing but its end.
    static boolean isEnding(Outbound of) {
        return of.end >= WAITS;
    }

    /// Asks for it: handlers hear of it when the channel is active and none of them holds anything.
    static void ask(Outbound of) {
        if (!of.channel.isActive()) {
            of.end = of.end == 0 ? ASKED : of.end;
        } else if (of.end <= PASSED && !isHeldUp(of, ASKED)) {
            of.end = PASSED;
            of.channel.pipeline().shutdownOutput();
        }
    }

    /// Ends writing, as handlers have. The channel hears of it when everything has been sent.
    static void begin(Outbound of) {
        if (of.end != BEGUN && !isHeldUp(of, WAITS)) {
            of.end = BEGUN;
            of.flush();
        }
    }

    /// Lets the end wait at `step` if handlers hold writes back: they pass them on first.
    private static boolean isHeldUp(Outbound of, byte step) {
        if (of.held > 0) {
            of.end = step;
            of.flush();
            goOnSoon(of);
        }
        return of.held > 0;
    }

    /// Handlers hold less than before. What was written meanwhile may wait for a flush.
    static void heldLess(Outbound of) {
        if (of.end == ASKED || of.end == WAITS) {
            goOnSoon(of);
        }
    }

    /// In a task of its own: a handler that holds less than before may be about to write that.
    private static void goOnSoon(Outbound of) {
        of.channel.eventLoop().engine().close(() -> goOn(of));
    }

    /// Goes on with an end that waited.
    static void goOn(Outbound of) {
        if (of.held > 0 && of.end != 0) {
            of.channel.pipeline().flush(); // some hold what is not flushed
        }
        if (of.held == 0 && of.end == ASKED) {
            ask(of);
        } else if (of.held == 0 && of.end == WAITS) {
            begin(of);
        }
    }

    /// A handler has left with bytes that it kept back. An end behind them would make what was sent
    /// look whole (RFC 9112, 8).
    static void lost(Outbound of) {
        if (of.end != 0 && of.end != BEGUN && of.channel.isActive()) {
            of.channel.life().closeNow(true);
        }
    }
}
