package io.weft.examples.proxy;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.Output;
import io.weft.codec.socks.Socks4Request;
import io.weft.codec.socks.Socks5Greeting;
import io.weft.codec.socks.Socks5Method;
import io.weft.codec.socks.Socks5MethodChoice;
import io.weft.codec.socks.Socks5PasswordReply;
import io.weft.codec.socks.Socks5PasswordRequest;
import io.weft.codec.socks.Socks5Status;
import io.weft.codec.socks.SocksAddress;
import io.weft.codec.socks.SocksClientMessage;
import io.weft.codec.socks.SocksCommand;
import io.weft.codec.socks.SocksEncoder;
import io.weft.codec.socks.SocksException;
import io.weft.codec.socks.SocksMessage;
import io.weft.codec.socks.SocksRequest;
import io.weft.codec.socks.SocksServerDecoder;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Timeout;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One client of [SocksProxy], until it is joined to its destination.
final class SocksSession implements ChannelHandler {
    private static final long NEGOTIATION_SECONDS = 30;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /// Bytes that a client may send before the connection that it waits for.
    private static final int MAX_EARLY = 64 << 10;

    private final SocksServerDecoder decoder;
    private final SocksProxy.Rules rules;
    private final EventLoopGroup group;
    private boolean authenticated;
    private @Nullable Timeout timeout;
    private @Nullable AutoCloseable open;

    SocksSession(SocksServerDecoder decoder, SocksProxy.Rules rules, EventLoopGroup group) {
        this.decoder = decoder;
        this.rules = rules;
        this.group = group;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Channel client = ctx.channel();
        timeout = ctx.eventLoop().schedule(client::abort, NEGOTIATION_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Buffer) {
            ctx.fireChannelRead(message); // behind a request: for the destination
            return;
        }
        switch ((SocksClientMessage) message) {
            case Socks5Greeting greeting -> {
                Socks5Method method =
                        greeting.choose(
                                rules.login() == null
                                        ? Socks5Method.NO_AUTHENTICATION
                                        : Socks5Method.PASSWORD);
                decoder.method(method);
                send(ctx.channel(), new Socks5MethodChoice(method));
                authenticated = method.equals(Socks5Method.NO_AUTHENTICATION);
                if (method.equals(Socks5Method.NO_ACCEPTABLE)) {
                    ctx.close();
                }
            }
            case Socks5PasswordRequest(String user, String password) -> {
                authenticated = rules.accepts(user, password);
                send(
                        ctx.channel(),
                        authenticated ? Socks5PasswordReply.SUCCESS : Socks5PasswordReply.FAILURE);
                if (!authenticated) {
                    ctx.close();
                }
            }
            case SocksRequest request -> request(ctx, request);
            default -> ctx.close();
        }
    }

    private void request(ChannelHandlerContext ctx, SocksRequest request) {
        // SOCKS 4 has no password.
        boolean allowed = request instanceof Socks4Request ? rules.login() == null : authenticated;
        if (!allowed) {
            refuse(ctx, request, Socks5Status.NOT_ALLOWED);
            return;
        }
        Hold hold = new Hold();
        ctx.pipeline().addLast("hold", hold);
        boolean five = !(request instanceof Socks4Request);
        if (request.command().equals(SocksCommand.CONNECT)) {
            resolve(
                    ctx,
                    request,
                    rules.destinations()::permits,
                    addresses -> connect(ctx, request, addresses, 0));
        } else if (request.command().equals(SocksCommand.BIND)) {
            resolve(
                    ctx,
                    request,
                    rules.destinations()::expects,
                    addresses -> bind(ctx, request, addresses));
        } else if (request.command().equals(SocksCommand.UDP_ASSOCIATE) && five) {
            ctx.pipeline().remove(hold); // its end is that of the association
            SocksAssociation.open(ctx.channel(), rules)
                    .addListener(
                            outcome -> {
                                SocksAssociation made = outcome.now();
                                if (made == null) {
                                    refuse(ctx, request, Socks5Status.GENERAL_FAILURE);
                                    return;
                                }
                                open = made;
                                cancelTimeout();
                                send(ctx.channel(), request.granted(made.address()));
                                if (!ctx.channel().isOpen()) {
                                    made.close();
                                }
                            });
        } else {
            refuse(ctx, request, Socks5Status.COMMAND_NOT_SUPPORTED);
        }
    }

    private interface Then {
        void accept(List<InetSocketAddress> addresses);
    }

    private static void resolve(
            ChannelHandlerContext ctx,
            SocksRequest request,
            Predicate<InetAddress> rule,
            Then then) {
        InetSocketAddress asked = request.destination().toSocketAddress();
        Destinations.resolve(
                asked,
                ctx.eventLoop(),
                found -> {
                    List<InetSocketAddress> permitted =
                            found.stream()
                                    .filter(rule)
                                    .map(one -> new InetSocketAddress(one, asked.getPort()))
                                    .toList();
                    if (found.isEmpty()) {
                        refuse(ctx, request, Socks5Status.HOST_UNREACHABLE);
                    } else if (permitted.isEmpty()) {
                        refuse(ctx, request, Socks5Status.NOT_ALLOWED);
                    } else {
                        then.accept(permitted);
                    }
                });
    }

