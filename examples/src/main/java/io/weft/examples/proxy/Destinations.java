package io.weft.examples.proxy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.handler.filter.Cidr;
import io.weft.loop.EventExecutor;
import io.weft.resolver.names.NameResolver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Destinations that a proxy connects to.
///
/// A proxy that serves others than this machine would reach for them what listens on loopback or on
/// the link alone: administration, the metadata of clouds. It refuses these unless they are
/// permitted.
///
/// @param denied always refused
/// @param local refused unless permitted
record Destinations(List<Cidr> denied, List<Cidr> local, List<Cidr> permitted) {
    /// The options that [#of] reads.
    static final String DENY = "--deny-to";

    static final String PERMIT = "--permit-to";

    private static final List<Cidr> LOCAL =
            blocks(
                    Stream.of(
                            "0.0.0.0/8",
                            "127.0.0.0/8",
                            "169.254.0.0/16",
                            "::/128",
                            "::1/128",
                            "fe80::/10"));

    Destinations {
        denied = List.copyOf(denied);
        local = List.copyOf(local);
        permitted = List.copyOf(permitted);
    }

    private static List<Cidr> blocks(Stream<String> texts) {
        return texts.map(Cidr::parse).toList();
    }

    /// All but `--deny-to BLOCK`, and where the proxy listens beyond loopback, this machine's own
    /// but `--permit-to BLOCK`.
    ///
    /// @throws IllegalArgumentException when a block is malformed
    static Destinations of(Options options, Extras extras) {
        return new Destinations(
                blocks(extras.all(DENY).stream()),
                options.host().isLoopbackAddress() ? List.of() : LOCAL,
                blocks(extras.all(PERMIT).stream()));
    }

    boolean permits(InetAddress address) {
        return !denies(address) && (!has(local, address) || has(permitted, address));
    }

    boolean denies(InetAddress address) {
        return has(denied, address);
    }

    /// Tells if a client may wait for a connection from `peer`. An unspecified address stands for
    /// any peer, and nothing is reached at it.
    boolean expects(InetAddress peer) {
        return permits(peer) || (peer.isAnyLocalAddress() && !denies(peer));
    }

    /// Finds the addresses of a destination, none if there are none. The rules are about addresses,
    /// so a name is resolved first, and connected to at an address that was looked at.
    ///
    /// @param then called on `executor`, or at once for an address
    static void resolve(
            InetSocketAddress asked, EventExecutor executor, Consumer<List<InetAddress>> then) {
        if (!asked.isUnresolved()) {
            then.accept(List.of(asked.getAddress()));
            return;
        }
        List<InetAddress> found = new ArrayList<>();
        var _ =
                NameResolver.system()
                        .resolve(
                                asked.getHostString(),
                                asked.getPort(),
                                executor,
                                more -> more.forEach(one -> found.add(one.address())))
                        .addListener(_ -> then.accept(found));
    }

    private static boolean has(List<Cidr> blocks, InetAddress address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }
}
