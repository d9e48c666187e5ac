package io.weft.handler.filter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;

/// A block of addresses (RFC 4632): those that begin with the same bits. IPv4 addresses in IPv6
/// form (`::ffff:a.b.c.d`) are IPv4 addresses.
public final class Cidr {
    private static final int IPV4 = 4;

    /// Bits before an IPv4 address in IPv6 form (RFC 4291, 2.5.5.2).
    private static final int MAPPED_PREFIX = 96;

    private final byte[] network;
    private final int prefix;

    private Cidr(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /// Parses `192.0.2.0/24`, `2001:db8::/32`, or one address alone. Names are refused, and so are
    /// bits behind the prefix: the author of `192.0.2.1/24` may mean something else. The prefix of
    /// `::ffff:192.0.2.0/120` counts all bits that are written.
    ///
    /// @throws IllegalArgumentException when it is no such block
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean six = address.indexOf(':') >= 0;
        if (!address.matches(six ? "[0-9a-fA-F:.]*" : "[0-9.]+") || !isDotted(address)) {
            throw refused(text);
        }
        byte[] bytes = literal(address, text);
        int before = six && bytes.length == IPV4 ? MAPPED_PREFIX : 0; // the JDK cuts that off
        int bits = before + bytes.length * 8;
        int prefix = slash < 0 ? bits : number(text.substring(slash + 1), text);
        if (prefix < before || prefix > bits) {
            throw refused(text);
        }
        return of(bytes, prefix - before, text);
    }

    /// Tells if the dotted part has four decimal numbers, or there is none in an IPv6 address. The
    /// JDK accepts fewer, and others read numbers that begin with 0 as octal.
    private static boolean isDotted(String address) {
        String last = address.substring(address.lastIndexOf(':') + 1);
        String number = "(0|[1-9][0-9]{0,2})";
        return (address.indexOf(':') >= 0 && last.indexOf('.') < 0)
                || last.matches(number + "(\\." + number + "){3}");
    }

    /// Nothing is looked up.
    private static byte[] literal(String address, String text) {
        try {
            return InetAddress.ofLiteral(address).getAddress();
        } catch (IllegalArgumentException e) {
            throw refused(text);
        }
    }

    private static int number(String digits, String text) {
        if (!digits.matches("0|[1-9][0-9]{0,2}")) {
            throw refused(text);
        }
        return Integer.parseInt(digits);
    }

    private static Cidr of(byte[] bytes, int prefix, String text) {
        for (int bit = prefix; bit < bytes.length * 8; bit++) {
            if ((bytes[bit >> 3] & 0x80 >> (bit & 7)) != 0) {
                throw refused(text);
            }
        }
        return new Cidr(bytes, prefix);
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "block: "
                        + text
                        + " (expected: an address, or one with nothing behind its prefix)");
    }

    /// Tells if `address` is in this block. An address of the other family never is.
    public boolean contains(InetAddress address) {
        byte[] bytes = unmapped(address).getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = prefix >> 3;
        if (!Arrays.equals(bytes, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = prefix & 7;
        return rest == 0 || ((bytes[whole] ^ network[whole]) & 0xFF & ~(0xFF >> rest)) == 0;
    }

    /// The JDK makes IPv4 addresses of those in IPv6 form, unless they are made with a scope.
    static InetAddress unmapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean mapped = bytes.length > IPV4 && bytes[10] == -1 && bytes[11] == -1;
        for (int i = 0; mapped && i < 10; i++) {
            mapped = bytes[i] == 0;
        }
        try {
            return mapped ? InetAddress.getByAddress(bytes) : address;
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cidr cidr
                && cidr.prefix == prefix
                && Arrays.equals(cidr.network, network);
    }

    @Override
    public int hashCode() {
        return Objects.hash(prefix, Arrays.hashCode(network));
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
