package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes what passes its place in a pipeline to a [PcapWriter], as a TCP connection that it makes up: a handshake, segments
/// with sequence numbers that fit, and an end. Behind a TLS handler that is the plain text.
///
/// When the file cannot be written that is logged once, and the channel goes on without it.
public final class PcapHandler implements ChannelHandler {
    private final PcapWriter writer;
    private final InstantSource clock;
    private final Function<Channel, @Nullable SocketAddress> local;
    private final Function<Channel, @Nullable SocketAddress> remote;
    private @Nullable TcpStory story;

    /// The writer stays its owner's.
    public PcapHandler(PcapWriter writer) {
        this(writer, InstantSource.system(), Channel::localAddress, Channel::remoteAddress);
    }

    PcapHandler(
            PcapWriter writer,
            InstantSource clock,
            Function<Channel, @Nullable SocketAddress> local,
            Function<Channel, @Nullable SocketAddress> remote) {
        this.writer = writer;
        this.clock = clock;
        this.local = local;
        this.remote = remote;
    }

    /// Something to write; it fails as files do.
    private interface Scene {
        void tell(TcpStory story) throws IOException;
    }

    private void tell(Scene scene) {
        TcpStory told = story;
        if (told == null) {
            return;
        }
        try {
            scene.tell(told);
        } catch (IOException e) {
            story = null;
            System.getLogger(PcapHandler.class.getName())
                    .log(System.Logger.Level.WARNING, "the capture ends: its file failed", e);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            begin(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begin(ctx);
        ctx.fireChannelActive();
    }

    private void begin(ChannelHandlerContext ctx) {
        if (story == null
                && local.apply(ctx.channel()) instanceof InetSocketAddress here
                && remote.apply(ctx.channel()) instanceof InetSocketAddress there
                && here.getAddress() != null
                && there.getAddress() != null) {
            story = new TcpStory(writer, clock, here, there);
            tell(TcpStory::handshake);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Buffer bytes) {
            tell(s -> s.received(bytes));
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (message instanceof Buffer bytes) {
            tell(s -> s.sent(bytes));
        }
        ctx.write(message, promise);
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        tell(TcpStory::peerEnds);
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        tell(TcpStory::ends);
        story = null;
        ctx.fireChannelInactive();
    }
}
