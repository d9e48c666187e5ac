package io.weft.engine;

import java.net.InetAddress;

/// Says from which local address a connection to a destination would go out. What a client does
/// with it: the order in which it tries the addresses of a host (RFC 6724, 6).
///
/// Called on the loop that connects, so it must not block.
@FunctionalInterface
public interface SourceAddresses {
    /// Knows nothing: every address may be reached, from an unknown address. For engines without a
    /// network, and for simulations, which are the same everywhere.
    SourceAddresses UNKNOWN = _ -> new Unknown();

    /// Returns the source of a connection to `destination`.
    Source of(InetAddress destination);

    /// Asks the routes of this machine, by the JDK's sockets. Nothing is sent.
    static SourceAddresses routes() {
        return RouteProbe.INSTANCE;
    }

    /// The answer for one destination.
    sealed interface Source permits Unreachable, Unknown, Local {}

    /// There is no route, so that a connect would fail at once (RFC 6724, 6, rule 1).
    record Unreachable() implements Source {}

    /// It is not known.
    record Unknown() implements Source {}

    /// A local address, and what of it bears on the order.
    ///
    /// @param address of the source
    /// @param prefixLength bits of it that name its network, or 0 where that is not known: then
    ///     rule 9 of RFC 6724 does not apply
    /// @param deprecated its preferred lifetime is over (rule 3)
    /// @param mobility as Mobile IPv6 has it (rule 4)
    /// @param encapsulated packets go through a transition mechanism such as 6to4 (rule 7)
    record Local(
            InetAddress address,
            int prefixLength,
            boolean deprecated,
            Mobility mobility,
            boolean encapsulated)
            implements Source {
        /// @throws IllegalArgumentException when the prefix is longer than the address
        public Local {
            int bits = 8 * address.getAddress().length;
            if (prefixLength < 0 || prefixLength > bits) {
                throw new IllegalArgumentException(
                        "prefixLength: " + prefixLength + " (expected: 0.." + bits + ")");
            }
        }

        /// Makes an address that is neither deprecated nor mobile nor behind a tunnel.
        public Local(InetAddress address, int prefixLength) {
            this(address, prefixLength, false, Mobility.HOME_AND_CARE_OF, false);
        }
    }

    /// The part of an address in Mobile IPv6, the preferred one first (RFC 6724, 6, rule 4). An
    /// address of a host that does not move is both.
    enum Mobility {
        HOME_AND_CARE_OF,
        HOME,
        CARE_OF
    }
}
