package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

/// Sends a streamed body: pulls from its source while the channel is writable, so that the client's
/// pace is the source's.
final class BodySender implements Sender {
    private static final int PIECE = 16 << 10;
    private static final int LARGE_PIECE = 64 << 10;

    private final Exchange exchange;
    private final ExchangeWire wire;
    private final BodySource source;

    /// Bytes that are pulled at a time.
    private final int size;

    private boolean pumping;
    private boolean woken;
    private boolean done;

    /// @param large whether it is worth to pull much at a time
    BodySender(Exchange exchange, ExchangeWire wire, Body.Stream body, boolean large) {
        this.exchange = exchange;
        this.wire = wire;
        this.source = body.source();
        this.size = large ? LARGE_PIECE : PIECE;
    }

    @Override
    public void start() {
        try {
            source.onWake(this::wake);
        } catch (Exception | Error e) {
            fail(e);
            return;
        }
        pump();
    }

    /// From any thread.
    private void wake() {
        try {
            wire.eventLoop().executeUnbounded(this::pump);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    /// Sends what the source has and the channel takes.
    @Override
    public void pump() {
        woken = true;
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            // What is sent may make room at once, which is told while this pumps.
            do {
                while (goesOn()) {
                    woken = passOn() || step();
                }
                if (!done) {
                    wire.send();
                }
            } while (goesOn());
        } catch (Exception | Error e) {
            fail(e);
        } finally {
            pumping = false;
        }
    }

    private boolean goesOn() {
        return !done && woken && wire.isWritable() && !wire.turn().isOver();
    }

    /// Writes bytes that the source has in a buffer, to be sent from there with what follows.
    ///
    /// @return whether it had some
    private boolean passOn() throws IOException {
        Buffer piece = wire.takesPieces() ? source.take(LARGE_PIECE) : null;
        if (piece == null) {
            return false;
        }
        int length = piece.readableBytes();
        wire.data(piece);
        exchange.sent(length);
        spend(length, true);
        return true;
    }

    private void spend(int most, boolean goesOn) {
        if (!wire.turn().spend(Turn.PIECE * Math.max(1, most / PIECE)) && !done && goesOn) {
            wire.turn().end();
        }
    }

    /// @return whether there may be more at once
    private boolean step() throws IOException {
        Buffer piece = wire.piece(size);
        BodySource.Step step;
        try {
            step = source.read(piece);
            if (step == BodySource.Step.MORE && !piece.isReadable()) {
                throw new IllegalStateException("MORE without a byte (expected: at least one)");
            }
        } catch (Throwable t) {
            piece.release();
            throw t;
        }
        int length = piece.readableBytes();
        wire.data(piece);
        exchange.sent(length);
        boolean more = step == BodySource.Step.MORE;
        if (step == BodySource.Step.END) {
            wire.end(source.trailers());
            close();
            exchange.bodySent();
        } else {
            wire.send();
        }
        spend(size, more);
        return more;
    }

    @Override
    public void close() {
        if (!done) {
            done = true;
            AnswerBodies.close(source);
        }
    }

    private void fail(Throwable cause) {
        close();
        exchange.bodyFailed(cause);
    }
}
