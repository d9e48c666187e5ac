package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.smtp.SmtpClientConfig;
import io.weft.codec.smtp.SmtpDelivery;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpReply;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Postfix's client and server for tests, `smtp-source` and `smtp-sink`, with our server and
/// client.
@Tag("peers")
@Timeout(300)
class PostfixPeersTest {
    @TempDir Path folder;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private Process start(String program, String... arguments) throws IOException {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        String found =
                Arrays.stream(path.split(File.pathSeparator))
                        .map(at -> Path.of(at, program))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElseGet(
                                () ->
                                        Assumptions.abort(
                                                program
                                                        + " is not there (dev/install-peers.sh"
                                                        + " installs it)"));
        List<String> command = new ArrayList<>(List.of(found));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    @Test
    void smtpSourceSendsToOurServer() throws Exception {
        Path mails = Files.createDirectory(folder.resolve("mails"));
        try (Served server = SmtpExamplesTest.server(mails, false)) {
            Process source =
                    start(
                            "smtp-source",
                            "-m",
                            "20",
                            "-s",
                            "4",
                            "-l",
                            "20000",
                            "-f",
                            "a@b.example",
                            "-t",
                            "c@d.example",
                            "127.0.0.1:" + server.address().getPort());
            try {
                assertThat(source.waitFor(100, TimeUnit.SECONDS)).isTrue();
                assertThat(source.exitValue())
                        .as(Files.readString(folder.resolve("said")))
                        .isZero();
            } finally {
                source.destroyForcibly();
            }
        }
        assertThat(SmtpExamplesTest.mails(mails))
                .hasSize(20)
                .allMatch(mail -> mail.length() > 20_000 && mail.contains("a@b.example"));
    }

    @Test
    void ourClientSendsToSmtpSink() throws Exception {
        int port = Ports.free();
        // As root it asks for a user to become.
        String[] root = {"-u", "nobody", "127.0.0.1:" + port, "10"};
        boolean isRoot = System.getProperty("user.name").equals("root");
        Process sink = start("smtp-sink", isRoot ? root : Arrays.copyOfRange(root, 2, 4));
        try {
            for (int i = 0; i < 600 && !answers(port); i++) {
                if (sink.waitFor(100, TimeUnit.MILLISECONDS)) {
                    Assumptions.abort(Files.readString(folder.resolve("said"), UTF_8));
                }
            }
            String text = "Subject: x\n\n.\n..two\n" + "line\n".repeat(50_000);
            SmtpDelivery delivery =
                    SmtpSend.send(
                            SmtpExamplesTest.options(port, false),
                            SmtpClientConfig.of("client.example"),
                            null,
                            SmtpEnvelope.of("a@b.example", "c@d.example", "e@d.example"),
                            text.getBytes(UTF_8));
            assertThat(delivery.outcome().code()).isEqualTo(250);
            assertThat(delivery.recipients().stream().map(SmtpReply::code)).containsOnly(250);
        } finally {
            sink.destroyForcibly();
        }
    }

    private static boolean answers(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
