package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.ResponseCode;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One question to one server: over UDP, then over TCP if the response is not to be had or not to
/// be believed, or over a connection from the start. Loop only.
final class Attempt {
    /// Connections that may end before the response comes, each after it has answered others; the
    /// deadline of the attempt holds for all of them together.
    private static final int MAX_CONNECTIONS_ENDED = 64;

    private final Exchanges exchanges;
    private final ServerState server;
    private final Ask ask;
    private final boolean isHedge;
    private final Race race;

    private @Nullable UdpQuery datagram;
    private @Nullable StreamConnection connection;
    private int streamId = -1;
    private @Nullable Future<DnsMessage> custom;
    private @Nullable Timeout deadline;
    private long expires;
    private long sentAt;
    private boolean withEdns;
    private boolean cookieTried;
    private boolean caseDiffered;
    private boolean cookieLacked;
    private int connectionsEnded;
    private boolean over;

    Attempt(Exchanges exchanges, ServerState server, Ask ask, boolean isHedge, Race race) {
        this.exchanges = exchanges;
        this.server = server;
        this.ask = ask;
        this.isHedge = isHedge;
        this.race = race;
    }

    ServerState server() {
        return server;
    }

    void start() {
        arm();
        switch (server.server) {
            case DnsServer.Plain plain -> {
                if (plain.tcpOnly() || config().useTcp()) {
                    overConnection(plain.address(), null);
                } else {
                    overUdp(plain.address());
                }
            }
            case DnsServer.Tls tls -> {
                InetSocketAddress fallback = tls.fallback();
                if (fallback != null && !server.takesTls(now())) {
                    overUdp(fallback);
                } else {
                    overConnection(tls.address(), tls);
                }
            }
            case DnsServer.Custom other -> overTransport(other);
        }
    }

    private ResolverConfig config() {
        return ask.epoch().config();
    }

    private long now() {
        return exchanges.loop.clock().nanoTime();
    }

    private void arm() {
        expires = now() + config().timeout().toNanos();
        schedule();
    }

    /// Sets the timer: one for the time-out and for those who wait for the race.
    void schedule() {
        cancelDeadline();
        long now = now();
        long nanos = Math.min(Math.max(expires - now, 0), race.left(now));
        deadline = exchanges.loop.schedule(this::late, nanos, TimeUnit.NANOSECONDS);
    }

    private void late() {
        race.late();
        if (over) {
            return;
        }
        if (expires - now() > 0) {
            schedule(); // some wait longer than the first of them
            return;
        }
        if (connection != null) {
            connection.timedOut(sentAt);
        }
        fail(
                new ResolveException(
                        ResolveException.Reason.TIMEOUT,
                        server.server
                                + ": no response to "
                                + ask.question()
                                + " within "
                                + config().timeout()));
    }

    // ---- UDP ----

    private void overUdp(InetSocketAddress address) {
        withEdns = config().edns() && server.takesEdns(now());
        DnsName name = ask.question().name();
        DnsName spelling = server.foldsCase ? name : exchanges.secrets.mixed(name);
        Octets cookie = null;
        Edns edns = null;
        if (withEdns) {
            Octets theirs = server.serverCookie;
            cookie = server.clientCookie;
            edns = ask.edns(new EdnsOption.Cookie(cookie, theirs == null ? Octets.EMPTY : theirs));
        }
        DnsMessage message = ask.query(exchanges.secrets.id(), spelling, edns);
        Query query =
                new Query(message, name, cookie, cookie != null && server.serverCookie != null);
        sending(DnsCounter.SENT_UDP, "udp");
        UdpPorts ports = server.ports(exchanges, address);
        UdpQuery made = new UdpQuery(exchanges, ports, address, query, this);
        datagram = made;
        made.start();
    }

    private void sending(DnsCounter counter, String over) {
        sentAt = now();
        exchanges.tally.count(counter);
        exchanges.tally.tell(o -> o.sent(ask.question(), server.server, over, isHedge));
    }

