package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// The start of a zone of authority (RFC 1035, 3.3.13; RFC 2308). Times are seconds.
///
/// @param primary the name of the primary server
/// @param mailbox of the person responsible, its `@` written as a dot
/// @param minimum how long a negative answer may be cached, if the TTL of this record is not less
public record Soa(
        DnsName primary,
        DnsName mailbox,
        long serial,
        long refresh,
        long retry,
        long expire,
        long minimum)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Soa {
        Checks.u32("serial", serial);
        Checks.u32("refresh", refresh);
        Checks.u32("retry", retry);
        Checks.u32("expire", expire);
        Checks.u32("minimum", minimum);
    }

    @Override
    public RecordType type() {
        return RecordType.SOA;
    }
}
