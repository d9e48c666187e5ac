package io.weft.examples;

import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.transport.sctp.SctpAddress;
import io.weft.transport.udt.UdtAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// Parts that all examples share around the few lines that they are about: options, the line that
/// says where they listen, and an orderly end on SIGINT and SIGTERM.
public final class Example {
    /// A server of an example: something that listens, and is closed at the end.
    public interface Running extends AutoCloseable {
        InetSocketAddress address();

        String transport();

        /// Returns where it listens, as people write it.
        default String place(Options options) {
            InetAddress host = options.host();
            String name = host.getHostAddress();
            // As in a URL: an IPv6 address stands in brackets (RFC 3986, 3.2.2).
            return (host instanceof Inet6Address ? "[" + name + "]" : name)
                    + ":"
                    + address().getPort();
        }

        /// Runs `action`, on any thread, when what it serves is gone for good before it is closed.
        default void whenGone(Runnable action) {}

        @Override
        void close();

        /// This server, behind whose end something else is closed.
        default Running andThen(Runnable end) {
            return closedBy(
                    () -> {
                        close();
                        end.run();
                    });
        }

        /// This server, whose end is another one, which closes it in turn.
        default Running closedBy(Runnable end) {
            Running self = this;
            return new Running() {
                @Override
                public InetSocketAddress address() {
                    return self.address();
                }

                @Override
                public String transport() {
                    return self.transport();
                }

                @Override
                public String place(Options options) {
                    return self.place(options);
                }

                @Override
                public void whenGone(Runnable action) {
                    self.whenGone(action);
                }

                @Override
                public void close() {
                    end.run();
                }
            };
        }
    }

    /// Starts a server with the given options.
    public interface Start {
        Running start(Options options);
    }

    private Example() {}

    /// Runs an example of streams, as [#main(Taken, int, String[], Start)].
    public static void main(int defaultPort, String[] args, Start start) {
        main(Taken.STREAMS, defaultPort, args, start);
    }

    /// Runs until SIGINT or SIGTERM, then drains and exits with 0. If it cannot start, it exits
    /// with one clear line as [Failure] says: with 2 if the arguments are wrong, else with 1; so
    /// with 1 when what it serves is gone.
    public static void main(Taken taken, int defaultPort, String[] args, Start start) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + taken.usage() + ", default port " + defaultPort);
            return;
        }
        Options options;
        Running running;
        try {
            options = Options.parse(taken, defaultPort, args);
            running = start.start(options);
        } catch (RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null && !(cause instanceof IllegalArgumentException)) {
                cause = cause.getCause();
            }
            Failure.of(cause).exit();
            return;
        }
        AtomicInteger status = new AtomicInteger();
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    running.close();
                                    // A JVM that a signal ends exits with 128 + the signal; what
                                    // has drained has ended well.
                                    Runtime.getRuntime().halt(status.get());
                                }));
        String place = running.place(options);
        System.out.println("listening on " + place + " (" + running.transport() + ")");
        running.whenGone(
                () -> {
                    System.err.println(place + ": hung up");
                    status.set(1);
                    // Closing waits for the loops, one of which this may be.
                    Thread.ofPlatform().start(() -> System.exit(1));
                });
    }

    /// TLS with a certificate that is made now and signed by itself.
    ///
    /// @param protocols to agree on (ALPN), the best first
    public static TlsContext tls(Options options, String... protocols) {
        try {
            String host = options.host().getHostAddress();
            return TlsContext.server(CertificateBuilder.selfSigned("localhost", host))
                    .applicationProtocols(protocols)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS: " + e.getMessage(), e);
        }
    }

    /// An HTTP server, of HTTP/1.1 and of HTTP/2: by prior knowledge, by upgrade, and where TLS
    /// agrees on it. `application` says what it serves.
    public static Running http(Options options, UnaryOperator<HttpServer.Builder> application) {
        HttpServer.Builder builder =
                HttpServer.builder()
                        .host(options.host())
                        .port(options.port())
                        .transport(options.transport())
                        .loops(options.loops());
        if (options.tls()) {
            builder.tls(tls(options, "h2", "http/1.1"));
        } else {
            builder.upgradeToHttp2(); // for curl --http2; no proxy is before an example
        }
        HttpServer server = application.apply(builder).listen();
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

    /// Returns the handlers of a plain server, in front of which is TLS if the options say so.
    static ChannelInitializer inTls(Options options, ChannelInitializer plain) {
        if (!options.tls()) {
            return plain;
        }
        TlsContext tls = tls(options);
        return channel -> {
            channel.pipeline().addLast(TlsHandler.server(tls));
            plain.initChannel(channel);
        };
    }

    /// A TCP server of plain handlers, over TLS if the options say so.
    public static Running tcp(Options options, ChannelInitializer initializer) {
        return tcp(options, UnaryOperator.identity(), initializer);
    }

    /// The same with options of its own.
    public static Running tcp(
            Options options,
            UnaryOperator<ServerBootstrap> custom,
            ChannelInitializer initializer) {
        return tcp(options, (server, _) -> custom.apply(server), initializer);
    }

    /// The same with options of its own, which also needs the group of its loops. With
    /// `--transport udt` or `sctp` its connections are streams of those; with `serial` the only
    /// connection is the port.
    public static Running tcp(
            Options options,
            BiFunction<ServerBootstrap, EventLoopGroup, ServerBootstrap> custom,
            ChannelInitializer initializer) {
        String name = options.transport();
        ChannelInitializer handlers = inTls(options, initializer);
        if (name.equals("serial")) {
            return AtPort.open(options, handlers);
        }
        SocketAddress at =
                switch (name) {
                    case "udt" -> UdtAddress.of(options.address());
                    case "sctp" -> SctpAddress.of(options.address());
                    default -> options.address();
                };
        boolean plain = at instanceof InetSocketAddress;
        String engine = plain ? name : "auto";
        EventLoopGroup group = EventLoopGroup.create(engine, options.loops());
        ServerChannel server;
        try {
            server =
                    custom.apply(new ServerBootstrap(group), group)
                            .childHandler(handlers)
                            .bind(at)
                            .join();
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
        return new Running() {
            @Override
            public InetSocketAddress address() {
                return switch (server.localAddress()) {
                    case UdtAddress bound -> bound.socket();
                    case SctpAddress bound -> bound.sockets().getFirst();
                    case SocketAddress bound -> (InetSocketAddress) bound;
                };
            }

            @Override
            public String transport() {
                return plain ? group.transport() : name + " over " + group.transport();
            }

            @Override
            public void close() {
                group.close();
            }
        };
    }
}
