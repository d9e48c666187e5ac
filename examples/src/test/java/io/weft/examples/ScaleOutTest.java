package io.weft.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process passes its listening sockets to its successor while clients ask. The number of
/// restarts is `io.weft.restarts`, 2 unless set.
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ScaleOutTest {
    private static final int RESTARTS = Integer.getInteger("io.weft.restarts", 2);

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void successorTakesOverWithoutALostRequest(String transport) throws Exception {
        // Skips the test where the engine does not work.
        Served.start(HelloHttp::start, transport).close();
        String[] arguments = {
            "--takeover",
            directory.resolve("takeover").toString(),
            "--port",
            "0",
            "--loops",
            "2",
            "--transport",
            transport
        };
        List<Scaled> processes = new ArrayList<>();
        processes.add(Scaled.start(arguments));
        try (ScaledLoad load = new ScaledLoad(processes.getFirst().port(), 4)) {
            for (int i = 0; i < RESTARTS; i++) {
                load.awaitAnswers(50);
                Scaled before = processes.getLast();
                processes.add(Scaled.start(arguments));
                assertThat(processes.getLast().port()).isEqualTo(before.port());
                before.ended();
                load.awaitAnswers(50);
                assertThat(load.lost).isEmpty();
            }
            assertThat(load.ends.get()).isPositive();
        } finally {
            processes.forEach(Scaled::close);
        }
    }

    /// Attack class: an end of service that a few bytes bring about.
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void successorThatHasTakenNothingReplacesNobody(String transport) throws Exception {
        Path path = directory.resolve("takeover");
        AtomicBoolean replaced = new AtomicBoolean();
        Extras extras = ScaleOut.extras("--takeover", path.toString());
        try (Served _ =
                        Served.start(
                                options ->
                                        ScaleOut.start(options, extras, () -> replaced.set(true)),
                                transport);
                SocketChannel liar = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            liar.write(ByteBuffer.wrap("serving\n".getBytes(US_ASCII)));
            assertThat(end(liar)).isTrue();
            assertThat(replaced).isFalse();
            try (SocketChannel again = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                again.write(ByteBuffer.wrap("hello\n".getBytes(US_ASCII)));
                assertThat(again.read(ByteBuffer.allocate(100))).isPositive();
            }
        }
    }

    private static boolean end(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(100)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void fileThatIsNoSocketIsKept(String transport) throws Exception {
        Served.start(HelloHttp::start, transport).close();
        Path file = Files.writeString(directory.resolve("file"), "precious");
        Options options = new Options(InetAddress.getLoopbackAddress(), 0, transport, 1);
        Extras extras = ScaleOut.extras("--takeover", file.toString());
        assertThatThrownBy(() -> ScaleOut.start(options, extras, () -> {}))
                .hasMessageContaining("expected: a socket, or no file");
        assertThat(file).hasContent("precious");
    }

    @Test
    void transportWithoutDescriptorsCannotTakeOver() {
        Options options = new Options(InetAddress.getLoopbackAddress(), 0, "nio", 1);
        Extras extras = ScaleOut.extras("--takeover", directory.resolve("takeover").toString());
        assertThatThrownBy(() -> ScaleOut.start(options, extras, () -> {}))
                .hasMessageContaining("--takeover");
    }
}
