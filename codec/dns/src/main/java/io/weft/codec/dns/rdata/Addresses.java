package io.weft.codec.dns.rdata;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// Addresses as bits, as text and as the JDK has them.
final class Addresses {
    private static final int GROUPS = 8;

    private Addresses() {}

    static int bits(byte[] four) {
        return ByteBuffer.wrap(four).getInt();
    }

    static Aaaa aaaa(byte[] sixteen) {
        ByteBuffer b = ByteBuffer.wrap(sixteen);
        return new Aaaa(b.getLong(), b.getLong());
    }

    static Inet4Address inet4(int bits) {
        try {
            return (Inet4Address)
                    InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(bits).array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    static Inet6Address inet6(Aaaa a) {
        byte[] octets = ByteBuffer.allocate(16).putLong(a.high()).putLong(a.low()).array();
        try {
            return Inet6Address.getByAddress(null, octets, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IllegalArgumentException bad(String text, String expected) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return new IllegalArgumentException("address: " + shown + " (expected: " + expected + ")");
    }

    static int parse4(String text) {
        int bits = 0;
        int octet = -1;
        int octets = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            if (c == '.' && octet >= 0 && octets < 4) {
                bits = bits << 8 | octet;
                octet = -1;
                octets++;
            } else if (c >= '0' && c <= '9' && octet != 0) {
                octet = Math.max(octet, 0) * 10 + c - '0';
                if (octet > 255) {
                    throw bad(text, "four numbers up to 255");
                }
            } else {
                throw bad(text, "four numbers up to 255");
            }
        }
        if (octets != 4) {
            throw bad(text, "four numbers up to 255");
        }
        return bits;
    }

    /// Groups of hexadecimal digits, of which one run of zeros may be left out, and an address of
    /// IPv4 for the last two.
    static Aaaa parse6(String text) {
        if (text.length() > 45) {
            throw bad(text, "an address of IPv6");
        }
        int gap = text.indexOf("::");
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            if (groups(text, text, true, groups) != GROUPS) {
                throw bad(text, "eight groups, or ::");
            }
            return of(groups);
        }
        int[] behind = new int[GROUPS];
        int before = groups(text, text.substring(0, gap), false, groups);
        int after = groups(text, text.substring(gap + 2), true, behind);
        if (before + after > GROUPS - 1) {
            throw bad(text, "at most seven groups beside ::");
        }
        System.arraycopy(behind, 0, groups, GROUPS - after, after);
        return of(groups);
    }

    /// @param end whether the part ends the address, where the last two groups may be an address of
    ///     IPv4
    private static int groups(String whole, String part, boolean end, int[] to) {
        if (part.isEmpty()) {
            return 0;
        }
        String[] groups = part.split(":", -1);
        int n = 0;
        for (int i = 0; i < groups.length; i++) {
            String group = groups[i];
            if (end && i == groups.length - 1 && group.indexOf('.') >= 0 && n + 2 <= GROUPS) {
                int four = parse4(group);
                to[n++] = four >>> 16;
                to[n++] = four & 0xFFFF;
                continue;
            }
            if (n == GROUPS || group.isEmpty() || group.length() > 4) {
                throw bad(whole, "eight groups of one to four digits");
            }
            int value = 0;
            for (int k = 0; k < group.length(); k++) {
                int digit = group.charAt(k) < 0x80 ? Character.digit(group.charAt(k), 16) : -1;
                if (digit < 0) {
                    throw bad(whole, "hexadecimal digits");
                }
                value = value << 4 | digit;
            }
            to[n++] = value;
        }
        return n;
    }

    private static Aaaa of(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 4; i++) {
            high = high << 16 | groups[i];
            low = low << 16 | groups[i + 4];
        }
        return new Aaaa(high, low);
    }

    static String print4(int bits) {
        return (bits >>> 24)
                + "."
                + (bits >> 16 & 0xFF)
                + "."
                + (bits >> 8 & 0xFF)
                + "."
                + (bits & 0xFF);
    }

    private static int group(Aaaa a, int i) {
        return (int) ((i < 4 ? a.high() : a.low()) >>> (48 - 16 * (i & 3))) & 0xFFFF;
    }

    static String print6(Aaaa a) {
        if (a.high() == 0 && a.low() >>> 32 == 0xFFFF) {
            return "::ffff:" + print4((int) a.low());
        }
        int gap = -1;
        int gapLength = 1; // one group of zeros is written out
        for (int i = 0; i < GROUPS; i++) {
            int n = 0;
            while (i + n < GROUPS && group(a, i + n) == 0) {
                n++;
            }
            if (n > gapLength) {
                gap = i;
                gapLength = n;
            }
            i += n;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (i > 0 && (gap < 0 || i != gap + gapLength)) {
                text.append(':');
            }
            text.append(Integer.toHexString(group(a, i)));
        }
        return text.toString();
    }
}
