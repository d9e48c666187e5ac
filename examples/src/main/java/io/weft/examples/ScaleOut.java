package io.weft.examples;

import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.InheritedDescriptors;
import io.weft.engine.PassedDescriptor;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.haproxy.TrustedProxies;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One of several processes behind a load balancer, which can be replaced under load without losing
/// a request: see `examples/scale-out`.
///
/// On SIGTERM it fails its health check, `/health`, until the balancer has turned to others, then
/// drains and ends. With `--takeover PATH` it begins with the listening sockets of the process that
/// runs, which ends, and offers them to the next one; from systemd it takes those of a socket unit.
///
/// Try it with `./run-example.sh scale-out --takeover /tmp/weft.sock`, twice.
public final class ScaleOut {
    private static final String USAGE =
            "scale-out [--name NAME] [--accept-proxy BLOCK ...] [--takeover PATH]"
                    + " [--leave SECONDS] [options]";
    private static final int MAX_PAUSE = 10_000;

    private final String name;
    private final Leaving leaving = new Leaving();
    private final EventLoopGroup group;
    private final Duration patience;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private List<ServerChannel> listeners = List.of();

    private ScaleOut(String name, EventLoopGroup group, Duration patience) {
        this.name = name;
        this.group = group;
        this.patience = patience;
    }

    public static void main(String[] args) {
        Extras extras = extras(args);
        Example.main(
                Taken.PLAIN_SOCKETS,
                8080,
                extras.others(),
                options -> start(options, extras, ScaleOut::exit));
    }

    static Extras extras(String... args) {
        return Extras.take(args, USAGE, "--name", "--accept-proxy", "--takeover", "--leave");
    }

    /// Ends the JVM, on a thread of its own: it waits for what the loops do.
    private static void exit() {
        Thread.ofPlatform().start(() -> System.exit(0));
    }

    /// @param replaced runs when another process has taken over
    static Example.Running start(Options options, Extras extras, Runnable replaced) {
        String name = extras.last("--name");
        String transport = options.plain("the load balancer does that").transport();
        EventLoopGroup group = EventLoopGroup.create(transport, options.loops());
        try {
            if (extras.last("--takeover") != null && group.transport().equals("nio")) {
                throw new IllegalArgumentException(
                        "--takeover: with nio (expected: io_uring or epoll, which pass sockets)");
            }
            ScaleOut server =
                    new ScaleOut(
                            name == null ? "weft" : name, group, patience(extras.last("--leave")));
            server.listen(
                    options,
                    TrustedProxies.of(extras.all("--accept-proxy").toArray(String[]::new)),
                    extras.last("--takeover"),
                    replaced);
            return server.running();
        } catch (IOException e) {
            group.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private static Duration patience(@Nullable String seconds) {
        if (seconds == null) {
            return Duration.ofSeconds(20);
        }
        if (!seconds.matches("[0-9]{1,4}")) {
            throw new IllegalArgumentException("--leave: " + seconds + " (expected: seconds)");
        }
        return Duration.ofSeconds(Integer.parseInt(seconds));
    }

    private void listen(
            Options options, TrustedProxies proxies, @Nullable String takeover, Runnable replaced)
            throws IOException {
        ServerBootstrap bootstrap =
                new ServerBootstrap(group)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(http(proxies));
        Path path = takeover == null ? null : Path.of(takeover);
        Takeover.Taken taken = path == null ? null : Takeover.take(group, path);
        List<PassedDescriptor> inherited = InheritedDescriptors.listening();
        if (taken != null) {
            listeners = bootstrap.adoptOnEachLoop(taken.sockets()).join();
            taken.serving();
        } else if (!inherited.isEmpty()) {
            listeners = bootstrap.adoptOnEachLoop(inherited).join();
        } else {
            listeners = bootstrap.bindOnEachLoop(options.address()).join();
        }
        if (path != null) {
            Takeover.offer(group, path, listeners, () -> replacedBy(replaced));
        }
    }

    private ChannelInitializer http(TrustedProxies proxies) {
        HttpServer.Builder builder = HttpServer.builder().filter(leaving).routes(routes());
        return (proxies.blocks().isEmpty() ? builder : builder.proxyProtocol(proxies))
                .initializer();
    }

    private Routes routes() {
        return Routes.builder()
                .get("/", this::hello)
                .get("/slow/{millis}")
                .async(this::slow)
                .post("/length")
                .blocking(
                        request ->
                                Response.text(
                                        request.body().asInputStream().readAllBytes().length
                                                + "\n"))
                .build();
    }

    private Response hello(Request request) {
        return Response.text(
                        "hello from "
                                + name
                                + ", you are "
                                + (request.peer() == null ? null : request.peer().address())
                                + "\n")
                .withHeader("x-served-by", name);
    }

    private CompletableFuture<Response> slow(Request request) {
        String text = request.parameter("millis");
        int millis = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return CompletableFuture.supplyAsync(
                () -> hello(request),
                CompletableFuture.delayedExecutor(
                        Math.min(millis, MAX_PAUSE), TimeUnit.MILLISECONDS));
    }

    /// The successor accepts: what was accepted here is served to its end.
    private void replacedBy(Runnable replaced) {
        leaving.succeed();
        listeners.forEach(ServerChannel::close);
        var _ = Thread.ofPlatform().name("leave").start(() -> end(replaced));
    }

    private void end(Runnable then) {
        if (!ended.compareAndSet(false, true)) {
            end.join();
            return;
        }
        try {
            leaving.await(patience);
            listeners.forEach(one -> one.close().join());
            group.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end.complete(null);
            then.run();
        }
    }

    private Example.Running running() {
        return new Example.Running() {
            @Override
            public InetSocketAddress address() {
                return (InetSocketAddress) listeners.getFirst().localAddress();
            }

            @Override
            public String transport() {
                return group.transport();
            }

            @Override
            public void close() {
                if (!ended.get()) {
                    leaving.refuse();
                }
                end(() -> {});
            }
        };
    }
}
