package io.weft.resolver.names;

import java.util.Comparator;
import java.util.List;

/// The families of addresses that are wanted, and which of them first.
public enum AddressFamilies {
    IPV4_ONLY,
    IPV6_ONLY,
    IPV4_PREFERRED,
    IPV6_PREFERRED;

    /// Returns the addresses of the wanted families, in this order; within a family as they were.
    public List<ResolvedAddress> select(List<ResolvedAddress> addresses) {
        return switch (this) {
            case IPV4_ONLY -> addresses.stream().filter(a -> !a.isIpv6()).toList();
            case IPV6_ONLY -> addresses.stream().filter(ResolvedAddress::isIpv6).toList();
            case IPV4_PREFERRED ->
                    addresses.stream()
                            .sorted(Comparator.comparing(ResolvedAddress::isIpv6))
                            .toList();
            case IPV6_PREFERRED ->
                    addresses.stream()
                            .sorted(Comparator.comparing(ResolvedAddress::isIpv6).reversed())
                            .toList();
        };
    }
}
