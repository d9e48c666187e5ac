package io.weft.examples.proxy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Example;
import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.handler.haproxy.TrustedProxies;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.Origin;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.Method;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServerLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Passes requests on to servers, bodies streamed both ways. Clients speak HTTP/1.1 or 2, servers
/// HTTP/1.1, or 2 with `--upstream-http 2`. Each message is decoded and encoded anew, so that none
/// is taken for two behind it; hop-by-hop fields stay here; Forwarded and X-Forwarded-* tell who
/// asked, and are believed of the proxies in `--trust BLOCK` alone.
///
/// A request for WebSocket opens a tunnel where the server agrees, over HTTP/2 by an extended
/// CONNECT (RFC 8441); other upgrades are not passed on, and an extended CONNECT for another
/// protocol is answered with 501. A tunnel in which nothing passes in either direction for the
/// `--idle-timeout`, one hour by default, is aborted, half-closed ones too.
///
/// `--to https://HOST:PORT` speaks TLS to a server, whose certificate is for that host, issued by
/// an authority of the system or of `--upstream-ca FILE`.
///
/// `--health PATH` asks each server for that path every `--health-interval` milliseconds, and
/// leaves out those that do not answer with 2xx. A server that cannot be connected to is left out
/// for a while, and a request without a body whose method is idempotent is tried at another one.
///
/// `--accept-proxy BLOCK` expects the PROXY protocol of clients with these addresses, and
/// `--send-proxy v2` begins connections to servers with it.
///
/// Try it with `./run-example.sh reverse-proxy --to 127.0.0.1:8081 --to 127.0.0.1:8082`.
public final class ReverseProxy {
    private static final String USAGE =
            "reverse-proxy --to [https://]HOST:PORT [--to ...] [--upstream-ca FILE]"
                    + " [--upstream-http 1.1|2] [--health PATH]"
                    + " [--health-interval MILLISECONDS, default 2000] [--trust BLOCK ...]"
                    + " [--accept-proxy BLOCK ...] [--send-proxy v2]"
                    + " [--idle-timeout SECONDS, default 3600] [options]";
    private static final Set<Method> IDEMPOTENT =
            Set.of(
                    Method.GET,
                    Method.HEAD,
                    Method.OPTIONS,
                    Method.TRACE,
                    Method.PUT,
                    Method.DELETE);

    private final Forwarding forwarding = new Forwarding();
    private final Upstreams upstreams;
    private final UpstreamTls tls;
    private final Map<InetSocketAddress, Origin> origins = new HashMap<>();
    private final TrustedProxies trusted;
    private final @Nullable HeadedConnections headed;
    private final HttpClient client;
    private final HttpProtocol protocol;
    private final Duration idle;

    private ReverseProxy(
            Upstreams upstreams,
            UpstreamTls tls,
            TrustedProxies trusted,
            @Nullable HeadedConnections headed,
            HttpClient client,
            HttpProtocol protocol,
            Duration idle) {
        this.upstreams = upstreams;
        this.tls = tls;
        this.trusted = trusted;
        this.headed = headed;
        this.client = client;
        this.protocol = protocol;
        this.idle = idle;
        if (headed == null) {
            for (InetSocketAddress server : upstreams.servers()) {
                origins.put(server, named(server, ForwardedRequest.authority(server)));
            }
        }
    }

    public static void main(String[] args) {
        Extras extras = extras(args);
        Example.main(Taken.SOCKETS, 8090, extras.others(), options -> start(options, extras));
    }

    static Extras extras(String... args) {
        return Extras.take(
                args,
                USAGE,
                "--to",
                UpstreamTls.CA,
                "--upstream-http",
                "--health",
                "--health-interval",
                "--trust",
                "--accept-proxy",
                "--send-proxy",
                IdleTimeout.OPTION);
    }

