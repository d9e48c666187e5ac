package io.weft.handler.haproxy;

import io.weft.handler.filter.Cidr;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Proxies that are believed about the addresses of their clients. A header of any other peer is
/// refused: it could claim to be anybody.
///
/// @param blocks addresses of the proxies
/// @param unix the proxies include peers on Unix sockets, which the file's permissions let in
/// @param allowsDirect other peers may connect as themselves, without a header; if false they are
///     reset
public record TrustedProxies(List<Cidr> blocks, boolean unix, boolean allowsDirect) {
    public TrustedProxies {
        blocks = List.copyOf(blocks);
    }

    /// Proxies by their blocks of addresses, such as `10.0.0.0/8`, or single addresses; no other
    /// peer may connect.
    ///
    /// @throws IllegalArgumentException when a text is malformed
    public static TrustedProxies of(String... blocks) {
        return new TrustedProxies(Stream.of(blocks).map(Cidr::parse).toList(), false, false);
    }

    /// These proxies, and peers on Unix sockets.
    public TrustedProxies withUnix() {
        return new TrustedProxies(blocks, true, allowsDirect);
    }

    /// These proxies; other peers may connect as themselves.
    public TrustedProxies withDirect() {
        return new TrustedProxies(blocks, unix, true);
    }

    /// Tells if the peer with this address is one of these proxies.
    public boolean contains(@Nullable SocketAddress peer) {
        return switch (peer) {
            case InetSocketAddress inet when inet.getAddress() != null ->
                    blocks.stream().anyMatch(block -> block.contains(inet.getAddress()));
            case UnixDomainSocketAddress _ -> unix;
            case null, default -> false;
        };
    }
}
