package io.weft.http.client;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpHandler;
import io.weft.http.server.HttpServer;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.ScriptedPeer;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A client and servers on a simulated network, in virtual time: every name leads to the one host
/// of the servers, which are told apart by their ports.
final class SimulatedWeb implements AutoCloseable {
    private static final Duration LONG = Duration.ofHours(2);

    final Simulation simulation = new Simulation(Simulation.seed(), Faults.none());
    final SimHost serving = simulation.host("server");
    final SimHost asking = simulation.host("client");
    final List<Request> requests = new ArrayList<>();

    /// Connections that servers accepted.
    int connections;

    /// Those that our server accepted.
    final List<Channel> accepted = new ArrayList<>();

    private final List<ScriptedPeer> scripts = new ArrayList<>();
    private final HttpClient client;

    SimulatedWeb() {
        this(HttpClientLimits.DEFAULT);
    }

    SimulatedWeb(HttpClientLimits limits) {
        this(limits, UnaryOperator.identity());
    }

    SimulatedWeb(HttpClientLimits limits, UnaryOperator<HttpClient.Builder> change) {
        HttpClient.Builder builder =
                HttpClient.builder()
                        .group(asking.group(1))
                        .limits(limits)
                        .bootstrap(b -> b.remoteAddress(this::place));
        client = change.apply(builder).build();
    }

    private SocketAddress place(SocketAddress asked) {
        return serving.address(((InetSocketAddress) asked).getPort());
    }

    HttpClient client() {
        return client;
    }

    /// Serves with our server on a port.
    SimulatedWeb serve(int port, HttpHandler handler) {
        return serve(
                port,
                HttpServer.builder()
                        .handler(
                                request -> {
                                    requests.add(request);
                                    return handler.handle(request);
                                }));
    }

    /// Serves with a server of the test's making on a port.
    SimulatedWeb serve(int port, HttpServer.Builder server) {
        var initializer = server.initializer();
        new ServerBootstrap(serving.group(1))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        ch -> {
                            connections++;
                            accepted.add(ch);
                            initializer.initChannel(ch);
                        })
                .bind(serving.address(port));
        return this;
    }

    /// Serves with handlers of the test's own on a port, one for each connection.
    SimulatedWeb handle(int port, Supplier<ChannelHandler> handlers) {
        new ServerBootstrap(serving.group(1))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        ch -> {
                            connections++;
                            ch.pipeline().addLast(handlers.get());
                        })
                .bind(serving.address(port));
        return this;
    }

    /// Plays scripts on a port, one for each connection.
    SimulatedWeb script(int port, ScriptedPeer... peers) {
        ArrayDeque<ScriptedPeer> left = new ArrayDeque<>(List.of(peers));
        scripts.addAll(List.of(peers));
        new ServerBootstrap(serving.group(1))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        ch -> {
                            connections++;
                            ChannelHandler next = left.poll();
                            if (next == null) {
                                throw new IllegalStateException("connection without a script");
                            }
                            ch.pipeline().addLast(next);
                        })
                .bind(serving.address(port));
        return this;
    }

    /// Sends and runs the simulation until the response is there.
    Response send(Request request) throws Exception {
        return await(client().sendAsync(request));
    }

    Response get(String url) throws Exception {
        return send(Request.get(url));
    }

    /// Runs the simulation until the future is done.
    <T> T await(CompletableFuture<T> future) throws Exception {
        simulation.runUntil(future::isDone, LONG);
        try {
            return future.getNow(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    void run(Duration time) {
        simulation.run(time);
    }

    void runUntil(BooleanSupplier condition) {
        if (!simulation.runUntil(condition, LONG)) {
            throw new AssertionError("the condition does not come true");
        }
    }

    void check() {
        scripts.forEach(ScriptedPeer::check);
    }

    @Override
    public void close() {
        simulation.close();
    }
}
