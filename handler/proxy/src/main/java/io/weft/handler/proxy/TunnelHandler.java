package io.weft.handler.proxy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.Output;
import io.weft.codec.socks.SocksAddress;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import io.weft.tls.machine.TlsContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Talks with the proxies of one connection, one after the other, then hands the connection over to
/// its handlers and goes. Thread: the channel's loop.
final class TunnelHandler implements ChannelHandler {
    private final List<ProxyServer> proxies;
    private final InetSocketAddress destination;
    private final Duration patience;
    private final NameResolver resolver;
    private final ChannelInitializer handler;
    private final Promise<Channel> opened;
    private final Cumulation input = new Cumulation();
    private int hop;
    private boolean begun;
    private boolean over;
    private boolean passing;
    private boolean ended;
    private @Nullable Negotiation negotiation;
    private @Nullable Timeout timeout;

    TunnelHandler(
            List<ProxyServer> proxies,
            InetSocketAddress destination,
            Duration patience,
            NameResolver resolver,
            ChannelInitializer handler,
            Promise<Channel> opened) {
        this.proxies = proxies;
        this.destination = destination;
        this.patience = patience;
        this.resolver = resolver;
        this.handler = handler;
        this.opened = opened;
    }

    private ProxyServer proxy() {
        return proxies.get(hop);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (begun) {
            return;
        }
        begun = true;
        timeout =
                ctx.eventLoop()
                        .schedule(
                                () -> late(ctx),
                                TimeUnit.NANOSECONDS.convert(patience), // at most 292 years
                                TimeUnit.NANOSECONDS);
        begin(ctx);
    }

    private void late(ChannelHandlerContext ctx) {
        var late =
                new ProxyException.TimedOut(
                        proxy(), "no answer (expected: within " + patience + ")");
        fail(ctx, refusalOr(late));
    }

    private void begin(ChannelHandlerContext ctx) {
        TlsContext tls = proxy() instanceof ProxyServer.Http http ? http.tls() : null;
        if (tls == null) {
            resolve(ctx);
            return;
        }
        TlsHandler secure = TlsHandler.client(tls, proxy().host(), proxy().port());
        ctx.pipeline().addBefore(this, "proxy-tls-" + hop, secure);
        var _ =
                secure.handshake()
                        .addListener(
                                outcome -> {
                                    if (outcome.isSuccess()) {
                                        resolve(ctx);
                                    } else {
                                        fail(
                                                ctx,
                                                new ProxyException.Unreachable(
                                                        proxy(),
                                                        "TLS: " + outcome.cause(),
                                                        outcome.cause()));
                                    }
                                });
    }

    /// The next proxy is asked for by its name, the destination by its address where the last proxy
    /// does not resolve names.
    private void resolve(ChannelHandlerContext ctx) {
        InetSocketAddress target =
                hop + 1 < proxies.size() ? ProxyChain.address(proxies.get(hop + 1)) : destination;
        boolean local =
                switch (proxy()) {
                    case ProxyServer.Http _ -> false;
                    case ProxyServer.Socks4 four -> !four.resolvesNames();
                    case ProxyServer.Socks5 five -> !five.resolvesNames();
                };
        if (!local || !target.isUnresolved()) {
            negotiate(ctx, target);
            return;
        }
        boolean ipv4 = proxy() instanceof ProxyServer.Socks4;
        String host = target.getHostString();
        var search =
                resolver.resolve(
                        host,
                        target.getPort(),
                        ctx.eventLoop(),
                        found -> {
                            for (ResolvedAddress one : found) {
                                if (negotiation == null && !over && (!ipv4 || !one.isIpv6())) {
                                    negotiate(ctx, socket(one.address(), target.getPort()));
                                }
                            }
                        });
        var _ =
                search.addListener(
                        outcome -> {
                            if (negotiation == null && !over) {
                                Throwable cause = outcome.cause();
                                fail(
                                        ctx,
                                        new ProxyException.BadDestination(
                                                proxy(),
                                                cause != null
                                                        ? cause
                                                        : new UnknownHostException(host)));
                            }
                        });
    }

    private static InetSocketAddress socket(InetAddress address, int port) {
        return new InetSocketAddress(address, port);
    }

