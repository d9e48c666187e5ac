package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A channel without a network, for tests: the same channel and pipeline as in production, driven
/// by the caller's thread in virtual time.
///
/// Input that the test writes travels the pipeline. Messages that no handler takes are kept for
/// [#readInbound], exceptions for [#takeException]. Messages that handlers write and flush are kept
/// as bytes for [#takeOutbound].
public final class EmbeddedChannel implements AutoCloseable {
    private final EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());
    private final EmbeddedPeer peer = new EmbeddedPeer();
    private final ArrayDeque<Object> inbound = new ArrayDeque<>();
    private final ArrayDeque<Throwable> exceptions = new ArrayDeque<>();
    private final Channel channel;

    public EmbeddedChannel(ChannelHandler... handlers) {
        this(
                ChannelOptions.DEFAULT,
                ch -> {
                    for (ChannelHandler handler : handlers) {
                        ch.pipeline().addLast(handler);
                    }
                });
    }

    public EmbeddedChannel(ChannelOptions options, ChannelInitializer initializer) {
        channel = new Channel(loop, options);
        channel.pipeline()
                .rest(
                        new Inbound.Rest() {
                            @Override
                            public void message(Object message) {
                                inbound.add(message);
                            }

                            @Override
                            public void exception(Throwable cause) {
                                exceptions.add(cause);
                            }
                        });
        channel.life().attach(peer.handle(new StreamSide(channel)));
        channel.life().activate(initializer);
        runPending();
    }

    public Channel channel() {
        return channel;
    }

    public ChannelPipeline pipeline() {
        return channel.pipeline();
    }

    // ---- what the peer does ----

    /// The peer sent bytes; the channel owns the buffer.
    public EmbeddedChannel receive(Buffer bytes) {
        peer.deliver(bytes);
        runPending();
        return this;
    }

    /// The peer sent ASCII text.
    public EmbeddedChannel receive(String ascii) {
        return receive(BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii));
    }

    /// Hands a message to the first handler, as if one in front of it had made it of what the peer
    /// sent: for a handler without its codec.
    ///
    /// @param message the channel's from now on
    public EmbeddedChannel receiveMessage(Object message) {
        pipeline().fireRead(message);
        pipeline().fireReadComplete();
        runPending();
        return this;
    }

    /// The peer closed its sending direction. The channel hears of it, as of bytes, when it reads,
    /// and after all bytes.
    public EmbeddedChannel receiveEnd() {
        peer.end();
        runPending();
        return this;
    }

    /// From now on the peer does not end its output when the channel closes, but with
    /// [#receiveEnd]. Else it does so at once, as peers do, and an orderly close is over when all
    /// has been sent.
    public EmbeddedChannel keepInputOpen() {
        peer.endsWithChannel = false;
        return this;
    }

    /// The connection broke.
    public EmbeddedChannel fail(IOException cause) {
        peer.events().failed(cause);
        runPending();
        return this;
    }

    /// From now on the peer takes `bytes` bytes and then stops reading, until [#openWindow].
    public EmbeddedChannel limitWindow(long bytes) {
        peer.window = bytes;
        return this;
    }

    /// The peer takes `bytes` bytes more.
    public EmbeddedChannel openWindow(long bytes) {
        peer.open(bytes);
        runPending();
        return this;
    }

    // ---- what the channel did ----

    /// Takes the next message that travelled the whole pipeline; the caller owns it. Null if there
    /// is none.
    public @Nullable Object readInbound() {
        return inbound.poll();
    }

    /// Takes the next exception that travelled the whole pipeline, which closed the channel. Null
    /// if there is none. It is not logged here.
    public @Nullable Throwable takeException() {
        return exceptions.poll();
    }

    /// Fails if there is an exception that no handler handled, and that was neither taken nor
    /// reported before.
    ///
    /// @throws CompletionException with the next one as its cause
    public void checkException() {
        Throwable cause = exceptions.poll();
        if (cause != null) {
            throw new CompletionException(cause);
        }
    }

    /// All bytes sent since the last call.
    public byte[] takeOutbound() {
        return peer.takeSent();
    }

    /// All bytes sent since the last call, as Latin-1 text.
    public String takeOutboundText() {
        return new String(peer.takeSent(), StandardCharsets.ISO_8859_1);
    }

    /// Tells if the channel closed its sending direction.
    public boolean isOutputShutdown() {
        return peer.outputShutdown;
    }

    /// Tells if the descriptor would be closed.
    public boolean isClosed() {
        return peer.closed;
    }

    /// Tells if the channel closed with a reset.
    public boolean isReset() {
        return peer.reset;
    }

    // ---- time ----

    /// Runs tasks and timers that are due.
    public void runPending() {
        ((ManualExecutor) loop.executor()).runPending();
    }

    /// Moves the virtual clock, running on the way whatever becomes due.
    public EmbeddedChannel advance(Duration time) {
        ((ManualExecutor) loop.executor()).advance(time);
        return this;
    }

    /// Aborts the channel if it is still open, releases unread messages and ends the loop.
    @Override
    public void close() {
        channel.abort();
        loop.shutdownGracefully();
        runPending();
        for (Object message; (message = inbound.poll()) != null; ) {
            Messages.release(message);
        }
    }
}
