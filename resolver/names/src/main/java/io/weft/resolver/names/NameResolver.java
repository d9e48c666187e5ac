package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.List;

/// Finds the addresses of a host. Must not block the caller: `Bootstrap.connect(String, int)` calls
/// it on a loop.
///
/// Addresses come as they are found, so that a connect need not wait for the slower of the families
/// (RFC 8305, 3). A lookup that has all its addresses at once becomes a resolver by [#of].
@FunctionalInterface
public interface NameResolver {
    /// Searches for the addresses of `host`, and hands them to `answers`, on `executor`, from
    /// within this call or later. No answer comes when the search has ended.
    ///
    /// @param host a name, or the text of an address
    /// @param port to connect to, where the name does not say another
    /// @param executor runs the answers and the listeners of the search
    /// @return the search. It completes when all answers have been given, and fails when some could
    ///     not be had, with an [UnknownHostException][java.net.UnknownHostException] when the name
    ///     does not exist. Cancelling it may give the search up.
    Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers);

    /// Searches for the places at which an origin of HTTP is served, as records of type HTTPS say
    /// (RFC 9460). The resolvers of this package that ask another pass it on; one that does not
    /// know such records need not do anything. Must not block.
    ///
    /// @param host the name of the origin
    /// @param port of the origin where it is served by https: 443 for `http://host` too
    /// @param executor runs the listeners of the search
    /// @return the places, none unless overridden; a failure means as much as none
    default Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        return Promise.succeeded(executor, ServiceBinding.NONE);
    }

    /// Tells if [#serviceBinding] may find places, so that clients need not ask otherwise. One that
    /// overrides that overrides this.
    default boolean knowsServiceBindings() {
        return false;
    }

    /// Takes the addresses of one search. A resolver that knows more than addresses says so by the
    /// other methods; whoever does not need that leaves them as they are. All are called on the
    /// executor of the search, before it ends.
    @FunctionalInterface
    interface Answers {
        /// Takes further addresses, in the order in which they should be tried; a connect sorts
        /// them by its [DestinationOrder] first. The families may come apart, each when it is
        /// known.
        void found(List<ResolvedAddress> addresses);

        /// Takes further addresses as [#found(List)] does, and the time for which they may be kept.
        ///
        /// @param timeToLive from now on; zero: for this search only
        default void found(List<ResolvedAddress> addresses, Duration timeToLive) {
            found(addresses);
        }

        /// Says that no further address of one family will come than those that are found next, so
        /// that a connect need not wait for it. The end of the search says so of both.
        default void complete(StandardProtocolFamily family) {}

        /// Says that addresses which were found before are no longer those of the host (RFC 8305,
        /// 6). A connect does not begin to try them, and goes on with what it has begun.
        default void removed(List<ResolvedAddress> addresses) {}

        /// Says that `name` is an alias: the addresses are those of `target` (a record of type
        /// CNAME).
        ///
        /// @param timeToLive for which that may be kept, from now on
        default void alias(String name, String target, Duration timeToLive) {}

        /// Says for how long it may be kept that the host has no address. The search then fails
        /// with an [UnknownHostException][java.net.UnknownHostException].
        default void absent(Duration timeToLive) {}
    }

    /// Finds all addresses of a host at once, without blocking the caller.
    @FunctionalInterface
    interface Lookup {
        /// Looks `host` up, a name or the text of an address.
        ///
        /// @param executor runs the listeners of the future
        /// @return the addresses, in the order in which they should be tried; fails with an
        ///     [UnknownHostException][java.net.UnknownHostException] when there is none; cancelling
        ///     it may give the search up
        Future<List<InetAddress>> lookup(String host, EventExecutor executor);
    }

    /// Makes a resolver of a lookup that has all addresses at once.
    static NameResolver of(Lookup lookup) {
        return (host, port, executor, answers) ->
                new WholeAnswer(executor, port, answers).of(lookup.lookup(host, executor));
    }

    /// Returns the resolver that is used unless another is set: that of the [NameResolverProvider]
    /// with the highest priority, such as `resolver/names`; without one, [#system]. It is looked
    /// for once.
    static NameResolver standard() {
        return StandardResolver.FOUND;
    }

    /// Returns the resolver of the JDK and the system: `hosts`, DNS, with the JDK's caches.
    ///
    /// The system's lookup blocks for as long as name servers do not answer, and would hold a
    /// carrier thread with a virtual one. So it has up to 8 threads of its own, which end when
    /// idle. If 1,024 lookups wait, further ones are refused.
    static NameResolver system() {
        return SystemResolver.RESOLVER;
    }
}
