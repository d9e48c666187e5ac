package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;
import java.net.Inet6Address;

/// An address of IPv6 (RFC 3596).
///
/// @param high the first eight octets
/// @param low the last eight octets
public record Aaaa(long high, long low) implements Rdata {
    /// @param address as in `2001:db8::1`
    /// @throws IllegalArgumentException unless it is such an address
    public static Aaaa of(String address) {
        return Addresses.parse6(address);
    }

    public static Aaaa of(Inet6Address address) {
        return Addresses.aaaa(address.getAddress());
    }

    public Inet6Address inetAddress() {
        return Addresses.inet6(this);
    }

    /// The address as RFC 5952 has it.
    @Override
    public String toString() {
        return Addresses.print6(this);
    }

    @Override
    public RecordType type() {
        return RecordType.AAAA;
    }
}
