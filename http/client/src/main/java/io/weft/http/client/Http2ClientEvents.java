package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.ResponseHead;
import io.weft.http.http2.Setting;
import io.weft.http.http2.Settings;
import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// Events of an HTTP/2 connection: those of a stream go to the exchange that it was opened for, the
/// others to the [Http2ClientConnection]. A stream whose exchange is over has none.
///
/// Thread: the channel's loop.
final class Http2ClientEvents implements Http2Events {
    private final Http2ClientConnection connection;

    Http2ClientEvents(Http2ClientConnection connection) {
        this.connection = connection;
    }

    private static @Nullable Http2Wire wire(Http2Stream stream) {
        return (Http2Wire) stream.attachment();
    }

    @Override
    public void response(Http2Stream stream, ResponseHead head, boolean end) {
        Http2Wire wire = wire(stream);
        if (wire == null) {
            return;
        }
        ClientExchange exchange = wire.exchange();
        exchange.answered();
        if (head.status().isInformational()) {
            exchange.interim(head.status(), head.headers());
            return;
        }
        if (exchange.offersTunnel() && head.status().code() / 100 == 2) {
            wire.open(head.status(), head.headers());
            if (end) {
                wire.ended(Headers.EMPTY);
            }
            return;
        }
        boolean empty = end || wire.isHead() || head.status().isWithoutContent();
        exchange.head(head.status(), head.headers(), empty);
        exchange.respond();
        if (end) {
            exchange.end(Headers.EMPTY);
        }
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        Http2Wire wire = wire(stream);
        if (wire == null) {
            data.release();
            return;
        }
        wire.received(stream, data);
        if (end) {
            wire.ended(Headers.EMPTY);
        }
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {
        Http2Wire wire = wire(stream);
        if (wire != null) {
            wire.ended(trailers);
        }
    }

    @Override
    public void reset(Http2Stream stream, int code) {
        Http2Wire wire = wire(stream);
        if (wire != null) {
            connection.reset(wire, code);
        }
    }

    @Override
    public void send(Http2Stream stream) {
        Http2Wire wire = wire(stream);
        if (wire != null) {
            wire.turn();
        }
    }

    @Override
    public void settings(Settings settings) {
        connection.allows(settings.get(Setting.MAX_CONCURRENT_STREAMS));
    }

    @Override
    public void goAway(int lastStream, int code, String debug) {
        connection.goneAway(code, debug);
    }

    @Override
    public void failed(Http2Exception cause) {
        connection.failed(cause);
    }
}
