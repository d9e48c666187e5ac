package io.weft.channel;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import java.net.InetAddress;
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
        LOOKUPS.run(promise, () -> List.of(InetAddress.getAllByName(host)));
        return promise;
    }
}
