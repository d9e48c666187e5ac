package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// The location of a service (RFC 2782).
///
/// @param priority lower values first
/// @param weight the share among those with the same priority
public record Srv(int priority, int weight, int port, DnsName target) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Srv {
        Checks.u16("priority", priority);
        Checks.u16("weight", weight);
        Checks.u16("port", port);
    }

    @Override
    public RecordType type() {
        return RecordType.SRV;
    }
}
