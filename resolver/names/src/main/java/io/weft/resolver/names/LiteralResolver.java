package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/// Answers texts of addresses by itself, and hands names on.
///
/// Strict forms only: four decimal numbers without leading zeros, or IPv6 (RFC 4291, 2.2) with or
/// without a zone. Other texts that end in a number (`127.1`, `0x7f.1`), in brackets or with a
/// colon are names that nobody has: systems take some of them for addresses, and code that has
/// compared texts before would be led elsewhere.
public final class LiteralResolver implements NameResolver {
    private static final Duration ALWAYS = Duration.ofDays(1);

    private final NameResolver names;

    /// @param names resolves what is not an address
    public LiteralResolver(NameResolver names) {
        this.names = names;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        InetAddress literal = IpAddresses.parse(host);
        if (literal != null) {
            return Searches.answer(
                    executor, answers, List.of(new ResolvedAddress(literal, port)), ALWAYS);
        }
        if (IpAddresses.endsInNumber(host) || host.startsWith("[") || host.indexOf(':') >= 0) {
            return Searches.unknown(executor, host + " (expected: a name or a strict address)");
        }
        return names.resolve(host, port, executor, answers);
    }

    @Override
    public boolean knowsServiceBindings() {
        return names.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        boolean name =
                IpAddresses.parse(host) == null
                        && !IpAddresses.endsInNumber(host)
                        && !host.startsWith("[")
                        && host.indexOf(':') < 0;
        return name
                ? names.serviceBinding(host, port, executor)
                : Promise.succeeded(executor, ServiceBinding.NONE);
    }
}
