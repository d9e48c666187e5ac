package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import java.net.InetAddress;
import java.util.List;

/// A place where a service is to be had, as SRV, SVCB and HTTPS records say (RFC 2782, RFC 9460).
///
/// @param target the name of its host, to be resolved; hints are only to save time
/// @param port of the service
/// @param priority the least first
/// @param protocols that it speaks, by their names for ALPN; none where records do not say (SRV)
/// @param hints addresses of the target, IPv6 first; perhaps none (RFC 9460, 7.3)
/// @param ech configurations of encrypted ClientHello; empty for none
public record ServiceAddress(
        DnsName target,
        int port,
        int priority,
        List<String> protocols,
        List<InetAddress> hints,
        Octets ech) {
    public ServiceAddress {
        protocols = List.copyOf(protocols);
        hints = List.copyOf(hints);
    }
}
