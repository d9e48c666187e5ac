package io.weft.codec.haproxy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The header before a connection that a proxy passes on: who connected, and where to.
///
/// @param isLocal the proxy opened the connection by itself, for a health check say: the addresses
///     are those of the connection
/// @param source the client's address; null with [Transport#UNSPECIFIED]
/// @param destination the address that the client connected to; null as the source is
/// @param tlvs further fields, of version 2
public record ProxyHeader(
        ProxyVersion version,
        boolean isLocal,
        Transport transport,
        @Nullable ProxyAddress source,
        @Nullable ProxyAddress destination,
        List<ProxyTlv> tlvs) {
    /// @throws IllegalArgumentException when parts do not go together
    public ProxyHeader {
        tlvs = List.copyOf(tlvs);
        boolean fits =
                transport == Transport.UNSPECIFIED
                        ? source == null && destination == null
                        : of(transport, source) && of(transport, destination);
        if (!fits) {
            throw new IllegalArgumentException(
                    "source, destination: "
                            + source
                            + ", "
                            + destination
                            + " (expected: of "
                            + transport
                            + ")");
        }
        boolean text = transport == Transport.TCP4 || transport == Transport.TCP6;
        boolean unknown = transport == Transport.UNSPECIFIED;
        if (version == ProxyVersion.V1 && (!tlvs.isEmpty() || isLocal || !(text || unknown))) {
            throw new IllegalArgumentException(
                    "header: "
                            + transport
                            + (isLocal ? ", local, " : ", ")
                            + tlvs.size()
                            + " tlvs (expected: TCP alone, as version 1 has no more)");
        }
    }

    /// A line with the addresses of TCP.
    ///
    /// @throws IllegalArgumentException when one address is not of TCP
    public static ProxyHeader v1(ProxyAddress source, ProxyAddress destination) {
        return new ProxyHeader(
                ProxyVersion.V1, false, tcp(source, destination), source, destination, List.of());
    }

    /// The line `PROXY UNKNOWN`: without addresses.
    public static ProxyHeader unknown() {
        return new ProxyHeader(
                ProxyVersion.V1, false, Transport.UNSPECIFIED, null, null, List.of());
    }

    /// A binary header.
    ///
    /// @throws IllegalArgumentException when the addresses are not of the transport
    public static ProxyHeader v2(
            Transport transport, ProxyAddress source, ProxyAddress destination, ProxyTlv... tlvs) {
        return new ProxyHeader(
                ProxyVersion.V2, false, transport, source, destination, List.of(tlvs));
    }

    /// A binary header of a stream, its transport told by the addresses.
    ///
    /// @throws IllegalArgumentException when one is of TCP and the other of a Unix socket
    public static ProxyHeader v2(ProxyAddress source, ProxyAddress destination, ProxyTlv... tlvs) {
        Transport transport =
                source instanceof ProxyAddress.Unix
                        ? Transport.UNIX_STREAM
                        : tcp(source, destination);
        return v2(transport, source, destination, tlvs);
    }

    /// A binary header of a connection that the proxy opened by itself.
    public static ProxyHeader local() {
        return new ProxyHeader(ProxyVersion.V2, true, Transport.UNSPECIFIED, null, null, List.of());
    }

    /// Tells if the header has the addresses of another connection than the one that it came on.
    public boolean isProxied() {
        return !isLocal && source != null;
    }

    /// The first field of a kind; null where there is none.
    public <T extends ProxyTlv> @Nullable T tlv(Class<T> kind) {
        for (ProxyTlv tlv : tlvs) {
            if (kind.isInstance(tlv)) {
                return kind.cast(tlv);
            }
        }
        return null;
    }

    /// Both in IPv4, or both in IPv6: a header has one family.
    private static Transport tcp(ProxyAddress source, ProxyAddress destination) {
        return isIpv4(source) && isIpv4(destination) ? Transport.TCP4 : Transport.TCP6;
    }

    private static boolean isIpv4(@Nullable ProxyAddress address) {
        return address instanceof ProxyAddress.Inet(var ip, _) && ip.getAddress().length == 4;
    }

    private static boolean of(Transport transport, @Nullable ProxyAddress address) {
        return switch (address) {
            case null -> false;
            case ProxyAddress.Unix _ -> transport.isUnix();
            // An IPv4 address travels as ::ffff:a.b.c.d among those of IPv6.
            case ProxyAddress.Inet _ ->
                    transport.addressBytes() == 16
                            || (transport.addressBytes() == 4 && isIpv4(address));
        };
    }
}