    /// A message came that is not the response.
    void ignored(Misfit why) {
        exchanges.tally.count(DnsCounter.IGNORED);
        exchanges.tally.tell(o -> o.ignored(ask.question(), server.server, why));
    }

    /// The response over UDP is not to be had: it is cut off, or several came, of which most are
    /// forged, or its case differs.
    void turnToTcp(@Nullable Misfit why) {
        if (over) {
            return;
        }
        caseDiffered = why == Misfit.CASE;
        cookieLacked = why == Misfit.COOKIE;
        endDatagram();
        exchanges.tally.count(why == null ? DnsCounter.TRUNCATED : DnsCounter.TURNED_TO_TCP);
        exchanges.tally.tell(o -> o.turnedToTcp(ask.question(), server.server));
        arm();
        overConnection(plainAddress(), null);
    }

    private InetSocketAddress plainAddress() {
        return switch (server.server) {
            case DnsServer.Plain plain -> plain.address();
            case DnsServer.Tls tls -> Objects.requireNonNull(tls.fallback());
            case DnsServer.Custom _ -> throw new IllegalStateException("custom");
        };
    }

    // ---- connections ----

    private void overConnection(InetSocketAddress address, DnsServer.@Nullable Tls tls) {
        withEdns = config().edns() && server.takesEdns(now());
        DnsName name = ask.question().name();
        DnsName spelling = caseDiffered ? exchanges.secrets.mixed(name) : name;
        StreamConnection open = server.connection;
        if (open == null || !open.takesQueries() || open.isTls() != (tls != null)) {
            if (open != null) {
                open.retire();
            }
            open = new StreamConnection(exchanges, server, address, tls, config().timeout());
            server.connection = open;
            exchanges.tally.count(DnsCounter.CONNECTIONS);
            open.start();
        }
        connection = open;
        sending(
                tls == null ? DnsCounter.SENT_TCP : DnsCounter.SENT_TLS,
                tls == null ? "tcp" : "tls");
        List<EdnsOption> options =
                cookieLacked
                        ? List.of(new EdnsOption.Cookie(server.clientCookie, Octets.EMPTY))
                        : List.of();
        streamId = open.ask(ask, spelling, withEdns, options, this);
        if (server.isRetired()) {
            open.retire();
        }
    }

    /// The connection ended before the response came.
    void connectionFailed(StreamConnection ended, ResolveException cause) {
        if (over || connection != ended) {
            return;
        }
        connection = null;
        if (server.server instanceof DnsServer.Tls tls
                && tls.fallback() != null
                && ended.isTls()
                && !ended.wasReady()) {
            // RFC 7858, 4.1: opportunistic privacy falls back to clear text.
            server.noTls(now());
            arm();
            overUdp(tls.fallback());
        } else if (ended.hasAnswered() && ++connectionsEnded <= MAX_CONNECTIONS_ENDED) {
            // RFC 7766, 6.2.4: it was idle, or has answered as many as the server allows on one.
            overAnother(ended);
        } else {
            fail(cause);
        }
    }

    /// Asks over a connection of the same kind: one in the clear leads to a port without TLS, also
    /// to a server that has TLS at another.
    private void overAnother(StreamConnection before) {
        boolean secure = before.isTls();
        overConnection(
                before.address(),
                secure && server.server instanceof DnsServer.Tls tls ? tls : null);
    }

    // ---- transports ----

