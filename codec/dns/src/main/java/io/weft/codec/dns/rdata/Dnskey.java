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
        Octets data = octets();
        if (algorithm == 1) {
            int n = data.length();
            return n < 7 ? 0 : data.get(n - 3) << 8 | data.get(n - 2);
        }
        long sum = 0;
        for (int i = 0; i < data.length(); i++) {
            sum += (i & 1) == 0 ? data.get(i) << 8 : data.get(i);
        }
        return (int) (sum + (sum >> 16 & 0xFFFF)) & 0xFFFF;
    }

    @Override
    public RecordType type() {
        return RecordType.DNSKEY;
    }
}
