package io.weft.examples.proxy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.InterimListener;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Headers.Field;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.HttpServer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The part that proxies of HTTP have in common (RFC 9110, 7.6): messages without the fields of one
/// connection, and with Via.
final class Forwarding {
    /// Bytes of a request's body that are passed on, 413 beyond: 1 TiB.
    static final long MAX_BODY = 1L << 40;

    /// RFC 5842, 7.2.
    static final Status LOOP_DETECTED = Status.of(508);

    private static final int MAX_FORWARDS = 1_000_000_000;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final Pattern NOT_OF_CGI = Pattern.compile("[^a-z0-9]");

    private static final Duration SILENCE = Duration.ofSeconds(60);

    /// Of one connection, whether Connection names them or not (RFC 9110, 7.6.1).
    private static final List<HeaderName> HOP_BY_HOP =
            List.of(
                    HeaderName.CONNECTION,
                    HeaderName.KEEP_ALIVE,
                    HeaderName.PROXY_CONNECTION,
                    HeaderName.PROXY_AUTHENTICATE,
                    HeaderName.of("proxy-authentication-info"),
                    HeaderName.PROXY_AUTHORIZATION,
                    HeaderName.TE,
                    HeaderName.TRAILER,
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.UPGRADE,
                    HeaderName.of("http2-settings"));

    /// Fields that servers may take for another of these when they read other characters as "-", as
    /// CGI has it.
    private static final Set<HeaderName> DISGUISED =
            Set.of(HeaderName.CONTENT_LENGTH, HeaderName.HOST);

    /// A name that no other proxy has, so that a loop is found.
    private final String pseudonym =
            "weft-" + Integer.toHexString(new SecureRandom().nextInt() | 0x1000_0000);

    private final Field via10 = new Field(HeaderName.VIA, "1.0 " + pseudonym);
    private final Field via11 = new Field(HeaderName.VIA, "1.1 " + pseudonym);
    private final Field via2 = new Field(HeaderName.VIA, "2 " + pseudonym);

    /// A client that leaves messages as they are, and has limits for a proxy.
    static HttpClient.Builder client(EventLoopGroup group) {
        return HttpClient.builder()
                .group(group)
                .limits(
                        HttpClientLimits.DEFAULT
                                .withRedirects(0)
                                .withHeadTimeout(SILENCE)
                                .withStallTimeout(SILENCE)
                                .withTotalTimeout(Duration.ofDays(1))
                                .withPerOrigin(1024)
                                .withConnections(4096))
                .withoutDecompression()
                .withoutUserAgent();
    }