    static Example.Running start(Options options, Extras extras) {
        if (extras.all("--to").isEmpty()) {
            throw new IllegalArgumentException("--to: missing (expected: " + USAGE + ")");
        }
        HttpProtocol protocol = protocol(extras.last("--upstream-http"));
        UpstreamTls tls = UpstreamTls.of(extras, protocol);
        boolean sendsHeader = HeadedConnections.areAskedFor(extras);
        if (!tls.secure().isEmpty() && sendsHeader) {
            throw new IllegalArgumentException(
                    "--send-proxy: before TLS (expected: --to HOST:PORT or http://HOST:PORT)");
        }
        Upstreams upstreams = new Upstreams(tls.servers());
        TrustedProxies trusted =
                TrustedProxies.of(extras.all("--trust").toArray(String[]::new)).withDirect();
        Duration idle = IdleTimeout.of(extras);
        Duration interval = interval(extras.last("--health-interval"));
        String[] proxies = extras.all("--accept-proxy").toArray(String[]::new);
        TrustedProxies accepted = TrustedProxies.of(proxies);
        HeadedConnections headed = sendsHeader ? new HeadedConnections(upstreams.servers()) : null;
        UnaryOperator<HttpClient.Builder> way =
                builder -> {
                    var client = tls.client(builder.protocol(protocol));
                    return headed == null ? client : client.tunnel(headed);
                };
        // The same loops for both sides: a request changes no threads.
        EventLoopGroup group = EventLoopGroup.create(options.transport(), options.loops());
        HttpClient client = way.apply(Forwarding.client(group)).build();
        ReverseProxy proxy =
                new ReverseProxy(upstreams, tls, trusted, headed, client, protocol, idle);
        HealthChecks checks = proxy.checks(group, way, extras.last("--health"), interval);
        HttpServerLimits limits = HttpServerLimits.DEFAULT.withStreamedBody(Forwarding.MAX_BODY);
        return Example.http(
                        options,
                        builder -> {
                            var streaming =
                                    builder.group(group)
                                            .limits(limits)
                                            .streaming(PendingAnswer.handler(proxy::handle));
                            return proxies.length == 0
                                    ? streaming
                                    : streaming.proxyProtocol(accepted);
                        })
                .andThen(checks == null ? () -> {} : checks::close)
                .andThen(client::close)
                .andThen(group::close)
                .andThen(tls::close);
    }

    private static HttpProtocol protocol(@Nullable String version) {
        return switch (version) {
            case null -> HttpProtocol.HTTP_1_1;
            case "1.1" -> HttpProtocol.HTTP_1_1;
            case "2" -> HttpProtocol.HTTP_2;
            default ->
                    throw new IllegalArgumentException(
                            "--upstream-http: " + version + " (expected: 1.1 or 2)");
        };
    }

