package io.weft.conformance.rig;

import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/// A channel that a listener of the transport has accepted, and a peer in blocking style.
final class ConnectedSubject implements Subject {
    private final Rig rig;
    private final Socket peer;
    private final Channel channel;

    ConnectedSubject(String transport, ChannelOptions options, ChannelInitializer initializer)
            throws IOException {
        rig = new Rig(transport, 1);
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        ServerBootstrap server =
                rig.server(
                        ch -> {
                            accepted.complete(ch);
                            initializer.initChannel(ch);
                        });
        for (ChannelOption<?> option : options.set()) {
            set(server, options, option);
        }
        peer = rig.connect(rig.listen(server));
        channel = Rig.await(accepted);
    }

    private static <T> void set(
            ServerBootstrap server, ChannelOptions options, ChannelOption<T> option) {
        server.childOption(option, options.get(option));
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    public void peerSends(String text) throws IOException {
        Rig.send(peer, text);
    }

    @Override
    public String peerReceives(int length) throws IOException {
        return Rig.receive(peer, length);
    }

    @Override
    public String peerReceivesAll() throws IOException {
        return Rig.receiveAll(peer);
    }

    @Override
    public void peerEnds() throws IOException {
        peer.shutdownOutput();
    }

    @Override
    public void peerResets() throws IOException {
        Rig.reset(peer);
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
        rig.close();
    }
}
