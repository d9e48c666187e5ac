package io.weft.examples.broker;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.ClientOptions;
import io.weft.examples.Options;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.tls.machine.TlsContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The way of a client to its broker: over TCP or, with `--ws`, over WebSocket, and with `--tls`
/// over TLS, for which certificates are checked as the JVM does it.
///
/// @param tls null in the clear
record BrokerDial(ClientOptions given, boolean webSocket, @Nullable TlsContext tls) {
    static final String USAGE = " [--ws] [--user U] [--pass P]";

    private static final String WEB_SOCKET = "--ws";

    /// Reads the options behind a command.
    ///
    /// @param names options of one client, each with a value, beside the user and the password
    /// @throws IllegalArgumentException as [ClientOptions#parse]
    static BrokerDial parse(int defaultPort, Set<String> names, List<String> args) {
        Set<String> all = new HashSet<>(names);
        all.addAll(Set.of("--user", "--pass"));
        ClientOptions given =
                ClientOptions.parse(
                        defaultPort,
                        all,
                        args.stream().filter(a -> !a.equals(WEB_SOCKET)).toList());
        if (!given.words().isEmpty()) {
            throw new IllegalArgumentException(
                    given.words().getFirst() + ": a word (expected: options)");
        }
        return new BrokerDial(given, args.contains(WEB_SOCKET), given.tls());
    }

    /// Connects over TCP in the clear.
    static BrokerDial plain(Options options) {
        return new BrokerDial(ClientOptions.of(options), false, null);
    }

    Options options() {
        return given.common();
    }

    /// Connects, and waits until the connection is there.
    ///
    /// @param settings of WebSocket, with the subprotocols that the client speaks
    /// @param stream makes the listener of a WebSocket that carries the protocol
    /// @param handlers adds the protocol's handlers
    Channel connect(
            EventLoopGroup group,
            WebSocketSettings settings,
            Function<ChannelInitializer, WebSocketListener> stream,
            ChannelInitializer handlers) {
        if (!webSocket) {
            return new Bootstrap(group)
                    .handler(
                            channel -> {
                                given.addTls(channel, tls);
                                handlers.initChannel(channel);
                            })
                    .connect(options().address())
                    .join();
        }
        WebSocketClient client = WebSocketClient.of(group).settings(settings);
        return (tls == null ? client : client.tls(channel -> given.addTls(channel, tls)))
                .connect(uri(), stream.apply(handlers))
                .join()
                .channel();
    }

    private URI uri() {
        String scheme = tls == null ? "ws" : "wss";
        String host = options().host().getHostAddress();
        try {
            return new URI(scheme, null, host, options().port(), "/", null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("host: " + host + " (expected: an address)", e);
        }
    }
}
