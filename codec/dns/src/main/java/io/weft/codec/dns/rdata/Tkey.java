package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;

/// A key that two hosts establish (RFC 2930).
///
/// @param inception seconds since 1970, modulo 2^32
/// @param expiration seconds since 1970, modulo 2^32
public record Tkey(
        DnsName algorithm,
        long inception,
        long expiration,
        int mode,
        ResponseCode error,
        Octets key,
        Octets other)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Tkey {
        Checks.u32("inception", inception);
        Checks.u32("expiration", expiration);
        Checks.u16("mode", mode);
        Checks.room(16 + algorithm.length(), key, other);
    }

    @Override
    public RecordType type() {
        return RecordType.TKEY;
    }
}
