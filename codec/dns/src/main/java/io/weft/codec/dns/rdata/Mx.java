package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// A mail exchange (RFC 1035, 3.3.9).
///
/// @param preference lower values first
public record Mx(int preference, DnsName exchange) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Mx {
        Checks.u16("preference", preference);
    }

    @Override
    public RecordType type() {
        return RecordType.MX;
    }
}
