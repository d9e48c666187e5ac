package io.weft.channel;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import java.net.InetAddress;
import java.util.List;

/// Finds the addresses of a host. Must not block the caller: [Bootstrap#connect(String, int)] calls
/// it on a loop.
@FunctionalInterface
public interface NameResolver {
    /// Finds the addresses of `host`, a name or the text of an address, in the order in which they
    /// should be tried.
    ///
    /// @param executor what listeners of the future run on
    /// @return fails with an [UnknownHostException] when there is none; cancelling it may give the
    ///     search up
    Future<List<InetAddress>> resolve(String host, EventExecutor executor);

    /// Returns the resolver of the JDK and the system: `hosts`, DNS, with the JDK's caches.
    ///
    /// The system's lookup blocks for as long as name servers do not answer, and would hold a
    /// carrier thread with a virtual one. So it has up to 8 threads of its own, which end when
    /// idle. If 1,024 lookups wait, further ones are refused.
    static NameResolver system() {
        return SystemResolver.INSTANCE;
    }
}
