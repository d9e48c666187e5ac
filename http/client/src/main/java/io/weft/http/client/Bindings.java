package io.weft.http.client;

import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ServiceBinding;
import io.weft.resolver.names.ServiceBindingResolver;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Records of type HTTPS, as far as the resolver of a client knows them (RFC 9460): where an origin
/// is served, and that it is served by https.
///
/// @param names that is asked
/// @param protocols that the client speaks, by their names for ALPN
record Bindings(NameResolver names, Set<String> protocols) {
    /// Time that a request for `http://` waits for records, so that servers of names which do not
    /// answer such questions do not keep it from being sent.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /// Returns the resolver for a connection to an origin of https. Other names, such as those of
    /// proxies, are resolved as ever.
    NameResolver resolver(Origin origin) {
        NameResolver bound = new ServiceBindingResolver(names, protocols);
        String name = origin.name();
        int port = origin.port();
        return (host, at, executor, answers) ->
                (at == port && host.equals(name) ? bound : names)
                        .resolve(host, at, executor, answers);
    }

    /// Tells if an origin of http is served by https as well.
    ///
    /// @return true or false; cancelling it gives the search up
    Future<Boolean> isSecure(Origin origin, EventExecutor executor) {
        Future<ServiceBinding> search =
                names.serviceBinding(origin.name(), securePort(origin), executor);
        ServiceBinding known = search.now();
        if (search.isDone()) {
            return Promise.succeeded(executor, known != null && !known.isEmpty());
        }
        Promise<Boolean> promise = executor.newPromise();
        var _ =
                search.addListener(
                        outcome -> {
                            ServiceBinding binding = outcome.now();
                            promise.trySuccess(binding != null && !binding.isEmpty());
                        });
        try {
            Timeout timeout =
                    executor.schedule(
                            () -> promise.trySuccess(false),
                            PATIENCE.toNanos(),
                            TimeUnit.NANOSECONDS);
            var _ =
                    promise.addListener(
                            _ -> {
                                timeout.cancel();
                                search.cancel();
                            });
        } catch (RejectedExecutionException _) {
            promise.trySuccess(false); // the client ends
        }
        return promise;
    }

    /// RFC 9460 9.5, RFC 6797 8.3: port 80 becomes 443, and others stay.
    private static int securePort(Origin origin) {
        return origin.port() == 80 ? 443 : origin.port();
    }

    /// Returns a request for `http://` as one for `https://`. Nothing else changes: its host is the
    /// same, and proves that it is.
    static Request secured(Request request, Origin origin) {
        Origin secure = new Origin(true, origin.host(), securePort(origin));
        return Request.of(
                request.method(),
                RequestTarget.of(secure + withoutOrigin(request.target())),
                request.version(),
                request.headers(),
                request.body());
    }

    private static String withoutOrigin(RequestTarget target) {
        String text = target.toString();
        if (target.form() != RequestTarget.Form.ABSOLUTE) {
            return target.form() == RequestTarget.Form.ASTERISK ? "" : text;
        }
        int path = text.toLowerCase(Locale.ROOT).indexOf("://") + 3;
        while (path < text.length() && "/?#".indexOf(text.charAt(path)) < 0) {
            path++;
        }
        return text.substring(path);
    }
}
