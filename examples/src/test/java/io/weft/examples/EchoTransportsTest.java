package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sctp.SctpAddress;
import io.weft.transport.sctp.SctpProvider;
import io.weft.transport.serial.SerialAddress;
import io.weft.transport.udt.UdtAddress;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Echo over what is no TCP, and what is said where the machine lacks it.
@Timeout(300)
class EchoTransportsTest {
    @TempDir Path directory;

    private static Options options(String transport, String... more) {
        String[] words = new String[6 + more.length];
        System.arraycopy(
                new String[] {"--transport", transport, "--port", "0", "--loops", "1"},
                0,
                words,
                0,
                6);
        System.arraycopy(more, 0, words, 6, more.length);
        return Options.parse(0, words);
    }

    /// Says hello at an address, and waits for the same.
    private static void assertEchoed(String transport, SocketAddress at) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        StringBuilder all = new StringBuilder();
        ChannelHandler heard =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Buffer bytes = (Buffer) message) {
                            all.append(bytes.readString(StandardCharsets.US_ASCII));
                        }
                        if (all.length() >= 5) {
                            answer.complete(all.toString());
                        }
                    }
                };
        try (EventLoopGroup group = EventLoopGroup.create(transport, 1)) {
            Channel client =
                    new Bootstrap(group)
                            .handler(ch -> ch.pipeline().addLast(heard))
                            .connect(at)
                            .join();
            client.writeAndFlush(BufferAllocator.pooled().allocate(5).writeAscii("hello"));
            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("hello");
            client.abort().join();
        }
    }

    @Test
    void streamsOfUdtAreEchoed() throws Exception {
        try (Example.Running running = Echo.start(options("udt"))) {
            assertThat(running.transport()).startsWith("udt over ");
            assertEchoed("nio", UdtAddress.of(running.address()));
        }
    }

    @Test
    void streamsOfSctpAreEchoed() throws Exception {
        String refusal = SctpProvider.refusal();
        Assumptions.assumeTrue(refusal == null, refusal);
        try (Example.Running running = Echo.start(options("sctp"))) {
            assertThat(running.transport()).startsWith("sctp over ");
            assertEchoed("auto", SctpAddress.of(running.address()));
        }
    }

    @Test
    void kernelWithoutSctpIsNamed() {
        Assumptions.assumeTrue(SctpProvider.refusal() != null, "this kernel has SCTP");
        assertThatThrownBy(() -> Echo.start(options("sctp"))).hasStackTraceContaining("(expected:");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void systemWithoutKqueueIsNamed() {
        Assumptions.assumeTrue(System.getProperty("io.weft.kqueue.library") == null);
        assertThatThrownBy(() -> Echo.start(options("kqueue")))
                .hasMessageContaining("kqueue")
                .hasStackTraceContaining("Linux with io.weft.kqueue.library");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void missingPortIsNamed() {
        String device = directory.resolve("ttyNone").toString();
        assertThatThrownBy(() -> Echo.start(options("serial", "--device", device)))
                .hasStackTraceContaining(device);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @EnabledIfSystemProperty(named = "peers", matches = "true")
    void bytesAtASerialPortAreEchoedUntilItHangsUp() throws Exception {
        Path device = directory.resolve("a");
        Path other = directory.resolve("b");
        Process socat;
        try {
            socat =
                    new ProcessBuilder(
                                    "socat",
                                    "pty,raw,echo=0,link=" + device,
                                    "pty,raw,echo=0,link=" + other)
                            .inheritIO()
                            .start();
        } catch (IOException e) {
            Assumptions.abort("socat is not on the PATH (dev/install-peers.sh installs it)");
            return;
        }
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!Files.exists(device) || !Files.exists(other)) {
                assertThat(System.nanoTime() - deadline).as("waited in vain").isNegative();
                LockSupport.parkNanos(1_000_000);
            }
            Options options = options("serial", "--device", device.toString());
            try (Example.Running running = Echo.start(options)) {
                assertThat(running.transport()).startsWith("serial over ");
                assertThat(running.place(options)).isEqualTo(device.toString());
                assertEchoed("auto", SerialAddress.of(other.toString()));
                CompletableFuture<Void> gone = new CompletableFuture<>();
                running.whenGone(() -> gone.complete(null));
                socat.destroy();
                gone.get(60, TimeUnit.SECONDS);
            }
        } finally {
            socat.destroyForcibly();
            Files.deleteIfExists(device);
            Files.deleteIfExists(other);
        }
    }
}
