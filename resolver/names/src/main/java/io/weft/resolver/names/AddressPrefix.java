package io.weft.resolver.names;

import io.weft.engine.SourceAddresses.Local;
import java.net.InetAddress;

/// Prefixes that addresses share.
final class AddressPrefix {
    private AddressPrefix() {}

    /// Returns the number of leading bits that both have, up to the length of the source's prefix
    /// (RFC 6724, 2.2); 0 across families.
    static int common(Local source, InetAddress destination) {
        byte[] a = source.address().getAddress();
        byte[] b = destination.getAddress();
        if (a.length != b.length) {
            return 0;
        }
        int bits = 0;
        for (int i = 0; i < a.length; i++) {
            int different = (a[i] ^ b[i]) & 0xFF;
            if (different != 0) {
                bits += Integer.numberOfLeadingZeros(different) - 24;
                break;
            }
            bits += 8;
        }
        return Math.min(bits, source.prefixLength());
    }
}
