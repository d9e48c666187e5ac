package io.weft.http.server;

import io.weft.channel.Channel;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.server.exchange.Exchange;
import io.weft.http.server.exchange.RequestPeer;
import org.jspecify.annotations.Nullable;

/// Makes requests of heads, and has them answered. The same head again makes the same request:
/// clients that keep a connection busy mostly ask the same. One that was not answered at once is
/// made anew, since its handler may still send interim responses to it later.
final class Http1Requests {
    private final ServerLoop server;
    private final Exchange exchange;
    private @Nullable RequestHead lastHead;
    private @Nullable Request last;

    /// Tells the request that was made last from those before, to interim responses.
    private @Nullable Object ticket;

    private @Nullable Channel channel;
    private RequestPeer.@Nullable Interims way;
    private @Nullable Peer peer;

    Http1Requests(ServerLoop server, Exchange exchange) {
        this.server = server;
        this.exchange = exchange;
    }

    /// @param from that requests come on
    /// @param interims sends those to the request that [#isLast] by what it is given
    void attach(Channel from, RequestPeer.Interims interims) {
        channel = from;
        way = interims;
    }

    /// The request of a head, before its body.
    Request of(RequestHead head) {
        if (head != lastHead || last == null) {
            lastHead = head;
            last =
                    Request.of(
                            head.method(),
                            head.target(),
                            head.version(),
                            headers(head),
                            Body.empty(),
                            peer());
        }
        return last;
    }

    /// The host of a target in absolute form takes the place of Host, which no handler must believe
    /// then (RFC 9112, 3.2.2).
    private static Headers headers(RequestHead head) {
        Headers headers = head.headers();
        RequestTarget target = head.target();
        String authority = target.authority();
        if (authority == null || target.form() != RequestTarget.Form.ABSOLUTE) {
            return headers;
        }
        int host = headers.indexOf(HeaderName.HOST, 0);
        return host >= 0 && headers.valueIs(host, authority)
                ? headers
                : headers.with(HeaderName.HOST, authority);
    }

    /// Tells if the peer that was given `ticket` is that of the request that was made last.
    boolean isLast(Object issued) {
        return issued == ticket;
    }

    private @Nullable Peer peer() {
        Channel on = channel;
        RequestPeer.Interims interims = way;
        if (on == null || interims == null) {
            return null;
        }
        Peer there = peer == null ? new ChannelPeer(on) : peer;
        peer = there;
        Object issued = new Object(); // the head may be that of other requests, too
        ticket = issued;
        return new RequestPeer(there, on.eventLoop(), interims, issued);
    }

    /// Has a request answered, by HTTP/2 if it upgrades the connection to that.
    ///
    /// @param streamed null for a body that the exchange has collected
    void handle(RequestHead head, @Nullable Body streamed, Headers trailers) {
        H2cUpgrade http2 =
                server.upgrades() && channel != null ? H2cUpgrade.of(head, channel) : null;
        if (http2 == null) {
            exchange.handle(of(head), whole(head, streamed, trailers));
            if (!exchange.isAtRest()) {
                last = null;
            }
        } else {
            exchange.upgrade(of(head), http2.response(server));
        }
    }

    /// The request of a head, with its body.
    private Request whole(RequestHead head, @Nullable Body streamed, Headers trailers) {
        Request begun = of(head);
        if (head.framing() == Framing.NONE) {
            return begun;
        }
        Request whole = begun.withBody(streamed == null ? exchange.body().take() : streamed);
        return trailers.isEmpty() ? whole : whole.withTrailers(trailers);
    }

    /// Keeps nothing, not even the channel.
    void forget() {
        last = null;
        lastHead = null;
        ticket = null;
        peer = null;
        channel = null;
        way = null;
    }
}
