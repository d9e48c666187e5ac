package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The time from the start of a process until it has echoed a byte, on all cores and as the JVM
/// comes.
final class FirstByte implements Program {
    private static final List<String> ALL_CORES = List.of("taskset", "-c", "0-1");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int RETRY_MICROS = 500;

    @Override
    public String operations() {
        return "Start/FirstByte";
    }

    @Override
    public void run(Extent extent, Measured measured) throws InterruptedException {
        // The first round reads files into memory.
        for (int round = -1; round < extent.rounds; round++) {
            for (ServerSide side : ServerSide.all()) {
                try {
                    double millis = start(side);
                    if (round >= 0) {
                        Row row = new Row("Start/FirstByte", Map.of(), "ms", false);
                        measured.add(row, side, millis);
                    }
                } catch (IOException e) {
                    measured.failure(operations() + ", " + side.name() + ": " + e.getMessage());
                }
            }
        }
    }

    private static double start(ServerSide side) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free());
        long start = System.nanoTime();
        List<String> arguments =
                List.of(
                        Server.class.getName(),
                        side.library(),
                        side.transport(),
                        Server.Service.ECHO.name(),
                        Integer.toString(address.getPort()));
        try (Child _ = Child.start(side.name(), ALL_CORES, side.flags(), arguments)) {
            try (RawSocket socket = connect(address, start)) {
                socket.send(1);
                socket.await(1);
                return (System.nanoTime() - start) / 1e6;
            }
        }
    }

    private static RawSocket connect(InetSocketAddress address, long start)
            throws IOException, InterruptedException {
        for (; ; ) {
            try {
                return RawSocket.connect(address).resetAtClose();
            } catch (IOException e) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw e;
                }
                TimeUnit.MICROSECONDS.sleep(RETRY_MICROS);
            }
        }
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
