package io.weft.examples.proxy;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.ChannelOption;
import io.weft.examples.Example;
import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.handler.haproxy.ProxyHeaderReceiver;
import io.weft.handler.haproxy.ProxyHeaderSender;
import io.weft.handler.haproxy.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes connections on to servers, in turn, with back-pressure and half-closes in both
/// directions. If a server cannot be connected to, the next one is tried. `--send-proxy` begins
/// each connection with the PROXY protocol, `--accept-proxy BLOCK` expects it of the proxies with
/// these addresses. A connection on which nothing passes in either direction for the
/// `--idle-timeout`, one hour by default, is aborted, half-closed ones too.
///
/// Try it with `./run-example.sh tcp-proxy --to example.org:80`.
public final class TcpProxy {
    private static final String USAGE =
            "tcp-proxy --to HOST:PORT [--to HOST:PORT ...] [--send-proxy v2]"
                    + " [--accept-proxy BLOCK ...] [--idle-timeout SECONDS, default 3600] [options]";

    private TcpProxy() {}

    public static void main(String[] args) {
        Extras extras = extras(args);
        Example.main(Taken.PLAIN_STREAMS, 8100, extras.others(), options -> start(options, extras));
    }

    static Extras extras(String... args) {
        return Extras.take(
                args, USAGE, "--to", "--send-proxy", "--accept-proxy", IdleTimeout.OPTION);
    }

    static Example.Running start(Options options, Extras extras) {
        if (extras.all("--to").isEmpty()) {
            throw new IllegalArgumentException("--to: missing (expected: " + USAGE + ")");
        }
        InetSocketAddress[] servers =
                extras.all("--to").stream()
                        .map(to -> literal(Extras.hostAndPort("--to", to)))
                        .toArray(InetSocketAddress[]::new);
        boolean sendsHeader = HeadedConnections.areAskedFor(extras);
        String[] proxies = extras.all("--accept-proxy").toArray(String[]::new);
        TrustedProxies trusted = TrustedProxies.of(proxies);
        Duration idle = IdleTimeout.of(extras);
        AtomicInteger turn = new AtomicInteger();
        return Example.tcp(
                options.plain("bytes are passed on as they are, TLS among them"),
                server ->
                        server.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                                .childOption(ChannelOption.READ_WHILE_UNWRITABLE, true),
                client -> {
                    if (proxies.length > 0) {
                        client.pipeline().addLast("proxy", new ProxyHeaderReceiver(trusted));
                    }
                    int next = Math.floorMod(turn.getAndIncrement(), servers.length);
                    client.pipeline().addLast("front", new Front(servers, next, sendsHeader, idle));
                });
    }

    /// An address is resolved once, a name with each connection.
    private static InetSocketAddress literal(InetSocketAddress server) {
        String host = server.getHostString();
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+")
                ? new InetSocketAddress(InetAddress.ofLiteral(host), server.getPort())
                : server;
    }

    /// Waits for the connection to a server, then leaves the client to the relay.
    private static final class Front implements ChannelHandler {
        private final InetSocketAddress[] servers;
        private final int first;
        private final boolean sendsHeader;
        private final Duration idle;
        private final Hold hold = Hold.behindFirstBatch();

        /// @param first index of the server that is tried first
        Front(InetSocketAddress[] servers, int first, boolean sendsHeader, Duration idle) {
            this.servers = servers;
            this.first = first;
            this.sendsHeader = sendsHeader;
            this.idle = idle;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.pipeline().addLast("hold", hold);
            connect(ctx.channel(), 0);
        }

        /// @param tried servers that could not be connected to
        private void connect(Channel client, int tried) {
            var _ =
                    new Bootstrap(client.eventLoop())
                            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                            .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(10))
                            .handler(back -> join(client, back))
                            .connect(servers[(first + tried) % servers.length])
                            .addListener(
                                    outcome -> {
                                        if (!client.isOpen()) {
                                            return; // the relay ends the other
                                        }
                                        if (outcome.isSuccess()) {
                                            client.pipeline().remove(this).remove(hold);
                                        } else if (tried + 1 < servers.length) {
                                            connect(client, tried + 1);
                                        } else {
                                            client.abort();
                                        }
                                    });
        }

        private void join(Channel client, Channel back) {
            if (sendsHeader) {
                var header = ProxyHeaderSender.headerOf(client);
                back.pipeline().addLast(new ProxyHeaderSender(header));
            }
            Relay.join(client, back, idle);
        }
    }
}
