package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsException;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.engine.Datagram;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// One query over UDP, at a port that it has for itself until it is over. Loop only.
final class UdpQuery {
    private static final int TC = 0x0200;
    private static final int QR = 0x8000;

    private final Exchanges exchanges;
    private final UdpPorts ports;
    private final InetSocketAddress server;
    private final Query query;
    private final Attempt attempt;
    private final int longest;
    private @Nullable UdpPort port;
    private int misfits;
    private boolean answered;
    private boolean over;

    UdpQuery(
            Exchanges exchanges,
            UdpPorts ports,
            InetSocketAddress server,
            Query query,
            Attempt attempt) {
        this.exchanges = exchanges;
        this.ports = ports;
        this.server = server;
        this.query = query;
        this.attempt = attempt;
        Edns edns = query.message().edns();
        longest = edns == null ? DnsEncoder.MIN_DATAGRAM : edns.payloadSize();
    }

    void start() {
        ports.lend(this);
    }

    /// It waits for its response at `lent`.
    void at(UdpPort lent) {
        port = lent;
    }

    /// Its port is open.
    void begin(UdpPort lent) {
        try (Output out = new Output()) {
            exchanges.encoder.encode(query.message(), out);
            out.drain(lent::send);
        }
    }

    /// There is no port, or its socket has failed.
    void broken(@Nullable Throwable cause) {
        if (!over) {
            failed("no exchange of datagrams", cause);
        }
    }

    private void failed(String what, @Nullable Throwable cause) {
        attempt.fail(
                new ResolveException(
                        ResolveException.Reason.CONNECTION,
                        attempt.server().server + ": " + what + ": " + cause,
                        cause));
    }

    void received(Datagram datagram) {
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
        DnsMessage message;
        try {
            message = exchanges.decoder.message(content);
        } catch (DnsException _) {
            boolean response = start >> 16 == query.message().id() && (start & QR) != 0;
            if (response && (start & TC) != 0) {
                attempt.turnToTcp(null); // as some cut off, within a record
            } else if (response && octets > longest) {
                attempt.ignored(Misfit.LENGTH); // and perhaps not received as a whole
                attempt.turnToTcp(Misfit.LENGTH);
            } else if (response) {
                // Either the server says so to all, or a forger has come close: a connection tells.
                attempt.ignored(Misfit.MALFORMED);
                attempt.turnToTcp(Misfit.MALFORMED);
            } else {
                misfit(Misfit.MALFORMED);
            }
            return;
        }
        Misfit misfit = query.check(message, exact);
        if (misfit == null && octets > longest) {
            attempt.ignored(Misfit.LENGTH);
            attempt.turnToTcp(Misfit.LENGTH);
        } else if (misfit == null && message.flags().isTruncated()) {
            answered = misfits == 0;
            attempt.turnToTcp(null);
        } else if (misfit == null) {
            answered = misfits == 0;
            attempt.responded(message);
        } else if (isNearHit(misfit, message, exact)) {
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

    void close() {
        if (over) {
            return;
        }
        over = true;
        UdpPort lent = port;
        if (lent != null) {
            port = null;
            ports.giveBack(lent, answered);
        }
    }
}
