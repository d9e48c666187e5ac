package io.weft.resolver.names;

import io.weft.engine.SourceAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/// Chooses the source of a connection among given local addresses, by the rules of RFC 6724, 5.
/// Kernels do that themselves; this is for networks that are described, in tests and simulations.
/// All addresses are taken to be on one interface, and temporary ones preferred (rule 7).
/// Immutable.
public final class SourceSelection implements SourceAddresses {
    private final List<Candidate> candidates;
    private final PolicyTable policy;

    /// A local address.
    ///
    /// @param local the address and its state
    /// @param temporary as privacy extensions make it (RFC 8981)
    public record Candidate(Local local, boolean temporary) {}

    /// @param policy its labels are for rule 6
    public SourceSelection(List<Candidate> candidates, PolicyTable policy) {
        this.candidates = List.copyOf(candidates);
        this.policy = policy;
    }

    @Override
    public Source of(InetAddress destination) {
        Candidate best = null;
        for (Candidate candidate : candidates) {
            InetAddress address = candidate.local.address();
            if (address instanceof Inet4Address == destination instanceof Inet4Address
                    && (best == null || isBetter(candidate, best, destination))) {
                best = candidate;
            }
        }
        return best == null ? new Unreachable() : best.local;
    }

    private boolean isBetter(Candidate a, Candidate b, InetAddress destination) {
        InetAddress sa = a.local.address();
        InetAddress sb = b.local.address();
        if (sa.equals(destination) != sb.equals(destination)) {
            return sa.equals(destination); // rule 1: the same address
        }
        int scopeA = AddressScope.of(sa);
        int scopeB = AddressScope.of(sb);
        int scope = AddressScope.of(destination);
        if (scopeA != scopeB) { // rule 2: the smallest scope that suffices, else the largest
            return scopeA < scopeB ? scopeA >= scope : scopeB < scope;
        }
        if (a.local.deprecated() != b.local.deprecated()) {
            return b.local.deprecated(); // rule 3
        }
        if (a.local.mobility() != b.local.mobility()) {
            return a.local.mobility().compareTo(b.local.mobility()) < 0; // rule 4
        }
        int label = policy.label(destination); // rule 5 is about interfaces
        boolean labelA = policy.label(sa) == label;
        boolean labelB = policy.label(sb) == label;
        if (labelA != labelB) {
            return labelA; // rule 6
        }
        if (a.temporary != b.temporary) {
            return a.temporary; // rule 7
        }
        return AddressPrefix.common(a.local, destination)
                > AddressPrefix.common(b.local, destination); // rule 8
    }
}
