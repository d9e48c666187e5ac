package io.weft.channel;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Addresses that were found and not tried yet. The families alternate, beginning with that of the
/// first address (RFC 8305, 4); within a family the order is that of the resolver.
final class Candidates {
    private final ArrayDeque<ResolvedAddress> ipv6 = new ArrayDeque<>(0);
    private final ArrayDeque<ResolvedAddress> ipv4 = new ArrayDeque<>(0);
    private @Nullable Boolean nextIsIpv6;

    void add(List<ResolvedAddress> found) {
        for (ResolvedAddress address : found) {
            (address.isIpv6() ? ipv6 : ipv4).add(address);
            if (nextIsIpv6 == null) {
                nextIsIpv6 = address.isIpv6();
            }
        }
    }

    boolean isEmpty() {
        return ipv6.isEmpty() && ipv4.isEmpty();
    }

    /// Returns null when there is none.
    @Nullable ResolvedAddress poll() {
        boolean six = Boolean.TRUE.equals(nextIsIpv6) ? !ipv6.isEmpty() : ipv4.isEmpty();
        ResolvedAddress address = (six ? ipv6 : ipv4).poll();
        if (address != null) {
            nextIsIpv6 = !six;
        }
        return address;
    }

    void clear() {
        ipv6.clear();
        ipv4.clear();
    }
}
