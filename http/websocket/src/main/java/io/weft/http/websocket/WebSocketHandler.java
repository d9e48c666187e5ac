package io.weft.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.OutboundLimitException;
import io.weft.codec.DecoderException;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.engine.ChannelOption;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A WebSocket connection behind its handshake: the last handler of its pipeline, but for those of
/// a [WebSocketStream].
///
/// ```
///          close frame sent            close frame received
/// OPEN -----------------------> CLOSING ----------------------> CLOSED
///   '---- close frame received, and answered ------------------> CLOSED
///   '---- broken protocol, or the end of the connection -------> CLOSED
/// ```
///
/// In CLOSING nothing more is sent, and messages are still heard. In CLOSED the server closes the
/// channel, and the client waits until it has (RFC 6455, 7.1.1). Thread: the channel's loop.
final class WebSocketHandler implements ChannelHandler {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private static final System.Logger LOGGER = System.getLogger("io.weft.http.websocket");

    private final Role role;
    private final WebSocketListener listener;
    private final FrameInput input;
    private final FrameOutput output;
    private final Deadlines deadlines;
    private final Agreement agreement;
    private final boolean pieces;

    private @Nullable ChannelHandlerContext ctx;
    private @Nullable WebSocket socket;
    private volatile State state = State.OPEN;

    /// Input is being read, and what is sent meanwhile flushed at its end.
    private boolean reading;

    /// The application wants no messages.
    private boolean held;

    /// A message has come in the last read.
    private boolean wholeMessage;

    /// A read was asked for, and nothing has come since.
    private boolean asked;

    /// The peer has finished sending, perhaps behind frames that wait.
    private boolean inputEnded;

    /// The payload of the last ping that came while the channel was not writable.
    private @Nullable Buffer unanswered;

    WebSocketHandler(
            Role role, WebSocketSettings settings, Agreement agreed, WebSocketListener listener) {
        this.role = role;
        this.listener = listener;
        agreement = agreed;
        pieces = settings.pieces();
        input = new FrameInput(role, settings, agreed.deflate());
        output = new FrameOutput(role, settings, agreed.deflate());
        deadlines = new Deadlines(this, settings.timeouts());
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        socket = new WebSocket(context.channel(), this, agreement);
        deadlines.begin(context.eventLoop());
        deadlines.writable(context.channel().isWritable(), pendingBytes());
    }

    /// The handshake is over. Called behind [#handlerAdded], when the pipeline is complete.
    void open() {
        try {
            listener.onOpen(socket());
        } catch (Exception e) {
            listenerFailed(e);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        deadlines.heard();
        asked = false;
        reading = true;
        wholeMessage = false;
        int length = ((Buffer) message).readableBytes();
        input.add((Buffer) message);
        decode();
        deadlines.received(length, wholeMessage, state == State.OPEN && input.holdsUnfinished());
        endInput();
    }

    private void decode() {
        try {
            input.decode(this::frame);
        } catch (DecoderException e) {
            fail(FrameInput.status(e));
        } catch (MemoryLimitException e) {
            fail(CloseStatus.TRY_AGAIN_LATER);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.fireChannelReadComplete();
        output.drain(context, null);
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.fireChannelWritabilityChanged();
        boolean writable = context.channel().isWritable();
        if (state != State.CLOSED) {
            deadlines.writable(writable, pendingBytes());
        }
        if (!writable) {
            return;
        }
        if (!readsWhileUnwritable()) {
            deadlines.heard(); // the peer was not read before
        }
        Buffer payload = unanswered;
        if (payload != null) {
            unanswered = null;
            write(context, new Pong(payload), null);
        }
        if (state == State.OPEN) {
            tellWritable();
        }
        goOn();
        flush(context);
    }

    private void tellWritable() {
        try {
            listener.onWritable(socket());
        } catch (Throwable t) { // an IOException, too, is the listener's
            listenerFailed(t);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        inputEnded = true;
        endInput();
    }

    /// Ends the connection if its input has, behind all frames: TLS tells the end in the batch of
    /// the last ones, whoever suspends reading. The status is that of the close frame among them
    /// (RFC 6455, 7.1.5), or 1006 without one.
    private void endInput() {
        boolean waits = state != State.CLOSED && (input.isPaused() || input.isDecoding());
        if (inputEnded && !waits) {
            over(CloseStatus.ABNORMAL);
            context().close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        over(CloseStatus.ABNORMAL);
        deadlines.end();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        over(CloseStatus.ABNORMAL);
        deadlines.end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            context.fireExceptionCaught(cause);
        } else if (cause instanceof OutboundLimitException) {
            capReached(cause);
        } else {
            listenerFailed(cause);
        }
    }

    /// The channel aborts itself, and would refuse a close frame as well as what it has refused: a
    /// frame that was gathered gets here again.
    private void capReached(Throwable cause) {
        if (state != State.CLOSED) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "more is sent than the peer takes; its connection closes (expected: sends"
                            + " while the channel is writable)",
                    cause);
            over(CloseStatus.ABNORMAL);
        }
    }

    private void listenerFailed(Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, "a listener failed; its connection closes", cause);
        fail(CloseStatus.INTERNAL_ERROR);
    }

