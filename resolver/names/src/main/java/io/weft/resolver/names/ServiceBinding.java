package io.weft.resolver.names;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The places at which an origin of HTTP is served (RFC 9460). Records that a client of HTTP must
/// not use are not in it, and aliases were followed.
///
/// An origin with one place at least is served by https: a request for `http://` goes there as if
/// it had been redirected (RFC 9460, 9.5).
///
/// @param endpoints the best first; none when there are no records, or it is not known whether
///     there are
/// @param timeToLive for which that may be kept, from now on; zero: for this search only
public record ServiceBinding(List<ServiceEndpoint> endpoints, Duration timeToLive) {
    /// A binding without places, which is not to be kept.
    public static final ServiceBinding NONE = new ServiceBinding(List.of(), Duration.ZERO);

    public ServiceBinding {
        endpoints = List.copyOf(endpoints);
        Objects.requireNonNull(timeToLive, "timeToLive");
    }

    /// Tells if there are no places: connect to the origin itself.
    public boolean isEmpty() {
        return endpoints.isEmpty();
    }
}
