package io.weft.examples.proxy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.handler.filter.Cidr;
import io.weft.http.model.Peer;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rules of access of [ForwardProxy].
///
/// @param clients that are served; empty if a login alone decides
/// @param login `NAME:PASSWORD`; null for none
/// @param destinations that it connects to
/// @param tunnelPorts destinations' ports that CONNECT may go to; empty for any
record ProxyRules(
        List<Cidr> clients,
        @Nullable String login,
        Destinations destinations,
        Set<Integer> tunnelPorts) {
    /// The rules deny all addresses of a destination.
    static final class DestinationDenied extends IOException {
        private static final long serialVersionUID = 1L;

        DestinationDenied(String host) {
            super(host + ": denied by the rules (expected: a destination that they permit)");
        }
    }

    ProxyRules {
        clients = List.copyOf(clients);
        tunnelPorts = Set.copyOf(tunnelPorts);
    }

    /// Clients on this machine alone, and others by `--allow BLOCK` or `--user NAME:PASSWORD`;
    /// tunnels to port 443 and those of `--connect-port`.
    ///
    /// @throws IllegalArgumentException when an option is malformed, or it would be an open relay
    static ProxyRules of(Options options, Extras extras) {
        String login = extras.last("--user");
        List<String> allowed = extras.all("--allow");
        if (!options.host().isLoopbackAddress() && login == null && allowed.isEmpty()) {
            throw new IllegalArgumentException(
                    "--host: "
                            + options.host().getHostAddress()
                            + " (expected: with --allow or --user, or it would be an open relay)");
        }
        if (login != null && login.indexOf(':') < 1) {
            throw new IllegalArgumentException("--user: no colon (expected: NAME:PASSWORD)");
        }
        List<Cidr> clients = new ArrayList<>();
        if (login == null || !allowed.isEmpty()) {
            clients.add(Cidr.parse("127.0.0.0/8"));
            clients.add(Cidr.parse("::1"));
            allowed.forEach(block -> clients.add(Cidr.parse(block)));
        }
        return new ProxyRules(
                clients,
                login,
                Destinations.of(options, extras),
                ports(extras.all("--connect-port")));
    }

    private static Set<Integer> ports(List<String> texts) {
        if (texts.contains("any")) {
            return Set.of();
        }
        Set<Integer> ports = texts.stream().map(ProxyRules::port).collect(Collectors.toSet());
        ports.add(443);
        return ports;
    }

    private static int port(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(
                "--connect-port: " + text + " (expected: a port, or any)");
    }

    boolean admits(@Nullable Peer peer) {
        if (clients.isEmpty()) {
            return true;
        }
        return peer != null
                && peer.address() instanceof InetSocketAddress inet
                && clients.stream().anyMatch(block -> block.contains(inet.getAddress()));
    }

    /// Tells if these are the credentials of the login, in a time that does not depend on how many
    /// of their characters are right.
    ///
    /// @param credentials the value of Proxy-Authorization
    boolean accepts(@Nullable String credentials) {
        if (login == null) {
            return true;
        }
        if (credentials == null || !credentials.regionMatches(true, 0, "Basic ", 0, 6)) {
            return false;
        }
        try {
            return MessageDigest.isEqual(
                    Base64.getDecoder().decode(credentials.substring(6).strip()),
                    login.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    boolean tunnelsTo(int port) {
        return tunnelPorts.isEmpty() || tunnelPorts.contains(port);
    }

    /// Tells if a request may go to this port: those of programs, 80, and those of tunnels. Below
    /// 1024 are services of other protocols, such as mail, which might take a body for their own.
    boolean asks(int port) {
        return port == 80 || port >= 1024 || tunnelsTo(port);
    }

    /// Returns a resolver that finds only what the rules permit: what is connected to is what was
    /// looked at, however often a name changes its addresses.
    NameResolver guard(NameResolver names) {
        return (host, port, executor, answers) ->
                new Guard(host, answers).search(names, port, executor);
    }

    /// One search.
    private final class Guard implements NameResolver.Answers {
        private final String host;
        private final NameResolver.Answers answers;
        private boolean permitted;
        private boolean refused;

        Guard(String host, NameResolver.Answers answers) {
            this.host = host;
            this.answers = answers;
        }

        Future<Void> search(NameResolver names, int port, EventExecutor executor) {
            Promise<Void> end = executor.newPromise();
            var _ =
                    names.resolve(host, port, executor, this)
                            .addListener(
                                    outcome -> {
                                        Throwable cause = outcome.cause();
                                        if (refused && !permitted) {
                                            end.tryFailure(new DestinationDenied(host));
                                        } else if (cause != null) {
                                            end.tryFailure(cause);
                                        } else {
                                            end.trySuccess(null);
                                        }
                                    });
            return end;
        }

        @Override
        public void found(List<ResolvedAddress> addresses) {
            List<ResolvedAddress> rest =
                    addresses.stream().filter(one -> destinations.permits(one.address())).toList();
            refused |= rest.size() < addresses.size();
            permitted |= !rest.isEmpty();
            if (!rest.isEmpty()) {
                answers.found(rest);
            }
        }

        @Override
        public void complete(StandardProtocolFamily family) {
            answers.complete(family);
        }

        @Override
        public void removed(List<ResolvedAddress> addresses) {
            answers.removed(addresses);
        }
    }
}
