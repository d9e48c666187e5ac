package io.weft.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs put libraries into packages of their own; the whole works there too, native calls and
/// all.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShadingTest {
    private static final Relocation RELOCATION = new Relocation("io.weft", "com.example.shaded");

    @TempDir static Path classes;
    @TempDir Path directory;

    @BeforeAll
    static void relocateAll() throws IOException {
        for (Path jar : Jars.ours()) {
            RELOCATION.unpack(jar, classes);
        }
        RELOCATION.copyClass(ShadedEcho.class, classes);
    }

    private Process start(String transport) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--illegal-native-access=deny",
                        "-cp",
                        classes.toString(),
                        RELOCATION.relocated(ShadedEcho.class.getName()),
                        transport)
                .redirectError(directory.resolve("stderr").toFile())
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void relocatedServerAnswers(String transport) throws Exception {
        Process process = start(transport);
        try (var out = process.inputReader(UTF_8)) {
            String line = out.readLine();
            assertThat(line).as(Files.readString(directory.resolve("stderr"))).isNotNull();
            String[] told = line.split(" ", 2);
            // The tests run where the engines of the kernel work: relocated, they still do.
            assertThat(told[0]).isEqualTo(expected(transport));
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(told[1]))) {
                socket.getOutputStream().write("hello".getBytes(UTF_8));
                assertThat(socket.getInputStream().readNBytes(5))
                        .asString(UTF_8)
                        .isEqualTo("hello");
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// The transport that is chosen in this JVM, which knows the old names.
    private static String expected(String transport) {
        try (var group = EventLoopGroup.create(transport, 1)) {
            return group.transport();
        }
    }
}
