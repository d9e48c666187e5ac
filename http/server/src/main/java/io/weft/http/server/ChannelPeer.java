package io.weft.http.server;

import io.weft.channel.Channel;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.model.Peer;
import io.weft.loop.Future;
import io.weft.tls.machine.TlsSession;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The peer of a channel. Nothing is looked up before it is asked for.
final class ChannelPeer implements Peer {
    private final Channel channel;
    private final @Nullable TlsHandler tls;

    /// @param channel whose handshake, if it has TLS, is over. Its loop only
    ChannelPeer(Channel channel) {
        this.channel = channel;
        this.tls = channel.pipeline().get(TlsHandler.class);
    }

    @Override
    public @Nullable SocketAddress address() {
        return channel.remoteAddress();
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return channel.localAddress();
    }

    @Override
    public @Nullable Tls tls() {
        Future<TlsSession> handshake = tls == null ? null : tls.handshake();
        if (handshake == null || !handshake.isSuccess()) {
            return null;
        }
        TlsSession session = handshake.now();
        return session == null
                ? null
                : new Tls(
                        session.protocol().standardName(),
                        session.cipherSuite(),
                        session.serverName(),
                        session.peerCertificates());
    }
}
