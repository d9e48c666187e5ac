package io.weft.bench.transport;

import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;

/// One loop with an echo server and a client of it, as Netty's `EpollSocketChannelBenchmark` has
/// them: both ends of the connection are the same loop's, and a timer of five minutes is pending,
/// so that the loop sleeps with a deadline.
///
/// One implementation is loaded in a JVM that measures, so that calls are direct.
interface EchoLoop extends AutoCloseable {
    /// Sends a byte and waits until it is back.
    void pingPong();

    /// Hands the loop an empty task and waits for its end.
    void execute();

    @Override
    void close();

    /// The loop of the side that JMH runs.
    static EchoLoop of(BenchmarkParams params) {
        String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
        Map<String, String> transports =
                Map.of("Uring", "io_uring", "Epoll", "epoll", "Nio", "nio");
        for (var transport : transports.entrySet()) {
            if (method.startsWith("weft" + transport.getKey())) {
                return new WeftEchoLoop(transport.getValue());
            } else if (method.startsWith("netty" + transport.getKey())) {
                return new NettyEchoLoop(transport.getValue());
            }
        }
        throw new IllegalArgumentException("benchmark method: " + method);
    }
}
