package io.weft.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.management.ThreadMXBean;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Counts what the loop's thread allocates, which is exact and the same on every machine once the
/// JIT has settled.
class HttpServerBudgetTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 10_000;

    /// The JIT works in the background, for as long as its compilations wait for a processor:
    /// rounds are counted until one is within the budget, but not more than this.
    private static final int ROUNDS = 100;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void aRequestStaysWithinItsBudget(String transport) throws IOException {
        check(transport, Http1Client::new, transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void aRequestOfHttp2StaysWithinItsBudget(String transport) throws IOException {
        check(transport, Http2Client::new, "http2." + transport);
    }

    private interface Protocol {
        RequestClient on(Socket socket) throws IOException;
    }

    private static void check(String transport, Protocol protocol, String name) throws IOException {
        AtomicLong loop = new AtomicLong();
        Response hello = Response.text("hello");
        HttpServer.Builder builder =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport(transport)
                        .loops(1)
                        .handler(
                                _ -> {
                                    loop.setPlain(Thread.currentThread().threadId());
                                    return hello;
                                });
        try (HttpServer server = builder.listen();
                Socket socket =
                        new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setTcpNoDelay(true);
            RequestClient client = protocol.on(socket);
            long budget = budget(name);
            long perRequest;
            int rounds = 0;
            do {
                perRequest = allocated(client, loop.get()) / ROUND;
            } while (++rounds < ROUNDS && perRequest > budget);
            System.out.printf("%s: %d bytes a request in round %d%n", name, perRequest, rounds);
            assertThat(perRequest).isLessThanOrEqualTo(budget);
        } catch (IllegalStateException e) {
            abort(e.getMessage());
        }
    }

    private static long budget(String name) throws IOException {
        Properties budgets = new Properties();
        try (InputStream in =
                HttpServerBudgetTest.class.getResourceAsStream("/http-server.properties")) {
            budgets.load(in);
        }
        return Long.parseLong(budgets.getProperty(name));
    }

    /// Bytes that the thread `loop` allocates in a round.
    private static long allocated(RequestClient client, long loop) throws IOException {
        long before = THREADS.getThreadAllocatedBytes(loop);
        for (int i = 0; i < ROUND; i++) {
            client.request();
        }
        return THREADS.getThreadAllocatedBytes(loop) - before;
    }
}
