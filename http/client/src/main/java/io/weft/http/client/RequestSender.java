package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Request;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/// Sends the body of a request: pulls from its source while the wire is writable, so that the
/// server's pace is the source's. Thread: the loop.
final class RequestSender {
    private static final int PIECE = 16 << 10;
    private static final int LARGE_PIECE = 64 << 10;

    /// Bytes in memory above this are sent piece by piece.
    private static final int MAX_AT_ONCE = 64 << 10;

    /// Pieces that are sent before other tasks of the loop have their turn.
    private static final int TURN = 16;

    private final ClientExchange exchange;
    private final ClientWire wire;
    private final BodySource source;
    private boolean started;
    private boolean pumping;
    private boolean woken;
    private boolean done;

    RequestSender(ClientExchange exchange, ClientWire wire, Body body) {
        this.exchange = exchange;
        this.wire = wire;
        this.source =
                switch (body) {
                    case Body.Stream stream -> stream.source();
                    case Body.Bytes bytes -> source(bytes);
                    case Body.Empty _ -> out -> BodySource.Step.END;
                    case Body.Tunnel _ ->
                            throw new IllegalArgumentException(
                                    "body: a tunnel (expected: content of a request)");
                };
    }

    /// Returns the request with a large body in memory as a stream.
    static Request inPieces(Request request) {
        return request.body() instanceof Body.Bytes bytes && bytes.length() > MAX_AT_ONCE
                ? request.withBody(Body.concat(List.of(bytes)))
                : request;
    }

    /// Bytes in memory as a source.
    static BodySource source(Body.Bytes bytes) {
        return Body.concat(List.of(bytes)).source();
    }

    boolean hasStarted() {
        return started;
    }

    /// Begins to send; again without effect.
    void start() {
        if (started || done) {
            return;
        }
        started = true;
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

    /// Sends what the source has and the server takes.
    void pump() {
        woken = true;
        if (pumping || !started) {
            return;
        }
        pumping = true;
        try {
            int pieces = 0;
            // What is sent may make room at once, which is told while this pumps.
            do {
                while (goesOn() && pieces < TURN) {
                    woken = passOn() || step();
                    pieces++;
                }
                if (!done) {
                    wire.send();
                }
            } while (goesOn() && pieces < TURN);
            if (goesOn()) {
                wake();
            }
        } catch (Exception | Error e) {
            fail(e);
        } finally {
            pumping = false;
        }
    }

    private boolean goesOn() {
        return !done && woken && wire.isWritable();
    }

    /// Writes bytes that the source has in a buffer, to be sent from there with what follows.
    ///
    /// @return whether it had some
    private boolean passOn() throws IOException {
        Buffer piece = wire.takesPieces() ? source.take(LARGE_PIECE) : null;
        if (piece == null) {
            return false;
        }
        wire.data(piece);
        exchange.sending(false);
        return true;
    }

    /// @return whether there may be more at once
    private boolean step() throws IOException {
        Buffer piece = wire.piece(PIECE);
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
        boolean some = piece.isReadable();
        wire.data(piece);
        if (step == BodySource.Step.END) {
            wire.end(source.trailers());
            wire.send();
            close();
            exchange.requestSent();
            return false;
        }
        wire.send();
        if (some) {
            exchange.sending(false);
        }
        if (step == BodySource.Step.WAIT) {
            exchange.sending(true);
        }
        return step == BodySource.Step.MORE;
    }

    /// Gives the body up if it is not out. Once.
    void close() {
        if (!done) {
            done = true;
            close(source);
        }
    }

    /// Closes `source`. If that throws, it is logged, and the request ends all the same.
    /// Closes the source of a request's streamed body that nobody will read.
    static void closeSource(Request request) {
        if (request.body() instanceof Body.Stream stream) {
            close(stream.source());
        }
    }

    static void close(BodySource source) {
        try {
            source.close();
        } catch (Throwable t) {
            System.getLogger("io.weft.http.client")
                    .log(System.Logger.Level.WARNING, "the source of a body failed to close", t);
        }
    }

    private void fail(Throwable cause) {
        close();
        exchange.requestFailed(cause);
    }
}
