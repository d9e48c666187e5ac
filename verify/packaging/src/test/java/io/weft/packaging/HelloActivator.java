package io.weft.packaging;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/// A bundle that is an HTTP server while it is active. It registers its port, and its transport.
public final class HelloActivator implements BundleActivator {
    private @Nullable HttpServer server;

    /// Made by the framework.
    public HelloActivator() {}

    @Override
    public void start(BundleContext context) {
        HttpServer started =
                HttpServer.builder()
                        .port(0)
                        .loops(1)
                        .handler(request -> Response.text("hello from a bundle"))
                        .listen();
        server = started;
        context.registerService(
                Integer.class,
                started.address().getPort(),
                FrameworkUtil.asDictionary(Map.of("transport", started.transport())));
    }

    @Override
    public void stop(BundleContext context) {
        HttpServer started = server;
        if (started != null) {
            started.close();
        }
    }
}
