package io.weft.handler.filter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;

/// A block of addresses (RFC 4632): those that begin with the same bits. IPv4 addresses in IPv6 form (`::ffff:a.b.c.d`) are
/// IPv4 addresses.
public final class Cidr {
    private final byte[] network;
    private final int prefix;

    private Cidr(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /// Parses `192.0.2.0/24`, `2001:db8::/32`, or one address alone. Names are refused, and so are bits behind the prefix:
    /// who writes `192.0.2.1/24` may mean something else.
    ///
    /// @throws IllegalArgumentException when it is no such block
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        // A literal has only these, so that nothing is looked up.
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw refused(text);
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            if (address.indexOf(':') < 0 && address.split("\\.", -1).length != 4) {
                throw refused(text);
            }
            return of(
                    bytes,
                    slash < 0 ? bytes.length * 8 : number(text.substring(slash + 1), text),
                    text);
        } catch (UnknownHostException e) {
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
        if (prefix > bytes.length * 8) {
            throw refused(text);
        }
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

    /// Whether `address` is in it. An address of the other family never is.
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
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
