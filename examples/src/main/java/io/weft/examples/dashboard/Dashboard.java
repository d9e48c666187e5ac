package io.weft.examples.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.channel.ChannelInitializer;
import io.weft.engine.ChannelOption;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/// A page with live charts of the server that it comes from: requests, connections, loops and
/// buffers. The loops are those of a group that the program makes itself, by a bootstrap of its own
/// and [HttpServer.Builder#initializer].
public final class Dashboard {
    private static final String EVENTS = "/events";

    private Dashboard() {}

    public static void main(String[] args) {
        Example.main(8086, args, options -> start(options, Duration.ofSeconds(1)));
    }

    /// @param period from one snapshot to the next
    static Example.Running start(Options options, Duration period) {
        Figures figures = new Figures(EVENTS);
        Feed feed = new Feed(figures, period);
        HttpServer.Builder http = HttpServer.builder().filter(figures).routes(routes(feed));
        if (options.tls()) {
            http.tls(Example.tls(options, "h2", "http/1.1"));
        }
        ChannelInitializer connections = http.initializer();
        Example.Running running =
                Example.tcp(
                        options.withoutTls(),
                        (server, group) -> {
                            feed.start(group.loops());
                            return server.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
                        },
                        channel -> {
                            figures.opened(channel);
                            connections.initChannel(channel);
                        });
        return running.closedBy(
                () -> {
                    feed.close();
                    running.close();
                });
    }

    private static Routes routes(Feed feed) {
        Response page = resource("dashboard.html", "text/html; charset=utf-8");
        Response script = resource("dashboard.js", "text/javascript; charset=utf-8");
        return Routes.builder()
                .get("/", _ -> page)
                .get("/dashboard.js", _ -> script)
                .get("/hello", _ -> Response.text("hello"))
                .get(EVENTS, feed::watch)
                .build();
    }

    private static Response resource(String name, String type) {
        try (InputStream in = Dashboard.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing (expected: a resource)");
            }
            String text = new String(in.readAllBytes(), UTF_8);
            return Response.of(Status.OK, Headers.of("content-type", type), Body.of(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
