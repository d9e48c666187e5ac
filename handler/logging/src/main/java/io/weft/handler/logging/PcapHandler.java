package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.Datagram;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes what passes its place in a pipeline to a [PcapWriter]: of a stream, as a TCP connection
/// that it makes up, with a handshake, segments whose sequence numbers fit, and an end; datagrams
/// as UDP. Behind a TLS handler that is the plain text. Regions of files are not read for it: they
/// are a gap in the capture.
///
/// When the file cannot be written that is logged once, and the channel goes on without it.
public final class PcapHandler implements ChannelHandler {
    private final PcapWriter writer;
    private final InstantSource clock;
    private final Function<Channel, @Nullable SocketAddress> local;
    private final Function<Channel, @Nullable SocketAddress> remote;
    private final UdpStory datagrams;
    private @Nullable TcpStory story;
    private boolean failed;

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
        datagrams = new UdpStory(writer, clock);
    }

    /// Something to write; it fails as files do.
    private interface Scene {
        void tell() throws IOException;
    }

    private void tell(Scene scene) {
        if (failed) {
            return;
        }
        try {
            scene.tell();
        } catch (IOException e) {
            failed = true;
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
        InetSocketAddress here = address(local.apply(ctx.channel()));
        InetSocketAddress there = address(remote.apply(ctx.channel()));
        if (story == null && here != null && there != null && !isDatagram(ctx.channel())) {
            TcpStory begun = new TcpStory(writer, clock, here, there);
            story = begun;
            tell(begun::handshake);
        }
    }

    private static @Nullable InetSocketAddress address(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null ? inet : null;
    }

    private static boolean isDatagram(Channel channel) {
        try {
            return channel.multicast() != null; // which streams refuse
        } catch (UnsupportedOperationException | ClosedChannelException e) {
            return false;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        TcpStory s = story;
        if (message instanceof Datagram datagram) {
            tell(ctx, datagram, address(datagram.address()), address(local.apply(ctx.channel())));
        } else if (s != null && message instanceof Buffer bytes) {
            tell(() -> s.received(bytes));
        }
        ctx.fireChannelRead(message);
    }

    private void tell(
            ChannelHandlerContext ctx,
            Datagram datagram,
            @Nullable InetSocketAddress from,
            @Nullable InetSocketAddress to) {
        InetSocketAddress peer = address(remote.apply(ctx.channel()));
        InetSocketAddress source = from == null ? peer : from;
        InetSocketAddress target = to == null ? peer : to;
        if (source != null && target != null) {
            tell(() -> datagrams.sent(source, target, datagram.content(), datagram.segmentSize()));
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        TcpStory s = story;
        if (message instanceof Datagram datagram) {
            tell(ctx, datagram, address(local.apply(ctx.channel())), address(datagram.address()));
        } else if (s != null) {
            switch (message) {
                case Buffer bytes -> tell(() -> s.sent(bytes));
                case CompositeBuffer parts -> tell(() -> sent(s, parts));
                case FileRegion region -> s.sentUnseen(region.remaining());
                default -> {}
            }
        } else if (message instanceof Buffer bytes && isDatagram(ctx.channel())) {
            tell(ctx, new Datagram(bytes, null), address(local.apply(ctx.channel())), null);
        }
        ctx.write(message, promise);
    }

    private static void sent(TcpStory story, CompositeBuffer parts) throws IOException {
        try (Buffer bytes = parts.copy()) {
            story.sent(bytes);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        TcpStory s = story;
        if (s != null) {
            tell(s::peerEnds);
        }
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        TcpStory s = story;
        tell(s == null ? writer::flush : s::ends);
        story = null;
        ctx.fireChannelInactive();
    }
}
