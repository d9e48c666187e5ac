package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsException;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.engine.Datagram;
import io.weft.loop.Future;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// One query on a socket of its own, from a port of its own, connected to the server: the kernel
/// keeps away what comes from elsewhere. Loop only.
final class UdpQuery implements MessageHandler<Datagram> {
    private static final int PORTS_TO_TRY = 8;
    private static final int TC = 0x0200;
    private static final int QR = 0x8000;

    private final Exchanges exchanges;
    private final InetSocketAddress server;
    private final Query query;
    private final Attempt attempt;
    private final int longest;
    private @Nullable Future<Channel> opening;
    private int tries;
    private int misfits;
    private boolean over;

    UdpQuery(Exchanges exchanges, InetSocketAddress server, Query query, Attempt attempt) {
        this.exchanges = exchanges;
        this.server = server;
        this.query = query;
        this.attempt = attempt;
        Edns edns = query.message().edns();
        longest = edns == null ? DnsEncoder.MIN_DATAGRAM : edns.payloadSize();
    }

    void start() {
        // RFC 5452, 9.2: an unpredictable port. After some that are taken, one of the kernel's.
        int port = ++tries > PORTS_TO_TRY ? 0 : exchanges.secrets.port();
        Future<Channel> future =
                new DatagramBootstrap(exchanges.loop)
                        .handler(channel -> channel.pipeline().addLast(this))
                        .connect(new InetSocketAddress(anyOf(server.getAddress()), port), server);
        opening = future;
        var _ = future.addListener(this::opened);
    }

    @Override
    public boolean isSharable() {
        return true; // of a socket that failed to bind, and the next
    }

    private static InetAddress anyOf(InetAddress peer) {
        try {
            return InetAddress.getByAddress(new byte[peer instanceof Inet6Address ? 16 : 4]);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private void opened(Future<Channel> future) {
        Channel channel = future.now();
        if (channel == null) {
            if (future.cause() instanceof BindException && tries <= PORTS_TO_TRY && !over) {
                start();
            } else if (!over) {
                failed("no socket", future.cause());
            }
            return;
        }
        if (over) {
            var _ = channel.close();
            return;
        }
        Output out = new Output();
        exchanges.encoder.encode(query.message(), out);
        out.drain(buffer -> channel.writeAndFlush(new Datagram(buffer, null)));
    }

    private void failed(String what, @Nullable Throwable cause) {
        attempt.fail(
                new ResolveException(
                        ResolveException.Reason.CONNECTION,
                        attempt.server().server + ": " + what + ": " + cause,
                        cause));
    }

    @Override
    public Class<Datagram> messageType() {
        return Datagram.class;
    }

    @Override
    public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
        if (over) {
            return;
        }
        if (datagram.address() != null && !datagram.address().equals(server)) {
            misfit(Misfit.SOURCE);
            return;
        }
        Buffer content = datagram.content();
        int octets = content.readableBytes();
        long start = octets < 4 ? 0 : content.getUnsignedInt(content.readOffset());
        boolean exact = query.restore(content);
        DnsMessage response;
        try {
            response = exchanges.decoder.message(content);
        } catch (DnsException _) {
            boolean cut = (start & TC) != 0 && (start & QR) != 0;
            if (start >> 16 == query.message().id() && cut) {
                attempt.turnToTcp(null); // as some cut off, within a record
            } else {
                misfit(Misfit.MALFORMED);
            }
            return;
        }
        Misfit misfit = query.check(response, exact);
        if (misfit == null && octets > longest) {
            attempt.ignored(Misfit.LENGTH);
            attempt.turnToTcp(Misfit.LENGTH);
        } else if (misfit == null && response.flags().isTruncated()) {
            attempt.turnToTcp(null);
        } else if (misfit == null) {
            attempt.responded(response);
        } else if (isNearHit(misfit, response, exact)) {
            // Either a server that is odd, or a forger who has come close: a connection tells.
            attempt.ignored(misfit);
            attempt.turnToTcp(misfit);
        } else {
            misfit(misfit);
        }
    }

    private boolean isNearHit(Misfit misfit, DnsMessage response, boolean exact) {
        return switch (misfit) {
            case CASE -> true;
            case COOKIE -> exact && query.lacksCookie(response);
            case QUESTION -> response.questions().isEmpty() && Query.refuses(response);
            default -> false;
        };
    }

    private void misfit(Misfit why) {
        attempt.ignored(why);
        if (++misfits == exchanges.limits.misfits()) {
            attempt.turnToTcp(why); // somebody is guessing
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!over) {
            failed("no exchange of datagrams", cause);
        }
    }

    void close() {
        over = true;
        Future<Channel> future = opening;
        if (future != null) {
            Channel channel = future.now();
            if (channel != null) {
                var _ = channel.close();
            } else {
                future.cancel();
            }
        }
    }
}
