package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.Exchange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The body of a request that comes in while the request is answered, and what is left of it
/// behind the answer. Thread: the channel's loop.
final class Http1Body {
    /// Bytes of a body that are dropped behind the answer, so that the connection can go on. Over
    /// HTTP/2, those that are dropped once the handler wants no more, so that the answer arrives.
    static final int MAX_DRAINED = 64 << 10;

    private final Exchange exchange;
    private final Http1Input input;
    private final Http1Answers answers;

    /// Of the connection that the body comes on.
    private @Nullable Deadlines deadlines;

    private boolean coming;

    /// True if the rest waits for the handler to read.
    private boolean paused;

    /// Bytes, or -1.
    private long announced;

    private long received;
    private long drained;

    Http1Body(Exchange exchange, Http1Input input, Http1Answers answers) {
        this.exchange = exchange;
        this.input = input;
        this.answers = answers;
    }

    private Deadlines deadlines() {
        return Objects.requireNonNull(deadlines, "no body has begun");
    }

    /// Begins.
    ///
    /// @return the body of the request
    Body begin(RequestHead head, Deadlines its) {
        deadlines = its;
        coming = true;
        paused = false;
        announced = head.contentLength();
        received = 0;
        drained = 0;
        if (!answers.mustAsk()) {
            deadlines().waitFor(Wait.BODY);
        }
        return exchange.body().stream(announced);
    }

    /// Tells if the body has begun and is not whole.
    boolean isComing() {
        return coming;
    }

    /// Tells if the rest waits for the handler.
    boolean isPaused() {
        return paused;
    }

    /// Tells if the body cannot become whole with what is not decoded of it, when nothing more
    /// comes. Of a chunked one that waits for the handler, this is not known.
    boolean isCutOff(int undecoded) {
        return !paused || announced - received > undecoded;
    }

    /// It is whole, or its connection ends.
    void end() {
        coming = false;
        deadlines = null;
    }

    /// The rest will not come: the client has ended.
    ///
    /// @return false if the handler learns of it only when it reads
    boolean cutOff() {
        deadlines().waitForAnswer();
        end();
        return exchange.body().cutOff(Status.BAD_REQUEST, "the client ended within the body");
    }

    /// Takes a piece for the handler.
    void take(Buffer piece) {
        received += piece.readableBytes();
        deadlines().received(piece.readableBytes());
        answers.bodyComes();
        boolean fits = exchange.body().add(piece);
        if (!coming) {
            return;
        }
        if (!fits) {
            answers.last();
            input.pause();
        } else if (exchange.body().isFull()) {
            paused = true;
            deadlines().waitForAnswer();
            input.pause();
        }
    }

    /// Drops a piece behind the answer.
    ///
    /// @return false when that was too much
    boolean drop(Buffer piece) {
        deadlines().received(piece.readableBytes());
        drained += piece.readableBytes();
        piece.release();
        return drained <= MAX_DRAINED;
    }

    /// The answer is out, and the rest is dropped.
    void beginDrain() {
        paused = false;
        deadlines().waitFor(Wait.BODY);
    }

    /// The handler reads, has read, or reads no more.
    ///
    /// @return whether more of it should be decoded
    boolean wanted() {
        if (!coming || exchange.body().isFull()) {
            return false;
        }
        boolean goesOn = paused;
        paused = false;
        goesOn |= exchange.body().isWanted() && answers.askForBody();
        if (goesOn) {
            deadlines().waitFor(Wait.BODY);
        }
        return goesOn;
    }

    /// Asks for the body before the head of an answer that may be made of it.
    void askBefore(Response answer, Method method) {
        if (coming && exchange.body().isWantedFor(answer, method) && answers.askForBody()) {
            deadlines().waitFor(Wait.BODY);
        }
    }

    /// Tells if the connection should end behind the answer that begins now: what the handler has
    /// left of the body is too long to be dropped, or may never come since it was not asked for.
    ///
    /// @param streams whether the answer is one that the handler may make of the rest
    boolean endsConnection(boolean streams) {
        boolean tooLong = announced - received > MAX_DRAINED;
        return coming
                && (answers.mustAsk()
                        || exchange.body().isTooLong()
                        || (tooLong && !(streams && exchange.body().isWanted())));
    }
}