    // ---- what comes in ----

    private void frame(WebSocketFrame frame) {
        try {
            switch (frame) {
                case Ping(Buffer payload) -> ping(payload);
                case Pong(Buffer payload) -> {
                    try (payload) {
                        listener.onPong(socket(), payload);
                    }
                }
                case Close(CloseStatus status) -> closed(status);
                case Data data -> {
                    wholeMessage = true;
                    message(data);
                }
            }
        } catch (Throwable t) { // an Error may have come by way of resume, not of the pipeline
            listenerFailed(t);
        }
        if (state != State.CLOSED && mustWait()) {
            input.pause();
        }
    }

    private void message(Data data) throws Exception {
        switch (data) {
            case Data d when isClosed() -> d.close();
            case Text(Buffer payload, boolean _, int _) when !pieces -> {
                String text;
                try (payload) {
                    text = payload.readString(UTF_8);
                }
                listener.onText(socket(), text);
            }
            case Binary(Buffer payload, boolean _, int _) when !pieces ->
                    listener.onBinary(socket(), payload);
            default -> listener.onPiece(socket(), data);
        }
    }

    private void ping(Buffer payload) throws Exception {
        int start = payload.readOffset();
        try {
            listener.onPing(socket(), payload);
        } finally {
            payload.readOffset(start);
            if (state != State.OPEN) {
                payload.release();
            } else if (context().channel().isWritable()) {
                write(context(), new Pong(payload), null);
            } else {
                // RFC 6455, 5.5.3: the last one may be answered for all.
                forgetPing();
                unanswered = payload;
            }
        }
    }

    private void closed(CloseStatus status) {
        if (state == State.OPEN) {
            // RFC 6455, 5.5.1: the answer has the code that was received.
            write(context(), new Close(status.because("")), null);
        }
        end(status);
    }

    // ---- what goes out ----

