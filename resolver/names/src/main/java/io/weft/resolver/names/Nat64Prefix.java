package io.weft.resolver.names;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A prefix under which a translator (NAT64) reaches all of IPv4 (RFC 6052, 2.2). Immutable.
public final class Nat64Prefix {
    /// The prefix that needs no agreement, `64:ff9b::/96` (RFC 6052, 2.1).
    public static final Nat64Prefix WELL_KNOWN =
            new Nat64Prefix(
                    new byte[] {
                        0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
                    },
                    96);

    private static final int[] LENGTHS = {96, 64, 56, 48, 40, 32};

    /// Byte 8 is never part of an IPv4 address, and zero.
    private static final int RESERVED = 8;

    private final byte[] prefix;
    private final int length;

    private Nat64Prefix(byte[] prefix, int length) {
        this.prefix = prefix;
        this.length = length;
    }

    /// Returns the prefix of an address of `ipv4only.arpa`, in which 192.0.0.170 or 192.0.0.171
    /// lies (RFC 7050, 3); null when neither is in it.
    public static @Nullable Nat64Prefix of(Inet6Address address) {
        byte[] bytes = address.getAddress();
        for (int length : LENGTHS) {
            byte[] ipv4 = embedded(bytes, length);
            if ((ipv4[0] & 0xFF) == 192
                    && ipv4[1] == 0
                    && ipv4[2] == 0
                    && (ipv4[3] & 0xFE) == 170
                    && (length == 96 || bytes[RESERVED] == 0)) {
                byte[] prefix = new byte[16];
                System.arraycopy(bytes, 0, prefix, 0, length / 8);
                return new Nat64Prefix(prefix, length);
            }
        }
        return null;
    }

    private static byte[] embedded(byte[] address, int length) {
        byte[] ipv4 = new byte[4];
        int at = length / 8;
        for (int i = 0; i < 4; i++) {
            at += at == RESERVED ? 1 : 0;
            ipv4[i] = address[at++];
        }
        return ipv4;
    }

    /// Returns the address at which the translator reaches `address`.
    public InetAddress synthesize(Inet4Address address) {
        byte[] bytes = prefix.clone();
        int at = length / 8;
        for (byte b : address.getAddress()) {
            at += at == RESERVED ? 1 : 0;
            bytes[at++] = b;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // 16 bytes are an address
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Nat64Prefix that
                && length == that.length
                && Arrays.equals(prefix, that.prefix);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(prefix), length);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(prefix, 0, length / 8) + "/" + length;
    }
}