    private void negotiate(ChannelHandlerContext ctx, InetSocketAddress target) {
        if (over) {
            return;
        }
        try (Output out = new Output()) {
            Negotiation next =
                    proxy() instanceof ProxyServer.Http http
                            ? new HttpConnect(http, target)
                            : new SocksConnect(proxy(), SocksAddress.of(target));
            next.begin(out);
            negotiation = next;
            send(ctx, out);
            ctx.read();
        } catch (IllegalArgumentException e) {
            fail(ctx, new ProxyException.BadDestination(proxy(), e));
        }
    }

    private static void send(ChannelHandlerContext ctx, Output out) {
        for (Buffer next; (next = out.next()) != null; ) {
            ctx.write(next);
        }
        ctx.flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Buffer received = (Buffer) message;
        if (over && !passing) {
            received.release();
            return;
        }
        Buffer in = input.add(received);
        if (passing) {
            return;
        }
        Negotiation talk = negotiation;
        if (talk == null) {
            unasked(ctx, "before the proxy was asked");
            return;
        }
        boolean open;
        try (Output out = new Output()) {
            open = talk.receive(in, out);
            send(ctx, out);
        } catch (ProxyException e) {
            fail(ctx, e);
            return;
        } catch (DecoderException e) {
            fail(ctx, new ProxyException.Malformed(proxy(), e));
            return;
        } catch (IllegalArgumentException e) {
            fail(ctx, new ProxyException.BadDestination(proxy(), e));
            return;
        }
        input.trim();
        if (!open) {
            return;
        }
        if (hop + 1 == proxies.size()) {
            handOver(ctx);
            return;
        }
        if (input.size() > 0) {
            unasked(ctx, "behind the answer, before the next proxy is asked");
            return;
        }
        hop++;
        negotiation = null;
        begin(ctx);
    }

    /// The client begins with each proxy. What comes while a name is resolved or TLS begins would
    /// otherwise wait without a limit.
    private void unasked(ChannelHandlerContext ctx, String when) {
        fail(
                ctx,
                new ProxyException.Malformed(
                        proxy(),
                        new DecoderException(
                                "bytes " + when + ": " + input.size() + " (expected: none)")));
    }

    private void handOver(ChannelHandlerContext ctx) {
        over = true;
        passing = true;
        cancelTimeout();
        Channel channel = ctx.channel();
        try {
            handler.initChannel(channel);
        } catch (Exception | Error e) {
            passing = false;
            opened.tryFailure(e);
            channel.abort();
            return;
        }
        ctx.fireChannelActive();
        if (!opened.trySuccess(channel)) {
            channel.abort(); // cancelled meanwhile
        }
        boolean some = false;
        for (Buffer rest; !ctx.isRemoved() && (rest = input.take()) != null; ) {
            if (rest.isReadable()) {
                some = true;
                ctx.fireChannelRead(rest);
            } else {
                rest.release();
            }
        }
        passing = false;
        if (ctx.isRemoved()) {
            return;
        }
        if (some) {
            ctx.fireChannelReadComplete();
        }
        if (ended) {
            ctx.fireChannelInputClosed();
        }
        ctx.pipeline().remove(this);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!over) {
            ctx.read();
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (passing) {
            ended = true;
        } else {
            fail(ctx, closed(null));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, closed(null));
        input.release();
        if (passing) {
            ctx.fireChannelInactive();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (passing) {
            ctx.fireExceptionCaught(cause);
        } else {
            fail(ctx, closed(cause));
        }
    }

    private ProxyException closed(@Nullable Throwable cause) {
        return refusalOr(
                new ProxyException.Unreachable(
                        proxy(),
                        "the connection ended"
                                + (cause == null ? "" : ", " + cause)
                                + " (expected: an answer)",
                        cause));
    }

    /// An answer that is cut off may be enough to know that it refuses.
    private ProxyException refusalOr(ProxyException otherwise) {
        try {
            if (negotiation != null && !over) {
                negotiation.end();
            }
        } catch (ProxyException refusal) {
            return refusal;
        }
        return otherwise;
    }

    private void fail(ChannelHandlerContext ctx, ProxyException cause) {
        if (over) {
            return;
        }
        over = true;
        cancelTimeout();
        input.release();
        opened.tryFailure(cause);
        ctx.channel().abort();
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelTimeout();
        input.release();
    }
}
