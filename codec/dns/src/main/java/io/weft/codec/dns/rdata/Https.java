package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;
import java.util.List;

/// The way to reach an origin of HTTP (RFC 9460).
///
/// @param priority 0: an alias of `target`, without parameters that mean something
/// @param parameters in ascending order of their keys
public record Https(int priority, DnsName target, List<SvcParam> parameters) implements Rdata {
    /// @throws IllegalArgumentException when the priority is out of its range, or parameters are
    ///     twice there or need others that are not
    public Https {
        Checks.u16("priority", priority);
        parameters = SvcParam.ordered(parameters);
    }

    @Override
    public RecordType type() {
        return RecordType.HTTPS;
    }
}
