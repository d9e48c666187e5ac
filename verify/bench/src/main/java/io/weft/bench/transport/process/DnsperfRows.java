package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.Measured.Score;
import io.weft.bench.transport.process.server.DnsNames;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Queries over UDP from dnsperf, 100 in flight: a server of a small zone on Weft and the same on
/// Netty, and Knot, which is written in C. Each has a core of its own.
///
/// Of each side: queries a second (`Rate`), and the mean time until a response (`Latency`).
final class DnsperfRows implements Program {
    private static final String RATE = "Dnsperf/Rate";
    private static final String LATENCY = "Dnsperf/Latency";
    private static final Path KNOTD = Path.of("/usr/sbin/knotd");
    private static final Pattern PER_SECOND = Pattern.compile("Queries per second: +([0-9.]+)");
    private static final Pattern SECONDS = Pattern.compile("Average Latency \\(s\\): +([0-9.]+)");
    private static final Pattern COMPLETED = Pattern.compile("Queries completed: +([0-9]+)");
    private static final Map<String, String> PARAMS = new TreeMap<>(Map.of("inFlight", "100"));

    @Override
    public String operations() {
        return RATE + " " + LATENCY;
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        if (!Command.exists("dnsperf")) {
            measured.remark(
                    "Dnsperf: skipped, dnsperf is missing (dev/install-peers.sh installs it)");
            return;
        }
        Path directory = Files.createTempDirectory("weft-bench-");
        List<ServerSide> sides =
                extent == Extent.FULL ? ServerSide.andUnsafe(false) : ServerSide.all();
        try (OtherServer knot = knot(directory);
                LoadServers servers = new LoadServers(sides, Server.Service.DNS, measured)) {
            Path questions = directory.resolve("questions");
            Files.write(questions, DnsNames.questions());
            for (int round = extent.firstRound(); round < extent.rounds; round++) {
                for (ServerSide side : servers.round(round)) {
                    RunningServer server = servers.of(side);
                    InetSocketAddress address = server.second();
                    List<Score> scores =
                            extent.measure(
                                    server,
                                    () -> measure(side, address, questions, extent, measured));
                    if (round >= 0) {
                        measured.add(side, scores);
                    }
                }
                if (knot != null) {
                    InetSocketAddress address = loopback(knot.port());
                    List<Score> scores = measure(knot.side(), address, questions, extent, measured);
                    if (round >= 0) {
                        measured.add(knot.side(), scores);
                    }
                }
            }
        } finally {
            delete(directory);
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int free() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(loopback(0))) {
            return socket.getLocalPort();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.isDirectory(file)) {
                    delete(file);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(directory);
    }

    private static @Nullable OtherServer knot(Path directory) throws IOException {
        if (!Files.isExecutable(KNOTD)) {
            return null;
        }
        int port = free();
        Files.writeString(directory.resolve("example.zone"), DnsNames.zone());
        Path configuration = directory.resolve("knot.conf");
        Files.writeString(
                configuration,
                """
                server:
                  listen: 127.0.0.1@%d
                  rundir: "%s"
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                database:
                  storage: "%s"
                log:
                  - target: stdout
                    any: error
                template:
                  - id: default
                    storage: "%s"
                zone:
                  - domain: example.com
                    file: example.zone
                """
                        .formatted(port, directory, directory, directory));
        return OtherServer.start("knot", port, List.of(KNOTD.toString(), "-c", "" + configuration));
    }

    /// Returns nothing when dnsperf failed.
    private static List<Score> measure(
            ServerSide side,
            InetSocketAddress server,
            Path questions,
            Extent extent,
            Measured measured)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", "120", "dnsperf", "-s"));
        command.addAll(List.of("127.0.0.1", "-p", Integer.toString(server.getPort())));
        command.addAll(List.of("-d", questions.toString(), "-c", "1", "-T", "1", "-q", "100"));
        command.addAll(
                extent == Extent.SMOKE
                        ? List.of("-n", "1")
                        : List.of("-l", Integer.toString(Math.max(1, extent.windowMillis / 1000))));
        String output = Command.run(command).output();
        Matcher rate = PER_SECOND.matcher(output);
        Matcher seconds = SECONDS.matcher(output);
        Matcher completed = COMPLETED.matcher(output);
        if (!rate.find()
                || !seconds.find()
                || !completed.find()
                || completed.group(1).equals("0")) {
            measured.failure("dnsperf, " + side.name() + ": " + output);
            return List.of();
        }
        Row perSecond = new Row(RATE, PARAMS, "queries/s", true);
        Row micros = new Row(LATENCY, PARAMS, "us", false);
        return List.of(
                new Score(perSecond, Double.parseDouble(rate.group(1))),
                new Score(micros, 1e6 * Double.parseDouble(seconds.group(1))));
    }
}
