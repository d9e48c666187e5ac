package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/// Answers special-use names by itself, and hands others on in one form: lower case, names that are
/// not ASCII as an IDN. The dot of the root stays, as it keeps lists of search domains away.
///
/// `localhost` and what is below it are the loopback addresses, `::1` first (RFC 6761, 6.3).
/// `invalid` (6.4) and `onion` (RFC 7686) are names that nobody has. None of them is ever asked
/// for elsewhere, not even when a hosts file says otherwise.
public final class SpecialNamesResolver implements NameResolver {
    private static final Duration ALWAYS = Duration.ofDays(1);
    private static final List<InetAddress> LOOPBACK =
            List.of(InetAddress.ofLiteral("::1"), InetAddress.ofLiteral("127.0.0.1"));

    private final NameResolver names;

    /// @param names resolves all other names; wrap it in a [LiteralResolver] for addresses
    public SpecialNamesResolver(NameResolver names) {
        this.names = names;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        String name;
        try {
            name = HostName.normalize(host);
        } catch (UnknownHostException e) {
            return executor.<Void>newPromise().setFailure(e);
        }
        if (IpAddresses.endsInNumber(name)) { // in digits of another script, before IDN made it so
            return Searches.unknown(executor, host + " (expected: a name)");
        }
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "localhost" ->
                    Searches.answer(executor, answers, Searches.at(port, LOOPBACK), ALWAYS);
            case "invalid", "onion" ->
                    Searches.unknown(executor, host + " (expected: not a special-use name)");
            default -> names.resolve(isAbsolute(host) ? name + "." : name, port, executor, answers);
        };
    }

    @Override
    public boolean knowsServiceBindings() {
        return names.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        String name;
        try {
            name = HostName.normalize(host);
        } catch (UnknownHostException _) {
            return Promise.succeeded(executor, ServiceBinding.NONE);
        }
        boolean special =
                IpAddresses.endsInNumber(name)
                        || switch (name.substring(name.lastIndexOf('.') + 1)) {
                            case "localhost", "invalid", "onion" -> true;
                            default -> false;
                        };
        return special
                ? Promise.succeeded(executor, ServiceBinding.NONE)
                : names.serviceBinding(isAbsolute(host) ? name + "." : name, port, executor);
    }

    /// RFC 3490 3.1: other scripts have dots of their own.
    private static boolean isAbsolute(String host) {
        return ".\u3002\uff0e\uff61".indexOf(host.charAt(host.length() - 1)) >= 0;
    }
}
