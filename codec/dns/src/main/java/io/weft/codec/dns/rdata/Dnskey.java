package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A key of a zone (RFC 4034, 2).
///
/// @param flags 256: a zone's key; 1: a secure entry point; 128: revoked
/// @param protocol 3
public record Dnskey(int flags, int protocol, int algorithm, Octets key) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Dnskey {
        Checks.u16("flags", flags);
        Checks.u8("protocol", protocol);
        Checks.u8("algorithm", algorithm);
        Checks.notEmpty("key", key);
        Checks.room(4, key);
    }

    /// The tag that signatures name this key by (RFC 4034, appendix B).
    public int keyTag() {
        if (algorithm == 1) {
            int n = key.length();
            return n < 3 ? 0 : key.get(n - 3) << 8 | key.get(n - 2);
        }
        long sum = (long) flags + (protocol << 8) + algorithm;
        for (int i = 0; i < key.length(); i++) {
            sum += (i & 1) == 0 ? key.get(i) << 8 : key.get(i);
        }
        return (int) (sum + (sum >> 16 & 0xFFFF)) & 0xFFFF;
    }

    @Override
    public RecordType type() {
        return RecordType.DNSKEY;
    }
}
