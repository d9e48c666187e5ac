import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/// One publisher and a hundred subscribers of QoS 0: messages a second that the example
/// `mqtt-broker` and mosquitto deliver, round by round in turn. Started by `mqtt-fanout.sh`.
///
/// The load knows no codec: all packets of a round are as long as each other, so bytes are counted.
/// The publisher stays at most [#WINDOW] messages ahead of the slowest subscriber, so neither
/// broker has a reason to drop any; one that is missing in the end fails the run.
final class MqttFanout {
    private static final int SUBSCRIBERS = 100;
    private static final int WINDOW = 256;
    private static final int BATCH = 16;
    private static final byte[] TOPIC = "fan/out".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PUBLISH = publish(new byte[64]);

    private MqttFanout() {}

    /// @param args milliseconds of a round, rounds to warm up, rounds that count, the directory of
    ///     the project
    public static void main(String[] args) throws Exception {
        long millis = Long.parseLong(args[0]);
        int warmUp = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        Map<String, Integer> ports = new LinkedHashMap<>();
        List<Process> brokers = new ArrayList<>();
        Path settings = Files.createTempFile("mosquitto", ".conf");
        try {
            ports.put("weft", free());
            brokers.add(
                    start(
                            Path.of(args[3], "run-example.sh").toString(),
                            "mqtt-broker",
                            "--loops",
                            "1",
                            "--port",
                            ports.get("weft").toString()));
            if (isThere("mosquitto")) {
                ports.put("mosquitto", free());
                Files.writeString(
                        settings,
                        "listener %d 127.0.0.1%nallow_anonymous true%nlog_type none%n"
                                .formatted(ports.get("mosquitto")));
                brokers.add(start("mosquitto", "-c", settings.toString()));
            } else {
                System.out.println("mosquitto is missing (dev/install-peers.sh installs it)");
            }
            for (int port : ports.values()) {
                await(port);
            }
            report(measure(ports, millis, warmUp, rounds));
        } finally {
            for (Process broker : brokers) {
                broker.descendants().forEach(ProcessHandle::destroyForcibly);
                broker.destroyForcibly().waitFor();
            }
            Files.delete(settings);
        }
    }

    private static Map<String, double[]> measure(
            Map<String, Integer> ports, long millis, int warmUp, int rounds) throws Exception {
        Map<String, double[]> rates = new LinkedHashMap<>();
        for (int round = -warmUp; round < rounds; round++) {
            for (var broker : ports.entrySet()) {
                double rate = round(broker.getValue(), millis);
                System.err.printf(Locale.ROOT, "%s %.0f/s%n", broker.getKey(), rate);
                if (round >= 0) {
                    rates.computeIfAbsent(broker.getKey(), _ -> new double[rounds])[round] = rate;
                }
            }
        }
        return rates;
    }

    private static void report(Map<String, double[]> rates) {
        rates.forEach(
                (name, all) -> {
                    double[] sorted = all.clone();
                    Arrays.sort(sorted);
                    System.out.printf(
                            Locale.ROOT,
                            "%-10s %,12.0f messages/s delivered (%,.0f to %,.0f)%n",
                            name,
                            sorted[sorted.length / 2],
                            sorted[0],
                            sorted[sorted.length - 1]);
                });
        double[] ours = rates.get("weft");
        double[] theirs = rates.get("mosquitto");
        if (theirs != null) {
            double[] ratios = new double[ours.length];
            Arrays.setAll(ratios, i -> ours[i] / theirs[i]);
            Arrays.sort(ratios);
            System.out.printf(
                    Locale.ROOT,
                    "weft / mosquitto: %.2f (%.2f to %.2f)%n",
                    ratios[ratios.length / 2],
                    ratios[0],
                    ratios[ratios.length - 1]);
        }
    }

