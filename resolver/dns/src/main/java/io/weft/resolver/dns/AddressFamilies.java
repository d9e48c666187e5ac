package io.weft.resolver.dns;

import io.weft.codec.dns.RecordType;
import java.util.List;

/// The addresses that a host is asked for.
public enum AddressFamilies {
    /// Both, that of IPv6 a moment before (RFC 8305, 3).
    IPV6_AND_IPV4,
    /// Both, that of IPv4 a moment before.
    IPV4_AND_IPV6,
    /// IPv4 alone.
    IPV4,
    /// IPv6 alone.
    IPV6;

    List<RecordType> types() {
        return switch (this) {
            case IPV6_AND_IPV4 -> List.of(RecordType.AAAA, RecordType.A);
            case IPV4_AND_IPV6 -> List.of(RecordType.A, RecordType.AAAA);
            case IPV4 -> List.of(RecordType.A);
            case IPV6 -> List.of(RecordType.AAAA);
        };
    }
}
