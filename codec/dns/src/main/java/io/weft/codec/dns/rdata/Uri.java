package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A URI for a service (RFC 7553).
///
/// @param target of one octet at least
public record Uri(int priority, int weight, Octets target) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Uri {
        Checks.u16("priority", priority);
        Checks.u16("weight", weight);
        Checks.notEmpty("target", target);
        Checks.room(4, target);
    }

    @Override
    public RecordType type() {
        return RecordType.URI;
    }
}