    private static Duration interval(@Nullable String millis) {
        if (millis == null) {
            return Duration.ofSeconds(2);
        }
        if (!millis.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "--health-interval: " + millis + " (expected: milliseconds)");
        }
        return Duration.ofMillis(Integer.parseInt(millis));
    }

    private @Nullable HealthChecks checks(
            EventLoopGroup group,
            UnaryOperator<HttpClient.Builder> way,
            @Nullable String path,
            Duration interval) {
        if (path == null) {
            return null;
        }
        RequestTarget asked = RequestTarget.of(path);
        String rest = asked.pathAndQuery();
        return new HealthChecks(
                group,
                upstreams,
                way,
                server -> RequestTarget.of(origin(server, null) + rest),
                interval);
    }

    private CompletableFuture<Response> handle(Request request) {
        Response own = forwarding.answerHere(request);
        if (own != null) {
            return CompletableFuture.completedFuture(own);
        }
        RequestTarget.Form form = request.target().form();
        if (form == RequestTarget.Form.AUTHORITY || form == RequestTarget.Form.ASTERISK) {
            return answer(Status.NOT_IMPLEMENTED, "only requests for resources are passed on");
        }
        if (forwarding.hasPassed(request)) {
            return answer(Forwarding.LOOP_DETECTED, "this request was here before");
        }
        if (WebSocketPassage.isOtherTunnel(request)) {
            return answer(Status.NOT_IMPLEMENTED, "only tunnels of WebSocket are passed on");
        }
        PendingAnswer answer = new PendingAnswer();
        attempt(request, Set.of(), answer);
        return answer;
    }

    private static CompletableFuture<Response> answer(Status status, String why) {
        return CompletableFuture.completedFuture(Response.problem(status, why));
    }

    private void attempt(Request request, Set<InetSocketAddress> tried, PendingAnswer answer) {
        InetSocketAddress server = upstreams.next(tried);
        if (server == null) {
            Status status = tried.isEmpty() ? Status.SERVICE_UNAVAILABLE : Status.BAD_GATEWAY;
            answer.answer(Response.problem(status, "no server is there"));
            return;
        }
        Origin origin = origin(server, request.peer());
        Request forwarded;
        @Nullable WebSocketPassage passage;
        try {
            passage =
                    WebSocketPassage.isAskedFor(request)
                            ? new WebSocketPassage(request, idle)
                            : null;
            RequestTarget target = target(request.target());
            Request stripped =
                    forwarding.request(
                            request,
                            passage == null ? target : RequestTarget.of(origin + target.toString()),
                            protocol == HttpProtocol.HTTP_1_1);
            forwarded = ForwardedRequest.of(stripped, request.peer(), trusted, server);
        } catch (IllegalArgumentException e) {
            answer.answer(Response.problem(Status.BAD_REQUEST, "a field that cannot be passed on"));
            return;
        }
        CompletableFuture<StreamedResponse> call =
                passage == null
                        ? client.openAsync(forwarded, origin, forwarding.interim(request))
                        : client.upgradeAsync(passage.asking(forwarded), passage);
        answer.during(call);
        var _ =
                call.whenComplete(
                        (response, thrown) -> {
                            if (response != null && passage != null && passage.isOpen()) {
                                answer.answer(
                                        passage.answer(forwarding.switched(response.headers())));
                            } else if (response != null) {
                                answer.answer(forwarding.response(request, response));
                            } else if (!answer.isDone()) {
                                failed(
                                        request,
                                        tried,
                                        server,
                                        Forwarding.unwrapped(thrown),
                                        answer);
                            }
                        });
    }

    private void failed(
            Request request,
            Set<InetSocketAddress> tried,
            InetSocketAddress server,
            Throwable why,
            PendingAnswer answer) {
        boolean late = why instanceof HttpClientException.TimedOut;
        if (late || why instanceof HttpClientException.ConnectFailed) {
            upstreams.failed(server);
        }
        // RFC 9110, 9.2.2. A body that was read cannot be sent again.
        boolean repeats =
                IDEMPOTENT.contains(request.method()) && request.body() instanceof Body.Empty;
        if (repeats && tried.size() + 1 < upstreams.servers().size()) {
            Set<InetSocketAddress> all = new HashSet<>(tried);
            all.add(server);
            attempt(request, all, answer);
            return;
        }
        answer.answer(
                late
                        ? Response.problem(Status.GATEWAY_TIMEOUT, "the server does not answer")
                        : Response.problem(Status.BAD_GATEWAY, "the server cannot be reached"));
    }

    /// Returns what requests of `client` to `server` are sent to.
    private Origin origin(InetSocketAddress server, @Nullable Peer client) {
        return headed == null
                ? Objects.requireNonNull(origins.get(server))
                : named(server, headed.name(server, client));
    }

    private Origin named(InetSocketAddress server, String authority) {
        return Origin.of(RequestTarget.of(tls.scheme(server) + authority));
    }

    /// Returns the target without the origin that the client has asked.
    private static RequestTarget target(RequestTarget asked) {
        if (asked.form() == RequestTarget.Form.ORIGIN) {
            return asked;
        }
        return RequestTarget.of(asked.pathAndQuery());
    }
}
