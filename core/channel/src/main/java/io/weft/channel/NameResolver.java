package io.weft.channel;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import java.net.InetAddress;
import java.util.List;

/// Finds the addresses of a host. Must not block the caller: [Bootstrap#connect(String, int)] calls
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
    ///     not be had, with an [UnknownHostException] when the name does not exist. Cancelling it
    ///     may give the search up.
    Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers);

    /// Takes the addresses of one search.
    @FunctionalInterface
    interface Answers {
        /// Takes further addresses, in the order in which they should be tried. The families may
        /// come apart, each when it is known.
        void found(List<ResolvedAddress> addresses);
    }

    /// Finds all addresses of a host at once, without blocking the caller.
    @FunctionalInterface
    interface Lookup {
        /// Looks `host` up, a name or the text of an address.
        ///
        /// @param executor runs the listeners of the future
        /// @return the addresses, in the order in which they should be tried; fails with an
        ///     [UnknownHostException] when there is none; cancelling it may give the search up
        Future<List<InetAddress>> lookup(String host, EventExecutor executor);
    }

    /// Makes a resolver of a lookup that has all addresses at once.
    static NameResolver of(Lookup lookup) {
        return (host, port, executor, answers) ->
                new WholeAnswer(executor, port, answers).of(lookup.lookup(host, executor));
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
