package io.weft.resolver.names;

import io.weft.loop.IpAddresses;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Precedences and labels of addresses by their prefix (RFC 6724, 2.1). The longest prefix that
/// matches counts. IPv4 is under `::ffff:0:0/96`. Immutable.
public final class PolicyTable {
    /// The table of RFC 6724, 2.1: IPv6 before IPv4, both before tunnels.
    public static final PolicyTable DEFAULT =
            new PolicyTable(
                    List.of(
                            Policy.of("::1/128", 50, 0),
                            Policy.of("::/0", 40, 1),
                            Policy.of("::ffff:0:0/96", 35, 4),
                            Policy.of("2002::/16", 30, 2),
                            Policy.of("2001::/32", 5, 5),
                            Policy.of("fc00::/7", 3, 13),
                            Policy.of("::/96", 1, 3),
                            Policy.of("fec0::/10", 1, 11),
                            Policy.of("3ffe::/16", 1, 12)));

    /// The table with IPv4 before IPv6 (RFC 6724, 10.3).
    public static final PolicyTable IPV4_FIRST = DEFAULT.with("::ffff:0:0/96", 100, 4);

    private static final int BITS = 128;
    private static final long MAPPED = 0xFFFF_0000_0000L; // ::ffff:0:0

    private final List<Policy> rows;

    private PolicyTable(List<Policy> rows) {
        this.rows = rows;
    }

    /// One row; an address as two halves.
    private record Policy(long high, long low, int bits, int precedence, int label) {
        static final Policy NONE = new Policy(0, 0, -1, 0, -1);

        static Policy of(String text, int precedence, int label) {
            int slash = text.indexOf('/');
            byte[] bytes = new byte[16];
            int bits = slash < 0 ? -1 : number(text.substring(slash + 1));
            if (bits < 0
                    || bits > BITS
                    || !IpAddresses.parseIpv6(text.substring(0, slash), bytes, 0)) {
                throw new IllegalArgumentException(
                        "prefix: " + text + " (expected: an IPv6 address / 0..128)");
            }
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            return new Policy(halves.getLong(), halves.getLong(), bits, precedence, label);
        }

        private static int number(String digits) {
            try {
                return Integer.parseInt(digits);
            } catch (NumberFormatException _) {
                return -1;
            }
        }

        boolean matches(long otherHigh, long otherLow) {
            return ((high ^ otherHigh) & mask(bits)) == 0
                    && ((low ^ otherLow) & mask(bits - 64)) == 0;
        }

        /// The upper `count` bits of 64.
        private static long mask(int count) {
            return count <= 0 ? 0 : -1L << (64 - Math.min(count, 64));
        }

        boolean isOf(Policy other) {
            return bits == other.bits && matches(other.high, other.low);
        }
    }

    /// Returns a table with a row added, or with that of the same prefix replaced.
    ///
    /// @param prefix such as `2001:db8::/32`; of IPv4 such as `::ffff:10.0.0.0/104`
    /// @param precedence of destinations; higher ones are tried first
    /// @param label destinations are preferred whose source has the same
    /// @throws IllegalArgumentException when `prefix` is not a prefix
    public PolicyTable with(String prefix, int precedence, int label) {
        Policy added = Policy.of(prefix, precedence, label);
        List<Policy> changed = new ArrayList<>(rows);
        changed.removeIf(added::isOf);
        changed.add(added);
        return new PolicyTable(List.copyOf(changed));
    }

    /// Returns the precedence of an address; 0 where no row matches.
    public int precedence(InetAddress address) {
        return row(address).precedence;
    }

    /// Returns the label of an address; -1 where no row matches.
    public int label(InetAddress address) {
        return row(address).label;
    }

    private Policy row(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer all = ByteBuffer.wrap(bytes);
        boolean ipv4 = bytes.length == 4;
        long high = ipv4 ? 0 : all.getLong();
        long low = ipv4 ? MAPPED | (all.getInt() & 0xFFFF_FFFFL) : all.getLong();
        Policy best = Policy.NONE;
        for (Policy row : rows) {
            if (row.bits > best.bits && row.matches(high, low)) {
                best = row;
            }
        }
        return best;
    }
}
