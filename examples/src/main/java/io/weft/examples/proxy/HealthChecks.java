package io.weft.examples.proxy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.loop.Timeout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Asks each server for a path from time to time: it is healthy if it answers with 2xx in time.
final class HealthChecks implements AutoCloseable {
    private static final HttpClientLimits LIMITS =
            HttpClientLimits.DEFAULT
                    .withRedirects(0)
                    .withConnectTimeout(Duration.ofSeconds(5))
                    .withHeadTimeout(Duration.ofSeconds(5))
                    .withTotalTimeout(Duration.ofSeconds(10));

    private final Upstreams upstreams;
    private final HttpClient client;
    private final Function<InetSocketAddress, RequestTarget> target;
    private final Set<InetSocketAddress> underWay = ConcurrentHashMap.newKeySet();
    private final Timeout timer;

    /// Begins at once.
    ///
    /// @param way of the connections, as for [HttpClient.Builder]
    /// @param target to ask each server for
    HealthChecks(
            EventLoopGroup group,
            Upstreams upstreams,
            UnaryOperator<HttpClient.Builder> way,
            Function<InetSocketAddress, RequestTarget> target,
            Duration interval) {
        this.upstreams = upstreams;
        this.target = target;
        this.client = way.apply(HttpClient.builder().group(group).limits(LIMITS)).build();
        this.timer =
                group.next()
                        .scheduleAtFixedRate(
                                this::check, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void check() {
        for (InetSocketAddress server : upstreams.servers()) {
            if (underWay.add(server)) {
                var _ =
                        client.openAsync(Request.of(Method.GET, target.apply(server)))
                                .whenComplete((response, _) -> checked(server, response));
            }
        }
    }

    /// By its head: what the body is, and how long, does not matter.
    private void checked(InetSocketAddress server, @Nullable StreamedResponse response) {
        upstreams.checked(server, response != null && response.status().code() / 100 == 2);
        if (response != null) {
            response.close();
        }
        underWay.remove(server);
    }

    @Override
    public void close() {
        timer.cancel();
        client.close();
    }
}