    private void connect(
            ChannelHandlerContext ctx,
            SocksRequest request,
            List<InetSocketAddress> addresses,
            int attempt) {
        Channel client = ctx.channel();
        var _ =
                new Bootstrap(ctx.eventLoop())
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .option(ChannelOption.CONNECT_TIMEOUT, CONNECT_TIMEOUT)
                        .handler(
                                back -> {
                                    send(client, granted(request, back.localAddress()));
                                    Relay.join(client, back, rules.idle());
                                })
                        .connect(addresses.get(attempt))
                        .addListener(
                                outcome -> {
                                    if (outcome.isSuccess()) {
                                        leave(client);
                                    } else if (attempt + 1 < addresses.size()) {
                                        connect(ctx, request, addresses, attempt + 1);
                                    } else {
                                        refuse(ctx, request, reason(outcome.cause()));
                                    }
                                });
    }

    private static SocksMessage granted(SocksRequest request, @Nullable SocketAddress bound) {
        boolean fits =
                bound instanceof InetSocketAddress inet
                        && (!(request instanceof Socks4Request)
                                || inet.getAddress().getAddress().length == 4);
        return request.granted(
                fits
                        ? SocksAddress.of((InetSocketAddress) Objects.requireNonNull(bound))
                        : SocksAddress.UNSPECIFIED);
    }

    private static Socks5Status reason(@Nullable Throwable cause) {
        return switch (cause) {
            case ConnectException e when String.valueOf(e.getMessage()).contains("refused") ->
                    Socks5Status.CONNECTION_REFUSED;
            case SocketTimeoutException _ -> Socks5Status.HOST_UNREACHABLE;
            case ConnectException e when String.valueOf(e.getMessage()).contains("etwork") ->
                    Socks5Status.NETWORK_UNREACHABLE;
            case null, default -> Socks5Status.HOST_UNREACHABLE;
        };
    }

    /// Listens for one connection, from the host that the client names (RFC 1928, 4).
    private void bind(
            ChannelHandlerContext ctx, SocksRequest request, List<InetSocketAddress> addresses) {
        Channel client = ctx.channel();
        InetAddress here =
                ((InetSocketAddress) Objects.requireNonNull(client.localAddress())).getAddress();
        List<ServerChannel> listener = new ArrayList<>(1);
        ServerBootstrap server =
                new ServerBootstrap(group)
                        .maxConnections(1)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(ChannelOption.READ_WHILE_UNWRITABLE, true)
                        .childHandler(peer -> accepted(client, request, addresses, peer, listener));
        var _ =
                server.bind(new InetSocketAddress(here, 0))
                        .addListener(
                                outcome ->
                                        ctx.eventLoop()
                                                .execute(
                                                        () ->
                                                                bound(
                                                                        ctx,
                                                                        request,
                                                                        outcome.now(),
                                                                        listener)));
    }

    private void bound(
            ChannelHandlerContext ctx,
            SocksRequest request,
            @Nullable ServerChannel made,
            List<ServerChannel> listener) {
        if (made == null) {
            refuse(ctx, request, Socks5Status.GENERAL_FAILURE);
            return;
        }
        listener.add(made);
        Channel client = ctx.channel();
        open = made::close;
        send(client, granted(request, made.localAddress()));
        Hold hold = client.pipeline().get(Hold.class);
        if (!client.isOpen() || hold == null) {
            made.close();
            return;
        }
        // A client that leaves now takes its listener along, and what it sends is bounded.
        var _ = client.pipeline().remove(DecoderHandler.class);
        hold.readOn(client, MAX_EARLY);
    }

    private void accepted(
            Channel client,
            SocksRequest request,
            List<InetSocketAddress> addresses,
            Channel peer,
            List<ServerChannel> listener) {
        InetSocketAddress from = (InetSocketAddress) Objects.requireNonNull(peer.remoteAddress());
        boolean expected =
                addresses.stream()
                        .anyMatch(
                                one ->
                                        one.getAddress().isAnyLocalAddress()
                                                || one.getAddress().equals(from.getAddress()));
        if (!expected || rules.destinations().denies(from.getAddress())) {
            peer.abort();
            return;
        }
        Relay.join(client, peer, rules.idle());
        client.eventLoop()
                .execute(
                        () -> {
                            send(client, granted(request, from));
                            listener.forEach(ServerChannel::close);
                            leave(client);
                        });
    }

    /// Leaves the client to the relay; the bytes that came behind its request go there first.
    private void leave(Channel client) {
        cancelTimeout();
        open = null;
        if (client.isOpen()) {
            var _ = client.pipeline().remove(this);
            if (client.pipeline().get(DecoderHandler.class) != null) {
                var _ = client.pipeline().remove(DecoderHandler.class);
            }
            var _ = client.pipeline().remove(Hold.class);
        }
    }

    private static void refuse(
            ChannelHandlerContext ctx, SocksRequest request, Socks5Status status) {
        send(ctx.channel(), request.refused(status));
        ctx.channel().close();
    }

    static void send(Channel to, SocksMessage message) {
        try (Output out = new Output()) {
            new SocksEncoder().encode(message, out);
            for (Buffer next; (next = out.next()) != null; ) {
                to.writeAndFlush(next);
            }
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof SocksException malformed && malformed.reply() != null) {
            send(ctx.channel(), Objects.requireNonNull(malformed.reply()));
            ctx.close();
        } else {
            ctx.channel().abort();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        cancelTimeout();
        AutoCloseable listening = open;
        if (listening != null) {
            listening.close();
        }
        ctx.fireChannelInactive();
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
