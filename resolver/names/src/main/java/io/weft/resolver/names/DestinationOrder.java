package io.weft.resolver.names;

import java.util.List;

/// The order in which a connect tries the addresses of a host: [AddressSelection] unless said
/// otherwise.
@FunctionalInterface
public interface DestinationOrder {
    /// Returns the addresses, best first. Called on a loop whenever further ones were found, with
    /// all that were not tried yet; must not block.
    List<ResolvedAddress> sort(List<ResolvedAddress> addresses);

    /// Leaves addresses in the order in which the resolver found them.
    static DestinationOrder asFound() {
        return addresses -> addresses;
    }
}
