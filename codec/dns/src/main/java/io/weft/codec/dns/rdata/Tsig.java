package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;

/// The signature of a message (RFC 8945).
///
/// @param time seconds since 1970: 48 bits
/// @param fudge seconds that clocks may differ
/// @param originalId of the message when it was signed
public record Tsig(
        DnsName algorithm,
        long time,
        int fudge,
        Octets mac,
        int originalId,
        ResponseCode error,
        Octets other)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Tsig {
        Checks.range("time", time, 0xFFFF_FFFF_FFFFL);
        Checks.u16("fudge", fudge);
        Checks.u16("originalId", originalId);
        Checks.room(16 + algorithm.length(), mac, other);
    }

    @Override
    public RecordType type() {
        return RecordType.TSIG;
    }
}