    /// Tells if this proxy has passed the request on before.
    boolean hasPassed(Request request) {
        for (String via : request.headers().all(HeaderName.VIA)) {
            if (via.contains(pseudonym)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the answer to a request that goes no further (RFC 9110, 7.6.2); null for one that
    /// does.
    @Nullable Response answerHere(Request request) {
        boolean counted =
                request.method().equals(Method.OPTIONS) || request.method().equals(Method.TRACE);
        if (counted && forwards(request) == 0) {
            return Response.of(
                    request.method().equals(Method.OPTIONS)
                            ? Status.NO_CONTENT
                            : Status.NOT_IMPLEMENTED);
        }
        return null;
    }

    /// Returns the request as it is passed on.
    ///
    /// @param named whether Connection has to name the fields of this connection, as over HTTP/1.1
    /// @throws IllegalArgumentException when a field cannot be passed on
    Request request(Request request, RequestTarget target, boolean named) {
        HeadersBuilder fields = endToEnd(request.headers());
        fields.remove(HeaderName.CONTENT_LENGTH); // the wire's affair
        if (request.version() == Version.HTTP_1_0 || request.body() instanceof Body.Empty) {
            fields.remove(HeaderName.EXPECT); // RFC 9110, 10.1.1; else the server answers it
        }
        if (request.headers().containsToken(HeaderName.TE, "trailers")) {
            fields.set(HeaderName.TE, "trailers"); // they are passed back
            if (named) {
                fields.set(HeaderName.CONNECTION, "te");
            }
        }
        int forwards = forwards(request);
        if (forwards > 0) {
            fields.set(HeaderName.MAX_FORWARDS, Integer.toString(forwards - 1));
        }
        // RFC 9112, 3.2.2: the target's host counts.
        String authority = request.target().authority();
        if (authority != null) {
            fields.set(HeaderName.HOST, authority);
        }
        fields.add(via(request.version()));
        return Request.of(request.method(), target)
                .withHeaders(fields.build())
                .withBody(request.body());
    }

    /// Returns how often the request may still be passed on (RFC 9110, 7.6.2), whatever zeros are
    /// before the number; one that is longer counts as the largest here. Returns -1 for none.
    private static int forwards(Request request) {
        String text = request.headers().first(HeaderName.MAX_FORWARDS);
        if (text == null || !DIGITS.matcher(text).matches()) {
            return -1;
        }
        String number = text.replaceFirst("^0+", "");
        return number.length() > 9 ? MAX_FORWARDS : number.isEmpty() ? 0 : Integer.parseInt(number);
    }

    /// @param received of the message
    private Field via(Version received) {
        return received == Version.HTTP_2 ? via2 : received == Version.HTTP_1_0 ? via10 : via11;
    }

    /// Returns the fields of an answer that switches protocols, as they are passed back.
    Headers switched(Headers answer) {
        return endToEnd(answer).add(via11).build();
    }

    /// Returns what passes interim answers to a request back (RFC 9110, 15.2). The client of the
    /// proxy is asked for its body when the server has asked for it.
    InterimListener interim(Request request) {
        return (status, headers) -> {
            HeadersBuilder fields = endToEnd(headers).remove(HeaderName.CONTENT_LENGTH);
            fields.add(via11);
            HttpServer.sendInterim(request, status, fields.build());
        };
    }

    /// Returns the answer as it is passed back, its body as a stream; 502 for one that cannot be.
    Response response(Request request, StreamedResponse answer) {
        try {
            return passable(request, answer);
        } catch (IllegalArgumentException e) {
            answer.close();
            return Response.problem(Status.BAD_GATEWAY, "the server's answer is malformed");
        }
    }

    private Response passable(Request request, StreamedResponse answer) {
        HeadersBuilder fields = endToEnd(answer.headers());
        fields.add(via11);
        int code = answer.status().code();
        boolean none = code == 204 || code == 205;
        if (none || code == 304 || request.method().equals(Method.HEAD)) {
            answer.close();
            if (none) {
                fields.remove(HeaderName.CONTENT_LENGTH); // RFC 9110, 8.6
            }
            return Response.of(answer.status(), fields.build(), Body.empty());
        }
        String length = answer.headers().first(HeaderName.CONTENT_LENGTH);
        boolean chunked = answer.headers().contains(HeaderName.TRANSFER_ENCODING);
        fields.remove(HeaderName.CONTENT_LENGTH); // the wire's affair
        return Response.of(
                answer.status(),
                fields.build(),
                length == null || chunked
                        ? Body.of(answer.source())
                        : Body.of(answer.source(), Long.parseLong(length)));
    }

    /// The cause of a failed stage.
    static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
    }

    /// The fields that are not of one connection.
    static HeadersBuilder endToEnd(Headers headers) {
        HeadersBuilder kept = headers.toBuilder();
        for (String value : headers.all(HeaderName.CONNECTION)) {
            for (String option : value.split(",", -1)) {
                HeaderName name = name(option.strip());
                // Without Host another one would be asked.
                if (name != null && name != HeaderName.HOST) {
                    kept.remove(name);
                }
            }
        }
        for (HeaderName name : HOP_BY_HOP) {
            kept.remove(name);
        }
        for (int i = 0; i < headers.size(); i++) {
            HeaderName name = headers.name(i);
            if (isDisguised(name)) {
                kept.remove(name);
            }
        }
        return kept;
    }

    private static @Nullable HeaderName name(String text) {
        return !text.isEmpty() && text.chars().allMatch(HeaderName::isTokenChar)
                ? HeaderName.of(text)
                : null;
    }

    private static boolean isDisguised(HeaderName name) {
        if (name.number() != 0) {
            return false; // a listed name is its own
        }
        String own = name.toString();
        String dashed = NOT_OF_CGI.matcher(own).replaceAll("-");
        return !dashed.equals(own) && isOfHop(HeaderName.of(dashed));
    }

    private static boolean isOfHop(HeaderName name) {
        return DISGUISED.contains(name) || HOP_BY_HOP.contains(name) || Claims.has(name);
    }
}
