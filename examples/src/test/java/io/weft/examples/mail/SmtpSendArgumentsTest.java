package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Arguments of [SmtpSend], and what people see of its failures.
class SmtpSendArgumentsTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return SmtpSend.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
    }

    @ParameterizedTest
    @CsvSource({"--help", "-h", "a@b c@d file -h"})
    void helpIsNoMistake(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();
        assertThat(out.toString(UTF_8)).contains("--transport", "2525");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a@b, 2, usage: smtp-send",
        "a@b c@d FILE --colour red, 2, --colour: unknown option",
        "a@b c@d FILE --user me, 2, --user: no colon",
        "a@b c@@d FILE, 2, domain",
        "a@b c@d FILE.not, 1, cannot be read",
        "a@b c@d FILE --transport nio --port NOBODY, 1, refused",
    })
    void whatIsWrongIsSaidInOneLine(String arguments, int status, String message)
            throws IOException {
        Path file = Files.writeString(folder.resolve("message"), "Subject: x\n\nx\n");
        try (Socket deaf = new Socket()) {
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String all =
                    arguments
                            .replace("FILE", file.toString())
                            .replace("NOBODY", "" + deaf.getLocalPort());
            assertThat(run(all.split(" "))).isEqualTo(status);
        }
        assertThat(err.toString(UTF_8).lines())
                .singleElement()
                .asString()
                .containsIgnoringCase(message);
    }
}
