package io.weft.bench.transport.process.server;

import io.weft.bench.netty.NettyTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// The servers under load: `Server weft|netty TRANSPORT SERVICE PORT [DIRECTORY]`, on one loop.
///
/// It says where it listens, then does what is asked on its standard input, and ends with that.
public final class Server {
    /// The line that says where it listens.
    public static final String LISTENING = "listening on ";

    /// Asked for and answered: the heap that is alive and the memory that is resident, in bytes.
    public static final String FOOTPRINT = "footprint";

    private Server() {}

    /// Returns where a server with this directory listens on a Unix domain socket.
    public static UnixDomainSocketAddress unix(Path directory) {
        return UnixDomainSocketAddress.of(directory.resolve("echo"));
    }

    /// The services of a server.
    public enum Service {
        /// Sends back what it receives by TCP.
        ECHO,
        /// Answers each request with "Hello, World!".
        HTTP,
        /// Sends back what it receives by TCP, by UDP and on a Unix domain socket.
        ECHO_ALL,
        /// Answers over HTTP/1.1, by TCP and by TLS: see [Http1Answers].
        HTTP1,
        /// Sends back messages of WebSocket.
        WEBSOCKET,
        /// Answers over HTTP/2, by TCP and by TLS: see [Http2Answers].
        HTTP2,
        /// Answers SET and GET of Redis.
        REDIS,
        /// Answers queries of DNS for [DnsNames], by UDP alone.
        DNS
    }

    /// A server of one side.
    interface Ports {
        int tcp();

        /// Returns the port for UDP, or of [Service#HTTP1] and
        /// [Service#HTTP2] the one for TLS; 0 if there is none.
        int second();
    }

    public static void main(String[] args) throws IOException {
        Ports ports = start(List.of(args));
        System.out.println(LISTENING + ports.tcp() + " " + ports.second());
        var commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.equals(FOOTPRINT)) {
                System.out.println(Footprint.settled().text());
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static Ports start(List<String> args) {
        Service service = Service.valueOf(args.get(2));
        int port = Integer.parseInt(args.get(3));
        Path directory = Path.of(args.size() > 4 ? args.get(4) : "");
        return switch (args.get(0)) {
            case "weft" -> WeftServer.start(args.get(1), service, port, directory);
            case "netty" ->
                    NettyServer.start(NettyTransport.named(args.get(1)), service, port, directory);
            default ->
                    throw new IllegalArgumentException(
                            "library: " + args.get(0) + " (expected: weft or netty)");
        };
    }
}
