package io.weft.rivals;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// Jetty, with a handler that does not block.
final class JettyAnswers implements Answers.Server {
    @Override
    public Answers.Ports start(Path keys) throws Exception {
        Server server = new Server();
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(Answers.context(keys));
        ServerConnector plain = connector(new ServerConnector(server, 1, 1));
        ServerConnector secure =
                connector(
                        new ServerConnector(
                                server,
                                1,
                                1,
                                new SslConnectionFactory(tls, "http/1.1"),
                                new HttpConnectionFactory(anyName())));
        server.addConnector(plain);
        server.addConnector(secure);
        server.setHandler(new Paths(files(server, Answers.file(keys).getParent())));
        server.start();
        return new Answers.Ports(plain.getLocalPort(), secure.getLocalPort());
    }

    /// Clients of a benchmark name an address, which the certificate does not.
    private static HttpConfiguration anyName() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer(false));
        return configuration;
    }

    private static Handler files(Server server, Path directory) {
        ResourceHandler files = new ResourceHandler();
        files.setBaseResource(ResourceFactory.of(server).newResource(directory));
        files.setServer(server);
        server.addBean(files);
        return files;
    }

    private static ServerConnector connector(ServerConnector connector) {
        connector.setHost(Hello.HOST);
        connector.setPort(0);
        return connector;
    }

    private static final class Paths extends Handler.Abstract.NonBlocking {
        private final Handler files;

        Paths(Handler files) {
            this.files = files;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            String path = Request.getPathInContext(request);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, Answers.type(path));
            switch (path) {
                case Answers.FILE -> {
                    return files.handle(request, response, callback);
                }
                case Answers.BLOCKING ->
                        Answers.BLOCKING_THREADS.execute(
                                () -> {
                                    Answers.block();
                                    response.write(true, ByteBuffer.wrap(Hello.BYTES), callback);
                                });
                case Answers.JSON ->
                        response.write(true, ByteBuffer.wrap(Answers.json()), callback);
                case Answers.UPLOAD ->
                        Content.Source.consumeAll(
                                request,
                                Callback.from(
                                        () ->
                                                Content.Sink.write(
                                                        response,
                                                        true,
                                                        "" + request.getLength(),
                                                        callback),
                                        callback::failed));
                default -> response.write(true, ByteBuffer.wrap(Answers.body(path)), callback);
            }
            return true;
        }
    }
}
