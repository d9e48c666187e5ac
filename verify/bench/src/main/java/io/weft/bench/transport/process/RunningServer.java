package io.weft.bench.transport.process;

import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Http2Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A [Server] in a process of its own, which listens.
///
/// @param second for UDP, or for TLS
/// @param directory of its Unix domain socket, when it listens on one, and of the file that it
///     sends
record RunningServer(Child process, InetSocketAddress tcp, InetSocketAddress second, Path directory)
        implements AutoCloseable {
    /// @param launcher programs before `java`
    static RunningServer start(
            ServerSide side, Server.Service service, List<String> launcher, List<String> flags)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("weft-bench-");
        if (service == Server.Service.HTTP1) {
            byte[] file = Http2Answers.bytes(Http1Answers.FILE_LENGTH);
            Files.write(Http1Answers.file(directory), file);
        }
        List<String> all = new ArrayList<>(flags);
        all.addAll(side.flags());
        Child process =
                Child.start(
                        side.name(),
                        launcher,
                        all,
                        List.of(
                                Server.class.getName(),
                                side.library(),
                                side.transport(),
                                service.name(),
                                "0",
                                directory.toString()));
        return listening(process, directory);
    }

    /// Starts a program that says where it listens as [Server] does: a port, with an address before
    /// it or not, and maybe another one.
    static RunningServer start(String name, List<String> command)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("weft-bench-");
        return listening(Child.start(name, command), directory);
    }

    private static RunningServer listening(Child process, Path directory)
            throws IOException, InterruptedException {
        String[] ports;
        try {
            ports = process.await(Server.LISTENING).split(" ", -1);
        } catch (IOException e) {
            process.close();
            throw e;
        }
        String first = ports[2].substring(ports[2].indexOf(':') + 1);
        boolean two = ports.length > 3 && ports[3].chars().allMatch(Character::isDigit);
        String second = two ? ports[3] : "0";
        return new RunningServer(process, loopback(first), loopback(second), directory);
    }

    UnixDomainSocketAddress unix() {
        return Server.unix(directory);
    }

    private static InetSocketAddress loopback(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    @Override
    public void close() throws IOException {
        process.close();
        Files.deleteIfExists(unix().getPath());
        Files.deleteIfExists(Http1Answers.file(directory));
        Files.deleteIfExists(directory);
    }
}
