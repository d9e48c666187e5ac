package io.weft.conformance.rig;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.transport.serial.SerialAddress;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/// A channel of a serial port, which is one end of a pseudo-terminal; the other end is the peer.
final class SerialSubject implements Subject {
    private final Rig rig;
    private final PtyMaster peer;
    private final Channel channel;

    /// Bytes that handlers have got.
    private final AtomicLong heard = new AtomicLong();

    private long sent;

    SerialSubject(String transport, ChannelOptions options, ChannelInitializer initializer)
            throws IOException {
        rig = new Rig(transport, 1);
        peer = new PtyMaster();
        Bootstrap bootstrap =
                new Bootstrap(rig.group)
                        .handler(
                                ch -> {
                                    ch.pipeline().addLast(new Hearing());
                                    rig.checked(initializer).initChannel(ch);
                                });
        // Those who connect read on without it.
        set(bootstrap, options, ChannelOption.READ_WHILE_UNWRITABLE);
        for (ChannelOption<?> option : options.set()) {
            set(bootstrap, options, option);
        }
        channel = bootstrap.connect(SerialAddress.of(peer.device())).join();
    }

    private static <T> void set(
            Bootstrap bootstrap, ChannelOptions options, ChannelOption<T> option) {
        bootstrap.option(option, options.get(option));
    }

    private final class Hearing implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            heard.addAndGet(((Buffer) message).readableBytes());
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    public void peerSends(String text) {
        sent += text.length();
        peer.write(text);
    }

    @Override
    public String peerReceives(int length) {
        return peer.read(length);
    }

    @Override
    public String peerReceivesAll() {
        return peer.read(Integer.MAX_VALUE);
    }

    /// A line that hangs up loses what is on its way, so this waits for that.
    @Override
    public void peerEnds() {
        await("what was sent", () -> heard.get() == sent || channel.closeFuture().isDone());
        peer.hangUp();
    }

    @Override
    public void peerResets() {
        throw new UnsupportedOperationException("reset of a serial line");
    }

    @Override
    public void onLoop(Runnable action) {
        Rig.onLoop(channel, action);
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
        Rig.awaitTrue(what, condition);
    }

    @Override
    public void close() throws IOException {
        peer.close();
        rig.close();
    }
}
