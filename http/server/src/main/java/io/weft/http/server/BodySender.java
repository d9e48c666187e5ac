package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http1.ResponseEncoder;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import java.util.concurrent.RejectedExecutionException;

/// Sends a streamed body: pulls from its source while the channel is writable, so that the client's pace is the
/// source's.
final class BodySender {
    private static final int PIECE = 16 << 10;

    private final Http1Connection connection;
    private final ChannelHandlerContext ctx;
    private final ResponseEncoder encoder;
    private final Responses responses;
    private final BodySource source;
    private boolean pumping;
    private boolean woken;
    private boolean done;

    BodySender(
            Http1Connection connection,
            ChannelHandlerContext ctx,
            ResponseEncoder encoder,
            Responses responses,
            Body.Stream body) {
        this.connection = connection;
        this.ctx = ctx;
        this.encoder = encoder;
        this.responses = responses;
        this.source = body.source();
    }

    /// Once, first.
    void start() {
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
            ctx.eventLoop().executeUnbounded(this::pump);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    /// Sends what the source has and the channel takes.
    void pump() {
        woken = true;
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!done && woken && ctx.channel().isWritable()) {
                woken = step();
            }
        } catch (Exception | Error e) {
            fail(e);
        } finally {
            pumping = false;
        }
    }

    /// @return whether there may be more at once
    private boolean step() throws java.io.IOException {
        BodySource.Step step;
        try (Buffer piece = ctx.channel().allocator().allocate(PIECE)) {
            step = source.read(piece);
            if (step == BodySource.Step.MORE && !piece.isReadable()) {
                throw new IllegalStateException("MORE without a byte (expected: at least one)");
            }
            encoder.data(piece, responses.out());
        }
        return switch (step) {
            case MORE, WAIT -> {
                if (responses.write()) {
                    ctx.flush();
                }
                yield step == BodySource.Step.MORE;
            }
            case END -> {
                encoder.end(Headers.EMPTY, responses.out());
                close();
                connection.bodySent();
                yield false;
            }
        };
    }

    /// Gives the body up if it is not out. Once.
    void close() {
        if (!done) {
            done = true;
            Http1Connection.close(source);
        }
    }

    private void fail(Throwable cause) {
        close();
        connection.bodyFailed(cause);
    }
}
