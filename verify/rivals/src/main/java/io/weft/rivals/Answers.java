package io.weft.rivals;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Starts one of the servers, by TCP and by TLS: `Answers NAME KEYS`, where KEYS is a file in the
/// PKCS #12 format. Each answers these paths as `WeftHttp1` of the benchmarks does: `/hello`,
/// `/json`, `/1k`, `/64k`, `/1m`, `/file` with the file of that name beside KEYS, `/blocking` by a
/// handler that blocks for a while, and POST to `/upload` with the number of its bytes.
public final class Answers {
    static final String PASSWORD = "changeit";
    static final String JSON = "/json";
    static final String UPLOAD = "/upload";
    static final String FILE = "/file";
    static final String BLOCKING = "/blocking";

    /// For handlers that block where the server itself has no threads for them.
    static final Executor BLOCKING_THREADS = Executors.newVirtualThreadPerTaskExecutor();

    private static final Map<String, byte[]> BODIES =
            Map.of(
                    "/hello", Hello.BYTES,
                    "/1k", body(1 << 10),
                    "/64k", body(64 << 10),
                    "/1m", body(1 << 20));

    private static final Map<String, Server> SERVERS =
            Map.of(
                    "vertx", new VertxAnswers(),
                    "helidon", new HelidonAnswers(),
                    "jetty", new JettyAnswers(),
                    "undertow", new UndertowAnswers(),
                    "jdk", new JdkAnswers());

    private Answers() {}

    /// A server of one kind.
    interface Server {
        /// Starts it on two free ports.
        Ports start(Path keys) throws Exception;
    }

    record Ports(int tcp, int tls) {}

    private static byte[] body(int length) {
        return "x".repeat(length).getBytes(US_ASCII);
    }

    /// The bytes that a path is answered with, made once.
    static byte[] body(String path) {
        return BODIES.getOrDefault(path, Hello.BYTES);
    }

    /// Made for each request.
    static byte[] json() {
        return "{\"message\":\"Hello, World!\"}".getBytes(US_ASCII);
    }

    /// Blocks as a handler does that waits for a database.
    static void block() {
        try {
            Thread.sleep(Duration.ofMillis(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Path file(Path keys) {
        return keys.resolveSibling("file");
    }

    static String type(String path) {
        return path.equals(JSON) ? "application/json" : "text/plain";
    }

    static SSLContext context(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    public static void main(String[] args) throws Exception {
        Server server = args.length == 2 ? SERVERS.get(args[0]) : null;
        if (server == null) {
            System.err.println("usage: Answers " + String.join(" | ", SERVERS.keySet()) + " KEYS");
            System.exit(2);
            return;
        }
        Ports ports = server.start(Path.of(args[1]));
        System.out.println("listening on " + ports.tcp() + " " + ports.tls());
        Thread.currentThread().join();
    }
}
