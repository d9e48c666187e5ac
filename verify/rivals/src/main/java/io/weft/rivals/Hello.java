package io.weft.rivals;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Map;

/// Starts one of the servers: `Hello NAME`. Each answers every request as
/// `io.weft.examples.HelloHttp` does, on as few threads as it can be told to have, as it has one
/// core.
public final class Hello {
    static final String HOST = "127.0.0.1";
    static final String TEXT = "Hello, World!";
    static final byte[] BYTES = TEXT.getBytes(US_ASCII);

    private static final Map<String, Server> SERVERS =
            Map.of(
                    "vertx", new VertxHello(),
                    "helidon", new HelidonHello(),
                    "jetty", new JettyHello(),
                    "undertow", new UndertowHello(),
                    "jdk", new JdkHello());

    private Hello() {}

    /// A server of one kind.
    interface Server {
        /// Starts it on a free port.
        ///
        /// @return the port
        int start() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Server server = args.length == 1 ? SERVERS.get(args[0]) : null;
        if (server == null) {
            System.err.println("usage: Hello " + String.join(" | ", SERVERS.keySet()));
            System.exit(2);
            return;
        }
        System.out.println("listening on " + HOST + ":" + server.start());
        Thread.currentThread().join();
    }
}
