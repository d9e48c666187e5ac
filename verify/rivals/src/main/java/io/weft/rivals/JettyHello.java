package io.weft.rivals;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/// Jetty, with a handler that does not block.
final class JettyHello implements Hello.Server {
    @Override
    public int start() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost(Hello.HOST);
        connector.setPort(0);
        server.addConnector(connector);
        ByteBuffer hello = ByteBuffer.wrap(Hello.BYTES).asReadOnlyBuffer();
        server.setHandler(
                new Handler.Abstract.NonBlocking() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
                        response.write(true, hello.slice(), callback);
                        return true;
                    }
                });
        server.start();
        return connector.getLocalPort();
    }
}