    @Override
    public void write(
            ChannelHandlerContext context, Object message, @Nullable Promise<Void> promise) {
        if (!(message instanceof WebSocketFrame frame)) {
            context.write(message, promise);
            return;
        }
        if (state != State.OPEN) {
            frame.close();
            if (promise != null) {
                promise.tryFailure(new ClosedChannelException());
            }
            return;
        }
        try {
            output.write(context, frame, promise);
        } catch (IllegalArgumentException | IllegalStateException e) {
            if (promise == null) {
                throw e;
            }
            promise.tryFailure(e);
            return;
        }
        if (frame instanceof Close) {
            state = State.CLOSING;
            deadlines.closing();
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        output.drain(context, null);
        context.flush();
    }

    /// Closes with 1001 where nobody has begun to, and waits for the peer's answer.
    @Override
    public void close(ChannelHandlerContext context) {
        if (state == State.OPEN) {
            write(context, new Close(CloseStatus.GOING_AWAY), null);
            flush(context);
        } else if (state == State.CLOSED) {
            context.close();
        }
    }

    /// Tells if what is sent now is flushed at the end of the input that is being read.
    boolean gathers() {
        return context().eventLoop().inLoop() && reading;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    private boolean isClosed() {
        return state == State.CLOSED;
    }

    // ---- back-pressure ----

    void pause() {
        held = true;
        input.pause();
        context().suspendReading();
    }

    void resume() {
        held = false;
        deadlines.heard(); // the peer was not read before
        context().resumeReading();
        goOn();
        if (!reading) {
            flush(context());
        }
    }

    @Override
    public void read(ChannelHandlerContext context) {
        asked = true;
        context.read();
    }

    /// Tells if what the peer sends is received and decoded, its answer to a ping for one.
    boolean listens() {
        return !input.isPaused() && (asked || context().channel().readsByItself());
    }

    /// Decodes what has waited.
    private void goOn() {
        if (state != State.CLOSED && input.isPaused() && !mustWait()) {
            input.resume();
            decode();
            if (!reading) {
                context().fireChannelReadComplete();
            }
            endInput();
        }
    }

    /// A peer that does not take its answers asks no more; of a client both directions are its
    /// own, see [ChannelOption#READ_WHILE_UNWRITABLE].
    private boolean mustWait() {
        return held || (!context().channel().isWritable() && !readsWhileUnwritable());
    }

    private boolean readsWhileUnwritable() {
        return context().channel().options().get(ChannelOption.READ_WHILE_UNWRITABLE);
    }

    // ---- the end ----

    /// Fails the connection (RFC 6455, 7.1.7).
    private void fail(CloseStatus status) {
        if (state == State.CLOSED) {
            return;
        }
        ChannelHandlerContext context = context();
        if (state == State.OPEN) {
            write(context, new Close(status), null);
        }
        over(status);
        flush(context);
        context.close();
    }

    /// Both close frames have gone their ways.
    private void end(CloseStatus status) {
        ChannelHandlerContext context = context();
        over(status);
        flush(context);
        if (role == Role.SERVER) {
            context.close();
        } else {
            deadlines.closing();
        }
    }

    /// The time for the end is over.
    void overdue() {
        boolean silent = state != State.CLOSED;
        over(CloseStatus.ABNORMAL);
        if (silent) {
            var _ = context().channel().abort();
        } else {
            context().close();
        }
    }

    /// The peer takes nothing of what waits for it.
    void stalled() {
        over(CloseStatus.ABNORMAL);
        var _ = context().channel().abort();
    }

    /// The peer does not go on with a message that it has begun.
    void unfinished() {
        fail(CloseStatus.POLICY_VIOLATION.because("a message that is not finished in time"));
    }

    long pendingBytes() {
        return context().channel().pendingBytes();
    }

    /// Tells the listener, once; after it nothing is heard or sent.
    private void over(CloseStatus status) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        ChannelHandlerContext context = context();
        output.drain(context, null);
        deadlines.end();
        input.release();
        output.release();
        forgetPing();
        if (!context.isRemoved()) {
            context.resumeReading(); // for the peer's end
        }
        try {
            listener.onClose(socket(), status);
        } catch (Throwable t) { // the caller has the channel to end, whatever it is
            LOGGER.log(System.Logger.Level.WARNING, "a listener failed at the end", t);
        }
    }

    private void forgetPing() {
        if (unanswered != null) {
            unanswered.release();
            unanswered = null;
        }
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(ctx, "not in a pipeline");
    }

    WebSocket socket() {
        return Objects.requireNonNull(socket, "not in a pipeline");
    }
}
