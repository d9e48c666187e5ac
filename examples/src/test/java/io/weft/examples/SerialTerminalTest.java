package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Arguments and commands; ports are in the tests of the transport.
class SerialTerminalTest {
    @ParameterizedTest
    @CsvSource({
        "'', devices: []",
        "a b, 'devices: [a, b]'",
        "a --end crcr, --end: crcr",
        "a --line 9600, line: 9600",
        "a --transport tin, transport: tin",
    })
    void wrongArgumentsAreTold(String arguments, String message) {
        String[] args = arguments.isEmpty() ? new String[0] : arguments.split(" ");
        var in = new BufferedReader(new StringReader(""));
        var out = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialTerminal.run(args, in, out))
                .withMessageStartingWith(message + " (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "On", "1", "on off"})
    void linesAreOnOrOff(String argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialTerminal.isOn(argument))
                .withMessage(argument + " (expected: on or off)");
        assertThat(SerialTerminal.isOn("on")).isTrue();
        assertThat(SerialTerminal.isOn("off")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1.5", "999999999999"})
    void breaksAreOfMilliseconds(String argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialTerminal.millis(argument))
                .withMessage(argument + " (expected: milliseconds up to 60000)");
    }

    @Test
    void breakIsAsLongAsItSays() {
        assertThat(SerialTerminal.millis("250")).isEqualTo(Duration.ofMillis(250));
    }
}
