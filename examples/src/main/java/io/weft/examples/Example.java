package io.weft.examples;

import io.weft.channel.ChannelInitializer;
import io.weft.channel.EventLoopGroup;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// Parts that all examples share around the few lines that they are about: options, the line that
/// says where they listen, and an orderly end on SIGINT and SIGTERM.
final class Example {
    /// A server of an example: something that listens, and is closed at the end.
    interface Running extends AutoCloseable {
        InetSocketAddress address();

        String transport();

        @Override
        void close();
    }

    /// Starts a server with the given options.
    interface Start {
        Running start(Options options);
    }

    private Example() {}

    /// Runs until SIGINT or SIGTERM, then drains and exits with 0; exits with 1 and one clear line
    /// when it cannot start.
    static void main(int defaultPort, String[] args, Start start) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + Options.USAGE + ", default port " + defaultPort);
            return;
        }
        Options options;
        Running running;
        try {
            options = Options.parse(defaultPort, args);
            running = start.start(options);
        } catch (RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null && !(cause instanceof IllegalArgumentException)) {
                cause = cause.getCause();
            }
            System.err.println(cause.getMessage());
            System.exit(1);
            return;
        }
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    running.close();
                                    // A JVM that a signal ends exits with 128 + the signal; what
                                    // has drained has ended well.
                                    Runtime.getRuntime().halt(0);
                                }));
        System.out.println(
                "listening on "
                        + printed(options.host(), running.address().getPort())
                        + " ("
                        + running.transport()
                        + ")");
    }

    /// As in a URL: an IPv6 address stands in brackets (RFC 3986, 3.2.2).
    private static String printed(InetAddress host, int port) {
        String address = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + address + "]" : address) + ":" + port;
    }

    /// TLS with a certificate that is made now and signed by itself.
    static TlsContext tls(Options options) {
        try {
            String host = options.host().getHostAddress();
            return TlsContext.server(CertificateBuilder.selfSigned("localhost", host)).build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS: " + e.getMessage(), e);
        }
    }

    /// An HTTP server; `application` says what it serves.
    static Running http(Options options, UnaryOperator<HttpServer.Builder> application) {
        HttpServer.Builder builder =
                HttpServer.builder()
                        .host(options.host())
                        .port(options.port())
                        .transport(options.transport())
                        .loops(options.loops());
        HttpServer server =
                application.apply(options.tls() ? builder.tls(tls(options)) : builder).listen();
        return new Running() {
            @Override
            public InetSocketAddress address() {
                return server.address();
            }

            @Override
            public String transport() {
                return server.transport();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /// A plain TCP server.
    static Running tcp(Options options, ChannelInitializer initializer) {
        EventLoopGroup group = EventLoopGroup.create(options.transport(), options.loops());
        ServerChannel server;
        try {
            server =
                    new ServerBootstrap(group)
                            .childHandler(initializer)
                            .bind(options.address())
                            .join();
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
        return new Running() {
            @Override
            public InetSocketAddress address() {
                return (InetSocketAddress) server.localAddress();
            }

            @Override
            public String transport() {
                return group.transport();
            }

            @Override
            public void close() {
                group.close();
            }
        };
    }
}
