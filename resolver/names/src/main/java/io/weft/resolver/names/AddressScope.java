package io.weft.resolver.names;

import java.net.Inet4Address;
import java.net.InetAddress;

/// Scopes of addresses as numbers that compare (RFC 6724, 3.1 and 3.2; RFC 4291, 2.7).
final class AddressScope {
    static final int LINK_LOCAL = 0x2;
    static final int SITE_LOCAL = 0x5;
    static final int GLOBAL = 0xE;

    private AddressScope() {}

    static int of(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return LINK_LOCAL; // RFC 6724 3.4: as if it were
        }
        if (address instanceof Inet4Address) {
            // 3.2: private addresses are global
            return address.isLinkLocalAddress() ? LINK_LOCAL : GLOBAL;
        }
        if (address.isMulticastAddress()) {
            return address.getAddress()[1] & 0xF;
        }
        if (address.isLinkLocalAddress()) {
            return LINK_LOCAL;
        }
        return address.isSiteLocalAddress() ? SITE_LOCAL : GLOBAL;
    }
}
