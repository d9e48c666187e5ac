package io.weft.loop;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Text forms of IP addresses, without asking a resolver and, but for [#parse], without making an
/// object.
///
/// **IPv4** is four decimal numbers with three dots (RFC 6943 §3.1.1, the strict form). A leading
/// zero is refused, as some read it as octal; so are `127.1` and `2130706433`: code that compares
/// texts would be led to another host by them.
///
/// **IPv6** is what RFC 4291 §2.2 allows: one `::` for one or more groups of zeros, the last 32
/// bits in dotted form (`::ffff:192.0.2.1`), either case; then a zone after `%` (RFC 4007 §11):
/// printable ASCII, at least one character. No brackets: they belong to URIs.
public final class IpAddresses {
    private static final int GROUPS = 8;

    private static final byte[] HEX = hexDigits(); // by character; -1 for what is none

    private IpAddresses() {}

    public static boolean isIpv4(CharSequence text) {
        return ipv4(text, 0, text.length()) >= 0;
    }

    public static boolean isIpv6(CharSequence text) {
        return ipv6(text, null, 0);
    }

    /// Returns the IPv4 address in the lower 32 bits, its first byte on top; -1 if `text` is not
    /// one.
    public static long parseIpv4(CharSequence text) {
        return ipv4(text, 0, text.length());
    }

    /// Writes the 16 bytes of an IPv6 address, of which the zone is no part, to `into` from
    /// `offset` on.
    ///
    /// @return false if `text` is not an IPv6 address; the content of `into` from `offset` on is
    ///     then undefined
    /// @throws IndexOutOfBoundsException when there is no room for 16 bytes
    public static boolean parseIpv6(CharSequence text, byte[] into, int offset) {
        Objects.checkFromIndexSize(offset, 16, into.length);
        return ipv6(text, into, offset);
    }

    /// Returns the address that `text` is, or null if it is not an address. As everywhere in the
    /// JDK, an IPv4-mapped IPv6 address comes as the IPv4 address. A zone that names an interface
    /// needs that interface to exist here.
    public static @Nullable InetAddress parse(CharSequence text) {
        long ipv4 = parseIpv4(text);
        try {
            if (ipv4 >= 0) {
                byte[] four = {
                    (byte) (ipv4 >> 24), (byte) (ipv4 >> 16), (byte) (ipv4 >> 8), (byte) ipv4
                };
                return InetAddress.getByAddress(four);
            }
            if (!mayBeIpv6(text)) {
                return null;
            }
            byte[] sixteen = new byte[16];
            if (!parseIpv6(text, sixteen, 0)) {
                return null;
            }
            return hasZone(text)
                    ? InetAddress.ofLiteral(text.toString())
                    : InetAddress.getByAddress(sixteen);
        } catch (UnknownHostException | IllegalArgumentException _) {
            return null; // no such interface
        }
    }

    /// Tells if the last label of a name is a number, decimal or hexadecimal, with or without a dot
    /// behind it. No domain of the public tree ends so (RFC 3696 §2): such a text is an IPv4
    /// address, or one of the forms of it that [#parseIpv4] refuses, such as `127.1`, `0x7f000001`
    /// and `0177.0.0.1`, which the resolvers of systems accept.
    public static boolean endsInNumber(CharSequence name) {
        int end = name.length();
        if (end > 1 && name.charAt(end - 1) == '.') {
            end--;
        }
        int start = end;
        while (start > 0 && name.charAt(start - 1) != '.') {
            start--;
        }
        boolean hex =
                end - start >= 2
                        && name.charAt(start) == '0'
                        && (name.charAt(start + 1) | 0x20) == 'x';
        for (int i = hex ? start + 2 : start; i < end; i++) {
            char c = name.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit && !(hex && c < HEX.length && HEX[c] >= 0)) {
                return false;
            }
        }
        return end > start;
    }

    /// Appends the text of an address of 4 or 16 bytes, the latter in its canonical form (RFC
    /// 5952).
    ///
    /// @throws IllegalArgumentException when `address` has another length
    public static void append(StringBuilder out, byte[] address) {
        switch (address.length) {
            case 4 -> appendIpv4(out, address, 0);
            case 16 -> appendIpv6(out, address);
            default ->
                    throw new IllegalArgumentException(
                            "address: " + address.length + " bytes (expected: 4 or 16)");
        }
    }

    private static void appendIpv4(StringBuilder out, byte[] address, int offset) {
        for (int i = 0; i < 4; i++) {
            if (i > 0) {
                out.append('.');
            }
            out.append(address[offset + i] & 0xFF);
        }
    }

    private static void appendIpv6(StringBuilder out, byte[] address) {
        // RFC 5952 §4.2.3: the longest run of at least two groups of zeros, the first of equals.
        int gap = -1;
        int gapLength = 1;
        for (int g = 0, zeros = 0; g < GROUPS; g++) {
            zeros = group(address, g) == 0 ? zeros + 1 : 0;
            if (zeros > gapLength) {
                gapLength = zeros;
                gap = g - zeros + 1;
            }
        }
        // §5: mapped addresses in the mixed form.
        boolean mapped = gap == 0 && gapLength == 5 && group(address, 5) == 0xFFFF;
        int end = mapped ? 6 : GROUPS;
        for (int g = 0; g < end; g++) {
            if (g == gap) {
                out.append("::");
                g += gapLength - 1;
            } else {
                if (g > 0 && g != gap + gapLength) {
                    out.append(':');
                }
                appendHex(out, group(address, g));
            }
        }
        if (mapped) {
            out.append(':');
            appendIpv4(out, address, 12);
        }
    }

    private static void appendHex(StringBuilder out, int group) {
        boolean begun = false;
        for (int shift = 12; shift >= 0; shift -= 4) {
            int digit = (group >> shift) & 0xF;
            begun |= digit != 0 || shift == 0;
            if (begun) {
                out.append(Character.forDigit(digit, 16));
            }
        }
    }

    private static int group(byte[] address, int group) {
        return (address[2 * group] & 0xFF) << 8 | (address[2 * group + 1] & 0xFF);
    }

    /// One look at each character: all that matters of those before is `part`.
    private static long ipv4(CharSequence text, int start, int end) {
        if (end - start < 7 || end - start > 15) {
            return -1;
        }
        long address = 0;
        int parts = 1;
        int part = -1; // no digit yet
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit >= 0 && digit <= 9) {
                if (part > 0) {
                    part = 10 * part + digit;
                    if (part > 255) {
                        return -1;
                    }
                } else if (part < 0) {
                    part = digit;
                } else {
                    return -1;
                }
            } else if (digit == '.' - '0' && part >= 0 && parts < 4) {
                address = address << 8 | part;
                parts++;
                part = -1;
            } else {
                return -1;
            }
        }
        return parts == 4 && part >= 0 ? address << 8 | part : -1;
    }

    /// One look at each character, into a table: digits and letters alternate as no branch
    /// predictor foresees.
    private static boolean ipv6(CharSequence text, byte @Nullable [] into, int offset) {
        int length = text.length();
        int groups = 0;
        int gap = -1; // how many groups are before "::"
        int i = 0;
        if (length < 2) {
            return false;
        }
        if (text.charAt(0) == ':') {
            if (text.charAt(1) != ':') {
                return false;
            }
            gap = 0;
            i = 2;
        }
        int first = i; // of the group
        int value = 0;
        for (; i < length; i++) {
            char c = text.charAt(i);
            int digit = c < HEX.length ? HEX[c] : -1;
            if (digit >= 0) {
                value = value << 4 | digit;
            } else if (c == ':') {
                if (i > first) {
                    if (i - first > 4 || groups == GROUPS) {
                        return false;
                    }
                    put(into, offset, groups++, value);
                    value = 0;
                } else if (gap < 0 && groups > 0) {
                    gap = groups;
                } else {
                    return false;
                }
                first = i + 1;
            } else {
                break; // one that only comes behind the last group
            }
        }
        if (i < length && text.charAt(i) == '.') {
            i = endOfAddress(text, i);
            long ipv4 = groups > GROUPS - 2 ? -1 : ipv4(text, first, i);
            if (ipv4 < 0) {
                return false;
            }
            put(into, offset, groups++, (int) (ipv4 >> 16));
            first = i - 1; // the lower half is the last group
            value = (int) ipv4 & 0xFFFF;
        }
        if (i < length && !isZone(text, i)) {
            return false;
        }
        if (i > first) {
            if (i - first > 4 || groups == GROUPS) {
                return false;
            }
            put(into, offset, groups++, value);
        } else if (gap != groups) {
            return false; // a single ':' before the end
        }
        if (gap < 0) {
            return groups == GROUPS;
        }
        if (groups == GROUPS) {
            return false; // "::" stands for nothing
        }
        if (into != null) {
            int tail = 2 * (groups - gap);
            System.arraycopy(into, offset + 2 * gap, into, offset + 16 - tail, tail);
            Arrays.fill(into, offset + 2 * gap, offset + 16 - tail, (byte) 0);
        }
        return true;
    }

    /// Returns the index at which the zone or the text ends the address.
    private static int endOfAddress(CharSequence text, int from) {
        int length = text.length();
        // Beyond there no address ends; further it is not looked.
        int most = Math.min(length, from + 16);
        for (int i = from; i < most; i++) {
            if (text.charAt(i) == '%') {
                return i;
            }
        }
        return most;
    }

    /// Tells if `%` is at `from`, and a name behind it.
    private static boolean isZone(CharSequence text, int from) {
        int length = text.length();
        for (int i = from + 1; i < length; i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '%') {
                return false;
            }
        }
        return text.charAt(from) == '%' && from + 1 < length;
    }

    private static boolean hasZone(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                return true;
            }
        }
        return false;
    }

    /// False for most texts that are not an IPv6 address: its first group has at most four digits.
    private static boolean mayBeIpv6(CharSequence text) {
        for (int i = 0; i < Math.min(text.length(), 5); i++) {
            if (text.charAt(i) == ':') {
                return true;
            }
        }
        return false;
    }

    private static void put(byte @Nullable [] into, int offset, int group, int value) {
        if (into != null) {
            into[offset + 2 * group] = (byte) (value >> 8);
            into[offset + 2 * group + 1] = (byte) value;
        }
    }

    private static byte[] hexDigits() {
        byte[] digits = new byte['f' + 1];
        for (int c = 0; c < digits.length; c++) {
            digits[c] = (byte) Character.digit(c, 16);
        }
        return digits;
    }
}
