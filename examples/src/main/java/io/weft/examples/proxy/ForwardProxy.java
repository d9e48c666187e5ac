package io.weft.examples.proxy;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Example;
import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.client.Origin;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServerLimits;
import io.weft.http.server.Upgrade;
import io.weft.resolver.names.NameResolver;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A forward proxy for clients such as browsers: CONNECT opens a tunnel, and a request in absolute
/// form is passed on to its server. Each message is decoded and encoded anew, hop-by-hop fields
/// stay here, and Via tells the way (RFC 9110, 7.6).
///
/// Unless told otherwise it serves clients on this machine alone: `--allow BLOCK` lets others in,
/// `--user NAME:PASSWORD` asks for a login (Basic), `--deny-to BLOCK` refuses destinations. Tunnels
/// go to port 443, and requests in absolute form to 80 and those from 1024; `--connect-port N` or
/// `any` permits more ports to both. It does not listen on other addresses than loopback without
/// one of the first two, and refuses there to connect to loopback and the link but for
/// `--permit-to BLOCK`.
///
/// A tunnel in which nothing passes in either direction for the `--idle-timeout`, one hour by
/// default, is aborted, half-closed ones too.
///
/// Try it with `curl -x http://127.0.0.1:3128 https://example.org`; with `--tls`, `-x https://…`.
public final class ForwardProxy {
    private static final String USAGE =
            "http-proxy [--allow BLOCK ...] [--user NAME:PASSWORD] [--deny-to BLOCK ...]"
                    + " [--permit-to BLOCK ...] [--connect-port N|any ..., default 443]"
                    + " [--idle-timeout SECONDS, default 3600] [options]";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final ProxyRules rules;
    private final Forwarding forwarding;
    private final EventLoopGroup group;
    private final NameResolver names;
    private final HttpClient client;
    private final Duration idle;

    private ForwardProxy(ProxyRules rules, EventLoopGroup group, Duration idle) {
        this.rules = rules;
        this.idle = idle;
        this.group = group;
        this.names = rules.guard(NameResolver.standard());
        this.forwarding = new Forwarding();
        this.client = Forwarding.client(group).bootstrap(b -> b.resolver(names)).build();
    }

    public static void main(String[] args) {
        Extras extras = extras(args);
        Example.main(Taken.SOCKETS, 3128, extras.others(), options -> start(options, extras));
    }

    static Extras extras(String... args) {
        return Extras.take(
                args,
                USAGE,
                "--allow",
                "--user",
                Destinations.DENY,
                Destinations.PERMIT,
                "--connect-port",
                IdleTimeout.OPTION);
    }

    static Example.Running start(Options options, Extras extras) {
        ProxyRules rules = ProxyRules.of(options, extras);
        Duration idle = IdleTimeout.of(extras);
        EventLoopGroup group = EventLoopGroup.create(options.transport(), options.loops());
        ForwardProxy proxy = new ForwardProxy(rules, group, idle);
        HttpServerLimits limits = HttpServerLimits.DEFAULT.withStreamedBody(Forwarding.MAX_BODY);
        return Example.http(
                        options,
                        builder ->
                                builder.group(group)
                                        .limits(limits)
                                        .streaming(PendingAnswer.handler(proxy::handle)))
                .andThen(proxy.client::close)
                .andThen(group::close);
    }

    private CompletableFuture<Response> handle(Request request) {
        if (!rules.admits(request.peer())) {
            return answer(Status.FORBIDDEN, "this proxy does not serve your address");
        }
        if (!rules.accepts(request.headers().first(HeaderName.PROXY_AUTHORIZATION))) {
            return CompletableFuture.completedFuture(
                    Response.problem(Status.of(407), "this proxy asks for a login")
                            .withHeader(
                                    "proxy-authenticate",
                                    "Basic realm=\"weft\", charset=\"UTF-8\""));
        }
        if (forwarding.hasPassed(request)) {
            return answer(Forwarding.LOOP_DETECTED, "this request was here before");
        }
        return switch (request.target().form()) {
            case AUTHORITY -> connect(request);
            case ABSOLUTE -> forward(request);
            case ORIGIN, ASTERISK ->
                    answer(Status.BAD_REQUEST, "a proxy expects CONNECT, or http://host/path");
        };
    }

    private static CompletableFuture<Response> answer(Status status, String why) {
        return CompletableFuture.completedFuture(Response.problem(status, why));
    }

    // ---- absolute form ----

    private CompletableFuture<Response> forward(Request request) {
        if (!request.target().toString().regionMatches(true, 0, "http://", 0, 7)) {
            return answer(Status.NOT_IMPLEMENTED, "only http:// is passed on; use CONNECT");
        }
        try {
            // The port as the client takes it, however many zeros are before it.
            if (!rules.asks(Origin.of(request.target()).port())) {
                return answer(Status.FORBIDDEN, "no requests to this port");
            }
        } catch (IllegalArgumentException e) {
            return answer(Status.BAD_REQUEST, "no port that can be asked");
        }
        Response own = forwarding.answerHere(request);
        if (own != null) {
            return CompletableFuture.completedFuture(own);
        }
        CompletableFuture<StreamedResponse> call;
        try {
            call =
                    client.openAsync(
                            forwarding.request(request, request.target(), true),
                            forwarding.interim(request));
        } catch (IllegalArgumentException e) {
            return answer(Status.BAD_REQUEST, "a target or a field that cannot be passed on");
        }
        PendingAnswer answer = new PendingAnswer();
        answer.during(call);
        var _ =
                call.whenComplete(
                        (response, thrown) ->
                                answer.answer(
                                        response != null
                                                ? forwarding.response(request, response)
                                                : failure(Forwarding.unwrapped(thrown))));
        return answer;
    }

    private static Response failure(Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof ProxyRules.DestinationDenied) {
                return Response.problem(Status.FORBIDDEN, "the rules deny this destination");
            }
        }
        return cause instanceof HttpClientException.TimedOut
                        || cause instanceof SocketTimeoutException
                ? Response.problem(Status.GATEWAY_TIMEOUT, "the server does not answer")
                : Response.problem(Status.BAD_GATEWAY, "the server cannot be reached");
    }

    // ---- CONNECT ----

    private CompletableFuture<Response> connect(Request request) {
        InetSocketAddress to;
        try {
            to = Extras.hostAndPort("CONNECT", request.target().authority());
        } catch (IllegalArgumentException e) {
            return answer(Status.BAD_REQUEST, "CONNECT expects HOST:PORT");
        }
        if (!request.method().equals(Method.CONNECT) || !rules.tunnelsTo(to.getPort())) {
            return answer(Status.FORBIDDEN, "no tunnel to this port");
        }
        CompletableFuture<Response> answer = new CompletableFuture<>();
        var _ =
                new Bootstrap(group)
                        .resolver(names)
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .option(ChannelOption.CONNECT_TIMEOUT, CONNECT_TIMEOUT)
                        .handler(server -> server.pipeline().addLast("hold", new Hold()))
                        .connect(to)
                        .addListener(
                                outcome -> answer.complete(tunnel(outcome.now(), outcome.cause())));
        return answer;
    }

    private Response tunnel(@Nullable Channel server, @Nullable Throwable cause) {
        if (server == null) {
            return failure(cause == null ? new IllegalStateException("cancelled") : cause);
        }
        return Upgrade.connected(new HeldServer(server, idle));
    }
}
