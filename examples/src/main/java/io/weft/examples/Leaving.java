package io.weft.examples;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Leads a server out of service in two phases, so that no request is lost. First `/health` answers
/// 503 while everything else is served on, and answers end their connections: balancers and clients
/// turn to others. When they have, the server can drain and end.
///
/// Thread: any.
final class Leaving implements HttpFilter {
    private static final String HEALTH = "/health";

    /// Failed checks that a balancer needs at most to leave this server out.
    private static final int CHECKS = 3;

    private static final long STEP_MILLIS = 20;

    /// Steps without a request, a second, after which nobody thinks any longer that this server
    /// serves. Not a time: when a machine stood still, clients have as many steps left as before.
    private static final int QUIET = 50;

    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger refusedChecks = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private volatile boolean checked;
    private volatile boolean ends;
    private volatile boolean unhealthy;

    @Override
    public @Nullable Response before(Request request) {
        if (!request.path().equals(HEALTH)) {
            requests.incrementAndGet();
            underWay.incrementAndGet();
            return null;
        }
        underWay.incrementAndGet();
        checked = true;
        if (unhealthy) {
            refusedChecks.incrementAndGet();
            return Response.of(Status.SERVICE_UNAVAILABLE)
                    .withHeader(HeaderName.CONNECTION, "close");
        }
        return Response.text("up\n");
    }

    @Override
    public Response after(Request request, Response response) {
        return ends ? response.withHeader(HeaderName.CONNECTION, "close") : response;
    }

    @Override
    public void finished(FinishedExchange exchange) {
        underWay.decrementAndGet();
    }

    /// Ends each connection with its next answer, and stays healthy: another process goes on with
    /// the listening sockets.
    void succeed() {
        ends = true;
    }

    /// Fails health checks from now on, until all balancers can have seen it.
    void refuse() {
        unhealthy = true;
        ends = true;
    }

    /// Waits until no request comes any more, at most for `patience`.
    void await(Duration patience) throws InterruptedException {
        long start = System.nanoTime();
        long before = requests.get();
        int quiet = 0;
        while (System.nanoTime() - start < patience.toNanos() && !(quiet >= QUIET && isKnown())) {
            Thread.sleep(STEP_MILLIS);
            long now = requests.get();
            quiet = now == before && underWay.get() == 0 ? quiet + 1 : 0;
            before = now;
        }
    }

    /// Tells if all balancers can have seen that this server leaves.
    private boolean isKnown() {
        return !unhealthy || !checked || refusedChecks.get() >= CHECKS;
    }
}