    private void overTransport(DnsServer.Custom other) {
        sending(DnsCounter.SENT_CUSTOM, "custom");
        withEdns = config().edns() && server.takesEdns(now());
        DnsMessage message = ask.query(0, ask.question().name(), withEdns ? ask.edns() : null);
        Query query = new Query(message, ask.question().name(), null, false);
        Future<DnsMessage> exchange;
        try {
            exchange =
                    Objects.requireNonNull(
                            other.transport().exchange(message, exchanges.loop), "future");
        } catch (RuntimeException | Error e) {
            exchange = Promise.failed(exchanges.loop, e);
        }
        custom = exchange;
        var _ =
                exchange.addListener(
                        outcome -> {
                            DnsMessage response = outcome.now();
                            if (response == null) {
                                Throwable cause =
                                        Objects.requireNonNullElseGet(
                                                outcome.cause(), CancellationException::new);
                                fail(
                                        new ResolveException(
                                                ResolveException.Reason.CONNECTION,
                                                server.server + ": " + cause,
                                                cause));
                                return;
                            }
                            Misfit misfit = query.checkStream(response.id(0));
                            if (misfit == null) {
                                responded(response);
                            } else {
                                ignored(misfit);
                                fail(
                                        new ResolveException(
                                                ResolveException.Reason.CONNECTION,
                                                server.server + ": a response that does not fit"));
                            }
                        });
    }

    // ---- the end ----

    /// A response that fits.
    void responded(DnsMessage response) {
        if (over) {
            return;
        }
        boolean udp = datagram != null;
        endDatagram();
        exchanges.tally.count(DnsCounter.RESPONSES);
        long took = now() - sentAt;
        server.measured(took);
        ResponseCode code = response.code();
        exchanges.tally.tell(
                o -> o.responded(ask.question(), server.server, code, Duration.ofNanos(took)));
        if (udp) {
            EdnsOption.Cookie cookie = Query.cookieOf(response);
            if (cookie != null && cookie.server().length() > 0) {
                server.serverCookie = cookie.server();
            }
        } else if (cookieLacked && Query.cookieOf(response) == null) {
            server.serverCookie = null; // it has stopped to use them
        } else if (caseDiffered && !response.questions().isEmpty()) {
            // Nobody forges a connection's responses: the server does not keep the case.
            server.foldsCase = !connectionKeptCase(response);
        }
        if (code.equals(ResponseCode.BADCOOKIE) && udp) {
            if (cookieTried) {
                turnToTcp(Misfit.COOKIE); // RFC 7873, 5.3
            } else {
                cookieTried = true;
                overUdp(plainAddress());
            }
        } else if (withEdns && response.edns() == null && refusesEdns(code)) {
            server.noEdns(now());
            startAgain(udp);
        } else if (!udp && response.flags().isTruncated()) {
            fail(
                    new ResolveException(
                            ResolveException.Reason.SERVER,
                            server.server + ": a response that is cut off, over a connection"));
        } else {
            over = true;
            cancelDeadline();
            race.responded(this, response);
        }
    }

    private boolean connectionKeptCase(DnsMessage response) {
        DnsName sent = sentSpelling;
        return sent != null && response.questions().getFirst().name().equalsExactly(sent);
    }

    /// The spelling of the name in the query on the connection that this response is for.
    private @Nullable DnsName sentSpelling;

    void spelled(DnsName spelling) {
        sentSpelling = spelling;
    }

    /// RFC 6891, 7.
    private static boolean refusesEdns(ResponseCode code) {
        return code.equals(ResponseCode.FORMERR) || code.equals(ResponseCode.NOTIMP);
    }

    private void startAgain(boolean udp) {
        arm();
        if (udp) {
            overUdp(plainAddress());
        } else if (connection != null) {
            overAnother(connection);
        } else if (server.server instanceof DnsServer.Custom other) {
            overTransport(other);
        }
    }

    void fail(ResolveException cause) {
        if (!over) {
            cancel();
            race.failed(this, cause);
        }
    }

    /// Gives the attempt up.
    void cancel() {
        over = true;
        cancelDeadline();
        endDatagram();
        if (connection != null) {
            connection.forget(streamId);
        }
        if (custom != null) {
            custom.cancel();
        }
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
    }

    private void endDatagram() {
        if (datagram != null) {
            datagram.close();
            datagram = null;
        }
    }
}
