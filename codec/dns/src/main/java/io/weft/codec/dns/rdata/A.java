package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;
import java.net.Inet4Address;

/// An address of IPv4 (RFC 1035, 3.4.1).
///
/// @param bits the address, its first octet in the highest bits
public record A(int bits) implements Rdata {
    /// @param address as in `192.0.2.1`
    /// @throws IllegalArgumentException unless it is four decimal numbers
    public static A of(String address) {
        return new A(Addresses.parse4(address));
    }

    public static A of(Inet4Address address) {
        return new A(Addresses.bits(address.getAddress()));
    }

    public Inet4Address inetAddress() {
        return Addresses.inet4(bits);
    }

    /// The address, as in `192.0.2.1`.
    @Override
    public String toString() {
        return Addresses.print4(bits);
    }

    @Override
    public RecordType type() {
        return RecordType.A;
    }
}
