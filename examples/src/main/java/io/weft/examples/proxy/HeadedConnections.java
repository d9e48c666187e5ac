package io.weft.examples.proxy;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.Tunnel;
import io.weft.codec.haproxy.ProxyAddress;
import io.weft.codec.haproxy.ProxyHeader;
import io.weft.examples.Extras;
import io.weft.handler.haproxy.ProxyHeaderSender;
import io.weft.http.model.Peer;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Connections to servers that begin with the PROXY protocol. A header is of one client, and the
/// HTTP client keeps connections by the name of their origin: so the name says for which client and
/// server a connection is, and no other client's request goes there.
final class HeadedConnections implements Tunnel {
    private static final HexFormat HEX = HexFormat.of();
    private static final String LOCAL = "local";

    private final List<InetSocketAddress> servers;

    HeadedConnections(List<InetSocketAddress> servers) {
        this.servers = List.copyOf(servers);
    }

    /// Tells if connections to servers are to begin with a header: `--send-proxy v2`.
    ///
    /// @throws IllegalArgumentException for another version
    static boolean areAskedFor(Extras extras) {
        String version = extras.last("--send-proxy");
        if (version != null && !version.equals("v2")) {
            throw new IllegalArgumentException("--send-proxy: " + version + " (expected: v2)");
        }
        return version != null;
    }

    /// Returns the name that stands for connections to `server`.
    ///
    /// @param client null for connections of our own
    String name(InetSocketAddress server, @Nullable Peer client) {
        String from = client == null ? null : text(client.address());
        String to = client == null ? null : text(client.localAddress());
        String whose = from == null || to == null ? LOCAL : from + "." + to;
        return whose + "." + servers.indexOf(server) + ".weft";
    }

    private static @Nullable String text(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? HEX.formatHex(inet.getAddress().getAddress()) + "." + inet.getPort()
                : null;
    }

    private static String[] labels(SocketAddress destination) {
        return ((InetSocketAddress) destination).getHostString().split("\\.", -1);
    }

    @Override
    public SocketAddress entrance(SocketAddress destination) {
        String[] labels = labels(destination);
        return servers.get(Integer.parseInt(labels[labels.length - 2]));
    }

    @Override
    public void open(
            Channel channel,
            SocketAddress destination,
            ChannelInitializer handler,
            Promise<Channel> opened)
            throws Exception {
        channel.pipeline().addLast("header", new ProxyHeaderSender(header(labels(destination))));
        handler.initChannel(channel);
        channel.pipeline().addLast("opened", new Opened(opened));
    }

    /// Hears that the channel is active when the header was sent.
    private record Opened(Promise<Channel> opened) implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.pipeline().remove(this);
            if (!opened.trySuccess(ctx.channel())) {
                ctx.channel().abort();
            }
        }
    }

    private static ProxyHeader header(String[] labels) throws UnknownHostException {
        return labels[0].equals(LOCAL)
                ? ProxyHeader.local()
                : ProxyHeader.v2(address(labels[0], labels[1]), address(labels[2], labels[3]));
    }

    private static ProxyAddress address(String hex, String port) throws UnknownHostException {
        return ProxyAddress.of(
                new InetSocketAddress(
                        InetAddress.getByAddress(HEX.parseHex(hex)), Integer.parseInt(port)));
    }
}
