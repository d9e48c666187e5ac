package io.weft.resolver.names;

import io.weft.engine.SourceAddresses;
import io.weft.engine.SourceAddresses.Local;
import io.weft.engine.SourceAddresses.Mobility;
import io.weft.engine.SourceAddresses.Source;
import io.weft.engine.SourceAddresses.Unreachable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The default order of destinations, by the ten rules of RFC 6724, 6. Immutable.
///
/// A rule that looks at the source of a destination takes one that is not known for the best.
public final class AddressSelection implements DestinationOrder {
    /// Destinations whose source is asked for, in one call; those behind are taken for reachable.
    private static final int MAX_PROBED = 64;

    private final SourceAddresses sources;
    private final PolicyTable policy;
    private final Comparator<InetAddress> history;

    private AddressSelection(
            SourceAddresses sources, PolicyTable policy, Comparator<InetAddress> history) {
        this.sources = sources;
        this.policy = policy;
        this.history = history;
    }

    /// Makes an order by the table of the RFC.
    ///
    /// @param sources the local address for each destination, such as
    ///     [SourceAddresses#routes]
    public static AddressSelection of(SourceAddresses sources) {
        return new AddressSelection(sources, PolicyTable.DEFAULT, (_, _) -> 0);
    }

    /// Returns this order with another table of precedences and labels.
    public AddressSelection policy(PolicyTable table) {
        return new AddressSelection(sources, table, history);
    }

    /// Returns this order with a rule of its caller between rules 8 and 9, which prefers addresses
    /// that answered soon, or that were used before (RFC 8305, 4). Called on loops.
    public AddressSelection history(Comparator<InetAddress> rule) {
        return new AddressSelection(sources, policy, rule);
    }

    @Override
    public List<ResolvedAddress> sort(List<ResolvedAddress> addresses) {
        if (addresses.size() < 2) {
            return addresses;
        }
        List<Destination> sorted = new ArrayList<>(addresses.size());
        for (ResolvedAddress address : addresses) {
            insert(sorted, describe(address, sorted.size() < MAX_PROBED));
        }
        return sorted.stream().map(Destination::resolved).toList();
    }

    /// Inserts behind its equals (rule 10). Not by `List.sort`, which throws where a rule of the
    /// caller contradicts itself, as may rule 9, which compares within a family only.
    private void insert(List<Destination> sorted, Destination destination) {
        int at = sorted.size();
        while (at > 0 && compare(destination, sorted.get(at - 1)) < 0) {
            at--;
        }
        sorted.add(at, destination);
    }

    /// A destination and its keys of rules 1 to 8; smaller ones first.
    private record Destination(
            ResolvedAddress resolved,
            int unusable,
            int otherScope,
            int deprecated,
            Mobility mobility,
            int otherLabel,
            int precedence,
            int encapsulated,
            int scope,
            int commonPrefix) {}

    private Destination describe(ResolvedAddress resolved, boolean probed) {
        InetAddress address = resolved.address();
        Source source = probed ? sources.of(address) : new SourceAddresses.Unknown();
        int scope = AddressScope.of(address);
        int precedence = policy.precedence(address);
        return source instanceof Local local
                ? new Destination(
                        resolved,
                        0,
                        rank(AddressScope.of(local.address()) != scope),
                        rank(local.deprecated()),
                        local.mobility(),
                        rank(policy.label(local.address()) != policy.label(address)),
                        precedence,
                        rank(local.encapsulated()),
                        scope,
                        AddressPrefix.common(local, address))
                : new Destination(
                        resolved,
                        rank(source instanceof Unreachable),
                        0,
                        0,
                        Mobility.HOME_AND_CARE_OF,
                        0,
                        precedence,
                        0,
                        scope,
                        0);
    }

    private static int rank(boolean worse) {
        return worse ? 1 : 0;
    }

    /// RFC 6724 6: the first rule that tells two destinations apart decides.
    private int compare(Destination a, Destination b) {
        int order = Integer.compare(a.unusable, b.unusable); // rule 1
        if (order == 0) {
            order = Integer.compare(a.otherScope, b.otherScope); // rule 2
        }
        if (order == 0) {
            order = Integer.compare(a.deprecated, b.deprecated); // rule 3
        }
        if (order == 0) {
            order = a.mobility.compareTo(b.mobility); // rule 4
        }
        if (order == 0) {
            order = Integer.compare(a.otherLabel, b.otherLabel); // rule 5
        }
        if (order == 0) {
            order = Integer.compare(b.precedence, a.precedence); // rule 6: the higher
        }
        if (order == 0) {
            order = Integer.compare(a.encapsulated, b.encapsulated); // rule 7
        }
        if (order == 0) {
            order = Integer.compare(a.scope, b.scope); // rule 8: the smaller
        }
        if (order == 0) {
            order = history.compare(a.resolved.address(), b.resolved.address());
        }
        if (order == 0 && a.resolved.isIpv6() == b.resolved.isIpv6()) {
            order = Integer.compare(b.commonPrefix, a.commonPrefix); // rule 9: the longer
        }
        return order;
    }
}
