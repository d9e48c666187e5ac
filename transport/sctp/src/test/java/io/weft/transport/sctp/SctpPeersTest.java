package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static io.weft.transport.sctp.Rig.loopback;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.nio.sctp.MessageInfo;
import com.sun.nio.sctp.SctpChannel;
import com.sun.nio.sctp.SctpServerChannel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The JDK's channels, socat and `sctp_test` of lksctp as peers; `dev/sctp.sh` runs these.
@EnabledIfSystemProperty(named = "peers", matches = "true")
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("io.weft.transport.sctp.Rig#transports")
@Timeout(300)
class SctpPeersTest {
    private static final int MESSAGES = 40;

    @TempDir Path directory;
    private final Rig rig;

    SctpPeersTest(String transport) {
        rig = new Rig(transport);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private InetSocketAddress echo(SctpAddress address) {
        ServerChannel server =
                new ServerBootstrap(rig.group)
                        .childHandler(ch -> ch.pipeline().addLast(new EchoHandler()))
                        .bind(address)
                        .join();
        return ((SctpAddress) server.localAddress()).sockets().getFirst();
    }

    private static MessageInfo receive(SctpChannel channel, ByteBuffer into) throws IOException {
        into.clear();
        MessageInfo info = channel.receive(into, null, null);
        into.flip();
        return info;
    }

    @Test
    void channelOfTheJdkIsAnswered() throws Exception {
        InetSocketAddress server = echo(SctpAddress.messages(loopback(1, 0)));
        try (SctpChannel client = SctpChannel.open(server, 8, 8)) {
            ByteBuffer in = ByteBuffer.allocateDirect(4096);
            for (int i = 0; i < MESSAGES; i++) {
                MessageInfo out = MessageInfo.createOutgoing(null, i % 8);
                out.payloadProtocolID(0x01020300 + i);
                client.send(
                        ByteBuffer.wrap(("message " + i).getBytes(StandardCharsets.UTF_8)), out);
                MessageInfo info = receive(client, in);
                assertThat(StandardCharsets.UTF_8.decode(in).toString()).isEqualTo("message " + i);
                assertThat(info.streamNumber()).isEqualTo(i % 8);
                assertThat(info.payloadProtocolID()).isEqualTo(0x01020300 + i);
                assertThat(info.isComplete()).isTrue();
            }
        }
    }

    @Test
    void serverOfTheJdkAnswers() throws Exception {
        try (SctpServerChannel server = SctpServerChannel.open().bind(loopback(1, 0))) {
            InetSocketAddress at =
                    (InetSocketAddress) server.getAllLocalAddresses().iterator().next();
            Rig.Side client = rig.connect(SctpAddress.messages(at));
            try (SctpChannel accepted = server.accept()) {
                ByteBuffer in = ByteBuffer.allocateDirect(4096);
                for (int i = 0; i < MESSAGES; i++) {
                    SctpMessage out = SctpMessage.of(ascii("message " + i), i % 10, -1 - i);
                    client.channel().writeAndFlush(out.withUnordered(i % 2 == 1));
                    MessageInfo info = receive(accepted, in);
                    assertThat(info.streamNumber()).isEqualTo(i % 10);
                    assertThat(info.payloadProtocolID()).isEqualTo(-1 - i);
                    assertThat(info.isUnordered()).isEqualTo(i % 2 == 1);
                    MessageInfo back = MessageInfo.createOutgoing(null, 1);
                    accepted.send(in, back);
                    Heard.Text answer = client.heard().message();
                    assertThat(answer.text()).isEqualTo("message " + i);
                    assertThat(answer.message().stream()).isEqualTo(1);
                }
                accepted.shutdown();
                client.heard().awaitEnd();
            }
        }
    }

    private Process start(Path input, Path output, String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("cannot run " + command[0] + ": " + e.getMessage());
            throw new IllegalStateException(e);
        }
    }

    private void run(Path input, Path output, String... command) throws Exception {
        Process process = start(input, output, command);
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(List.of(command) + "").isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void socatIsEchoed() throws Exception {
        InetSocketAddress server = echo(SctpAddress.of(loopback(1, 0)));
        Path input = Files.writeString(directory.resolve("in"), "line of text\n".repeat(5_000));
        Path output = directory.resolve("out");
        // It does not end with its input: SCTP has no half-closed associations.
        Process socat =
                start(
                        input,
                        output,
                        "socat",
                        "STDIO,ignoreeof",
                        "SCTP4:127.0.0.1:" + server.getPort());
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (Files.size(output) < Files.size(input)) {
                assertThat(socat.isAlive()).as(Files.readString(output)).isTrue();
                assertThat(System.nanoTime() - deadline).as("echo").isNegative();
                LockSupport.parkNanos(1_000_000);
            }
        } finally {
            socat.destroyForcibly();
        }

        assertThat(Files.readString(output)).isEqualTo(Files.readString(input));
    }

    @Test
    void messagesOfLksctpAreReceived() throws Exception {
        SctpAddress at = rig.listen(SctpAddress.messages(loopback(1, 0)));
        String port = String.valueOf(at.sockets().getFirst().getPort());
        Path input = Files.createFile(directory.resolve("in"));
        run(
                input,
                directory.resolve("out"),
                "sctp_test",
                "-H",
                "127.0.0.1",
                "-P",
                "0",
                "-h",
                "127.0.0.1",
                "-p",
                port,
                "-s",
                "-x",
                "5");
        Rig.Side server = rig.accepted();

        assertThat(server.heard().message().text()).isNotEmpty();
        assertThat(server.heard().event(SctpNotification.Shutdown.class)).isNotNull();
    }
}
