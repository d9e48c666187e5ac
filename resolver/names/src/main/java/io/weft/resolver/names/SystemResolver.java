package io.weft.resolver.names;

import io.weft.eventloop.process.BlockingPool;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// See [NameResolver#system].
final class SystemResolver {
    static final NameResolver RESOLVER = NameResolver.of(SystemResolver::lookup);

    private static final BlockingPool LOOKUPS = new BlockingPool("names", 8, 1024);

    private SystemResolver() {}

    private static Future<List<InetAddress>> lookup(String host, EventExecutor executor) {
        Promise<List<InetAddress>> promise = executor.newPromise();
        InetAddress literal = IpAddresses.parse(host);
        if (literal != null) {
            return promise.setSuccess(List.of(literal));
        }
        // The JDK takes 127.1 and [::1] for addresses: code that has compared texts before would
        // be led elsewhere by them.
        if (IpAddresses.endsInNumber(host) || host.startsWith("[")) {
            return promise.setFailure(
                    new UnknownHostException(host + " (expected: a name or a strict address)"));
        }
        LOOKUPS.run(promise, () -> List.of(InetAddress.getAllByName(host)));
        return promise;
    }
}
