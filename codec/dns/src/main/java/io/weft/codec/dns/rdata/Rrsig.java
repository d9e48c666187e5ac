package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A signature of a set of records (RFC 4034, 3).
///
/// @param labels of the name that was signed, without a wildcard's
/// @param expiration seconds since 1970, modulo 2^32
/// @param inception seconds since 1970, modulo 2^32
public record Rrsig(
        RecordType covered,
        int algorithm,
        int labels,
        long originalTtl,
        long expiration,
        long inception,
        int keyTag,
        DnsName signer,
        Octets signature)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Rrsig {
        Checks.u8("algorithm", algorithm);
        Checks.u8("labels", labels);
        Checks.u32("originalTtl", originalTtl);
        Checks.u32("expiration", expiration);
        Checks.u32("inception", inception);
        Checks.u16("keyTag", keyTag);
        Checks.notEmpty("signature", signature);
        Checks.room(18 + signer.length(), signature);
    }

    @Override
    public RecordType type() {
        return RecordType.RRSIG;
    }
}