    /// Brokers have a core of their own: the load has another.
    private static Process start(String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("taskset", "-c", "0"));
        all.addAll(List.of(command));
        return new ProcessBuilder(all)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static boolean isThere(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void await(int port) throws Exception {
        long end =
                System.nanoTime() + TimeUnit.MINUTES.toNanos(5); // the example may be built first
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private static double round(int port, long millis) throws Exception {
        List<Socket> sockets = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicLongArray seen = new AtomicLongArray(SUBSCRIBERS);
        try {
            for (int i = 0; i < SUBSCRIBERS; i++) {
                Socket socket = connect(port, "subscriber" + i, sockets);
                subscribe(socket);
                int index = i;
                threads.add(Thread.startVirtualThread(() -> count(socket, index, seen)));
            }
            Socket publisher = connect(port, "publisher", sockets);
            byte[] batch = new byte[BATCH * PUBLISH.length];
            for (int i = 0; i < BATCH; i++) {
                System.arraycopy(PUBLISH, 0, batch, i * PUBLISH.length, PUBLISH.length);
            }
            long start = System.nanoTime();
            long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
            long published = 0;
            while (System.nanoTime() < end) {
                publisher.getOutputStream().write(batch);
                published += BATCH;
                reach(seen, published - WINDOW);
            }
            reach(seen, published);
            return published * (double) SUBSCRIBERS * 1e9 / (System.nanoTime() - start);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /// Waits until each subscriber has seen so many messages.
    private static void reach(AtomicLongArray seen, long messages) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int i = 0; i < SUBSCRIBERS; i++) {
            while (seen.get(i) < messages) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "messages: " + seen.get(i) + " (expected: " + messages + ")");
                }
                Thread.yield();
            }
        }
    }

    private static void count(Socket socket, int index, AtomicLongArray seen) {
        byte[] buffer = new byte[16_384];
        long bytes = 0;
        try {
            InputStream in = socket.getInputStream();
            for (int n; (n = in.read(buffer)) >= 0; ) {
                bytes += n;
                seen.set(index, bytes / PUBLISH.length);
            }
        } catch (IOException e) {
            // closed at the end of the round
        }
    }

    private static Socket connect(int port, String id, List<Socket> to) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        to.add(socket);
        socket.setTcpNoDelay(true);
        byte[] name = id.getBytes(StandardCharsets.US_ASCII);
        byte[] head = {0x10, (byte) (12 + name.length), 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0};
        byte[] packet = Arrays.copyOf(head, head.length + 1 + name.length);
        packet[head.length] = (byte) name.length;
        System.arraycopy(name, 0, packet, head.length + 1, name.length);
        socket.getOutputStream().write(packet);
        require(socket, 4, 0x20);
        return socket;
    }

    private static void subscribe(Socket socket) throws IOException {
        byte[] packet = new byte[2 + 2 + 2 + TOPIC.length + 1];
        packet[0] = (byte) 0x82;
        packet[1] = (byte) (packet.length - 2);
        packet[3] = 1; // the packet's identifier
        packet[5] = (byte) TOPIC.length;
        System.arraycopy(TOPIC, 0, packet, 6, TOPIC.length);
        OutputStream out = socket.getOutputStream();
        out.write(packet);
        require(socket, 5, 0x90);
    }

    private static void require(Socket socket, int length, int type) throws IOException {
        byte[] answer = socket.getInputStream().readNBytes(length);
        if (answer.length < length
                || (answer[0] & 0xFF) != type
                || answer[3] != (type == 0x90 ? 1 : 0)) {
            throw new EOFException(Arrays.toString(answer) + " (expected: type " + type + ")");
        }
    }

    private static byte[] publish(byte[] payload) {
        byte[] packet = new byte[2 + 2 + TOPIC.length + payload.length];
        packet[0] = 0x30;
        packet[1] = (byte) (packet.length - 2);
        packet[3] = (byte) TOPIC.length;
        System.arraycopy(TOPIC, 0, packet, 4, TOPIC.length);
        System.arraycopy(payload, 0, packet, 4 + TOPIC.length, payload.length);
        return packet;
    }
}
