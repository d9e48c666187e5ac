package io.weft.resolver.names;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Addresses that were found and not tried yet, sorted. The first to be tried is the first of all;
/// then come further ones of its family, as many as the first family count says, and from there on
/// the families alternate (RFC 8305, 4). Addresses that are found later are sorted in.
///
/// Each [rank][ResolvedAddress#rank] is sorted and alternates by itself, the lowest first.
public final class Candidates {
    /// More addresses of a host are not looked at.
    public static final int MAX = 256;

    private final DestinationOrder order;
    private List<ResolvedAddress> untried = new ArrayList<>(0);
    private final Set<ResolvedAddress> known = new HashSet<>();

    private final int firstFamilyCount;

    /// Number of further addresses of the first family in a row.
    private int ofFirstFamily;

    private @Nullable Boolean nextIsIpv6;

    /// Rank of the address that was taken last.
    private int rank;

    /// @param firstFamilyCount at least 1
    public Candidates(DestinationOrder order, int firstFamilyCount) {
        this.order = order;
        this.firstFamilyCount = firstFamilyCount;
        this.ofFirstFamily = firstFamilyCount;
    }

    /// Takes addresses that are not known yet.
    public void add(List<ResolvedAddress> found) {
        List<ResolvedAddress> all = new ArrayList<>(untried);
        for (ResolvedAddress address : found) {
            if (known.size() < MAX && known.add(address)) {
                all.add(address);
            }
        }
        untried = new ArrayList<>(order.sort(all));
    }

    /// Forgets addresses, unless they were tried already.
    public void remove(List<ResolvedAddress> gone) {
        for (ResolvedAddress address : gone) {
            if (untried.remove(address)) {
                known.remove(address);
            }
        }
    }

    public boolean isEmpty() {
        return untried.isEmpty();
    }

    public boolean hasIpv6() {
        return untried.stream().anyMatch(ResolvedAddress::isIpv6);
    }

    /// Returns null when there is none.
    public @Nullable ResolvedAddress poll() {
        if (untried.isEmpty()) {
            return null;
        }
        int lowest = untried.getFirst().rank();
        for (ResolvedAddress address : untried) {
            lowest = Math.min(lowest, address.rank());
        }
        if (lowest != rank) {
            rank = lowest;
            ofFirstFamily = firstFamilyCount;
            nextIsIpv6 = null;
        }
        ResolvedAddress address = untried.remove(indexOfNext());
        ofFirstFamily--;
        nextIsIpv6 = ofFirstFamily > 0 ? address.isIpv6() : !address.isIpv6();
        return address;
    }

    private int indexOfNext() {
        int first = -1;
        for (int i = 0; i < untried.size(); i++) {
            ResolvedAddress address = untried.get(i);
            if (address.rank() == rank) {
                if (nextIsIpv6 == null || address.isIpv6() == nextIsIpv6) {
                    return i;
                }
                first = first < 0 ? i : first;
            }
        }
        return first;
    }

    public void clear() {
        untried.clear();
    }
}
