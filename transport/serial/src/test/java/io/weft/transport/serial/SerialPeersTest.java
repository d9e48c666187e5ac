package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer on pyserial, at the other end of a pair of ports that socat makes.
@Tag("peers")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class SerialPeersTest {
    /// Sets its end, tells so, and sends back what it has read, each byte inverted. It answers when
    /// it has everything: socat waits in its writes, so both directions at once, both full, would
    /// wait for each other for ever.
    private static final String PEER =
            """
            import serial, sys
            port = serial.Serial(sys.argv[1], 250000, timeout=60, exclusive=True)
            port.write(b'ready')
            length = int(sys.argv[2])
            got = bytearray()
            while len(got) < length:
                some = port.read(max(1, min(length - len(got), port.in_waiting)))
                if not some:
                    sys.exit('nothing came')
                got += some
            port.write(bytes(b ^ 255 for b in got))
            port.flush()
            """;

    @TempDir Path directory;
    private @Nullable Process socat;
    private @Nullable Process peer;

    @BeforeEach
    void startPeers() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        socat =
                start(
                        "socat",
                        "pty,raw,echo=0,link=" + directory.resolve("ours"),
                        "pty,raw,echo=0,link=" + directory.resolve("theirs"));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.exists(directory.resolve("theirs"))
                || !Files.exists(directory.resolve("ours"))) {
            assertThat(System.nanoTime() - deadline).as("socat").isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Process start(String... command) throws IOException {
        Path log = directory.resolve("log");
        try {
            return new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            return Assumptions.abort(
                    command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        }
    }

    @AfterEach
    void endPeers() {
        if (socat != null) {
            socat.destroyForcibly();
        }
        if (peer != null) {
            peer.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void pyserialReadsAndWritesAndASocatThatEndsHangsUp(String transport) throws Exception {
        Process has = start("python3", "-c", "import serial");
        Assumptions.assumeTrue(
                has.waitFor(60, TimeUnit.SECONDS) && has.exitValue() == 0,
                "python3 has no pyserial (dev/install-peers.sh installs it)");
        byte[] sent = new byte[50_000];
        new SplittableRandom(Long.getLong("io.weft.test.seed", 1)).nextBytes(sent);
        byte[] inverted = sent.clone();
        for (int i = 0; i < inverted.length; i++) {
            inverted[i] = (byte) ~inverted[i];
        }
        PortRecorder recorder = new PortRecorder();
        try (EventLoopGroup group = EventLoopGroup.create(transport, 1)) {
            Channel channel =
                    new Bootstrap(group)
                            .option(SerialOption.LINE, SerialLine.parse("250000,8N1"))
                            .handler(ch -> ch.pipeline().addLast(recorder))
                            .connect(SerialAddress.of(directory.resolve("ours")))
                            .join();
            Path script = directory.resolve("peer.py");
            Files.writeString(script, PEER, StandardCharsets.US_ASCII);
            String theirs = directory.resolve("theirs").toString();
            peer = start("python3", script.toString(), theirs, "" + sent.length);
            assertThat(recorder.text(5)).as("%s", log()).isEqualTo("ready");
            Buffer bytes = BufferAllocator.pooled().allocate(sent.length);
            bytes.writeBytes(sent);
            channel.writeAndFlush(bytes);
            assertThat(recorder.bytes(sent.length)).isEqualTo(inverted);
            assertThat(peer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(peer.exitValue()).as("%s", log()).isZero();
            Objects.requireNonNull(socat).destroy();
            channel.closeFuture().join();
        }
        assertThat(recorder.events()).containsExactly("active", "inputClosed", "inactive");
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }
}
