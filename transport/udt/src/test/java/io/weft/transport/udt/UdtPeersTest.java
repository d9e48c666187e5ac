package io.weft.transport.udt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The reference implementation, Debian's `libudt-dev`, on the other side: a program that is
/// compiled here.
@Tag("peers")
@Timeout(300)
class UdtPeersTest {
    private static final long PATIENCE = 200;

    @TempDir static Path folder;

    // Ends with each test: what a port has open goes with its loop.
    private final EventLoopGroup group = EventLoopGroup.create("nio", 2);
    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void compile() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/include/udt/udt.h")),
                "libudt-dev is not installed (dev/install-peers.sh installs it)");
        Path source = folder.resolve("peer.cpp");
        try (InputStream from = UdtPeersTest.class.getResourceAsStream("/udt/peer.cpp")) {
            Files.copy(from, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Process compiler;
        try {
            compiler =
                    new ProcessBuilder(
                                    "g++",
                                    "-O1",
                                    "-w",
                                    "-o",
                                    folder.resolve("peer").toString(),
                                    source.toString(),
                                    "-ludt",
                                    "-lpthread")
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            Assumptions.abort("g++ is not on the PATH (dev/install-peers.sh installs it)");
            return;
        }
        String output = new String(compiler.getInputStream().readAllBytes(), US_ASCII);
        assertThat(compiler.waitFor()).as(output).isZero();
    }

    @AfterEach
    void stop() {
        group.close();
        started.forEach(Process::destroyForcibly);
    }

    private Process peer(Object... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(folder.resolve("peer").toString());
        for (Object word : words) {
            command.add(word.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private static UdtAddress address(String mode, InetSocketAddress at) {
        return mode.equals("message") ? UdtAddress.messages(at) : UdtAddress.of(at);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static String rest(Process process) throws Exception {
        CompletableFuture<String> output =
                CompletableFuture.supplyAsync(
                        () -> process.inputReader().lines().toList().toString());
        return output.get(PATIENCE, TimeUnit.SECONDS);
    }

    private static long answered(Asker asker) throws Exception {
        return asker.answered.get(PATIENCE, TimeUnit.SECONDS);
    }

    private Channel connect(UdtAddress to, Asker asker) {
        return new Bootstrap(group).handler(asker.initializer()).connect(to).join();
    }

    // ---- client and server ----

    @ParameterizedTest
    @CsvSource({
        "stream, 1, 0", "stream, 5000000, 0", "stream, 1000000, 0.05",
        "message, 1, 0", "message, 300, 0", "message, 100, 0.05"
    })
    void itsClientGetsItsEcho(String mode, long count, double loss) throws Exception {
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(address(mode, anyPort()))
                        .join();
        InetSocketAddress at = ((UdtAddress) server.localAddress()).socket();
        try (LossyRelay relay = new LossyRelay(at, loss)) {
            Process client = peer("ask", mode, "127.0.0.1", relay.front().getPort(), count);
            assertThat(rest(client)).isEqualTo("[good " + count + "]");
        }
        server.close().join();
    }

    @ParameterizedTest
    @CsvSource({
        "stream, 1, 0", "stream, 5000000, 0", "stream, 1000000, 0.05",
        "message, 1, 0", "message, 300, 0", "message, 100, 0.05"
    })
    void itsServerEchoes(String mode, long count, double loss) throws Exception {
        Process server = peer("echo", mode, 0);
        BufferedReader output = server.inputReader();
        int port = Integer.parseInt(output.readLine().substring("port ".length()));
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (LossyRelay relay = new LossyRelay(at, loss)) {
            Asker asker = new Asker(mode.equals("message"), count);
            Channel client = connect(address(mode, relay.front()), asker);
            long bytes = answered(asker);
            client.close().join();
            assertThat(rest(server)).contains("echoed " + bytes);
        }
    }

    // ---- rendezvous ----

    @ParameterizedTest
    @CsvSource({
        "stream, 1000000, 0",
        "stream, 500000, 0.05",
        "message, 100, 0",
        "message, 50, 0.05"
    })
    void itMeetsAndAsks(String mode, long count, double loss) throws Exception {
        try (LossyRelay relay = new LossyRelay(null, loss)) {
            Process peer = peer("meet", mode, 0, "127.0.0.1", relay.back().getPort(), count);
            Channel channel =
                    new Bootstrap(group)
                            .handler(ch -> ch.pipeline().addLast(new Echo()))
                            .connect(address(mode, relay.front()).rendezvous(anyPort()))
                            .join();
            assertThat(rest(peer)).isEqualTo("[good " + count + "]");
            channel.abort().join();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "stream, 1000000, 0",
        "stream, 500000, 0.05",
        "message, 100, 0",
        "message, 50, 0.05"
    })
    void itMeetsAndEchoes(String mode, long count, double loss) throws Exception {
        try (LossyRelay relay = new LossyRelay(null, loss)) {
            Process peer = peer("join", mode, 0, "127.0.0.1", relay.back().getPort());
            Asker asker = new Asker(mode.equals("message"), count);
            Channel channel = connect(address(mode, relay.front()).rendezvous(anyPort()), asker);
            long bytes = answered(asker);
            channel.close().join();
            assertThat(rest(peer)).contains("echoed " + bytes);
        }
    }
}
