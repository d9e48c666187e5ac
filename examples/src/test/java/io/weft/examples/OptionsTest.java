package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void defaultsAreLoopbackAndTheBestEngine() {
        Options options = Options.parse(8080);
        assertThat(options.host()).isEqualTo(InetAddress.getLoopbackAddress());
        assertThat(options.port()).isEqualTo(8080);
        assertThat(options.transport()).isEqualTo("auto");
        assertThat(options.loops()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void optionsComeInAnyOrderAndTheLastOneCounts() throws Exception {
        Options options =
                Options.parse(
                        1,
                        "--loops",
                        "3",
                        "--port",
                        "0",
                        "--host",
                        "127.0.0.2",
                        "--transport",
                        "nio",
                        "--port",
                        "65535");
        assertThat(options)
                .isEqualTo(new Options(InetAddress.getByName("127.0.0.2"), 65_535, "nio", 3));
    }

    @ParameterizedTest
    @CsvSource({
        "--port,               --port: no value",
        "--port eighty,        --port: eighty (expected: a number from 0 to 65535)",
        "--port -1,            --port: -1 (expected: a number from 0 to 65535)",
        "--port 65536,         --port: 65536 (expected: a number from 0 to 65535)",
        "--loops 0,            --loops: 0 (expected: a number from 1 to 1024)",
        "--loops 1025,         --loops: 1025 (expected: a number from 1 to 1024)",
        "--transport pipe,     '--transport: pipe (expected: one of [auto, io_uring, epoll, nio, '",
        "--transport serial,   '--transport: serial with --device '",
        "--device /dev/tty0,   '--transport: auto with --device '",
        "--host no.invalid,    --host: no.invalid (expected: a name or address that resolves)",
        "--colour red,         --colour: unknown option",
        "--colour,             --colour: unknown option",
        "8080,                 8080: unknown option",
    })
    void whatIsWrongIsSaidInOneLine(String arguments, String message) {
        assertThatThrownBy(() -> Options.parse(1, arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(message)
                .contains("(expected: ")
                .hasLineCount(1);
    }

    @Test
    void usageShowsTlsAndDevicesToThoseThatTakeThem() {
        assertThat(Taken.STREAMS.usage()).contains("[--tls]", "[--device PATH]", "|serial]");
        assertThat(Taken.PLAIN_STREAMS.usage()).contains("|serial]").doesNotContain("--tls");
        assertThat(Taken.SOCKETS.usage()).contains("[--tls]").doesNotContain("device", "udt");
        assertThat(Taken.PLAIN_SOCKETS.usage()).doesNotContain("--tls", "device", "udt");
    }

    @ParameterizedTest
    @CsvSource({
        "--transport udt,    '--transport: udt (expected: one of [auto, '",
        "--device /dev/tty0, --device: unknown option",
    })
    void optionsOfOtherKindsAreRefused(String arguments, String message) {
        assertThatThrownBy(() -> Options.parse(Taken.SOCKETS, 1, arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(message)
                .doesNotContain("serial");
    }

    @Test
    void tlsHasNoValue() {
        Options options = Options.parse(8080, "--tls", "--port", "1");
        assertThat(options.tls()).isTrue();
        assertThat(options.port()).isEqualTo(1);
        assertThat(Options.parse(8080).tls()).isFalse();
    }
}
