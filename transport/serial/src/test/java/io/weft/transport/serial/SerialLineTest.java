package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.transport.serial.SerialLine.FlowControl;
import io.weft.transport.serial.SerialLine.Parity;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SerialLineTest {
    @Test
    void isReadAndWrittenAsItIsUsual() {
        assertThat(SerialLine.parse("115200,8n1")).hasToString("115200,8N1");
        assertThat(SerialLine.parse("300,7E2"))
                .isEqualTo(new SerialLine(300, 7, Parity.EVEN, 2, FlowControl.NONE));
        for (Parity parity : Parity.values()) {
            SerialLine line = SerialLine.DEFAULT.withParity(parity);
            assertThat(SerialLine.parse(line.toString())).isEqualTo(line);
        }
        assertThat(SerialLine.DEFAULT.withFlowControl(FlowControl.RTS_CTS))
                .hasToString("9600,8N1,RTS_CTS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "9600",
                "9600,",
                "9600,9N1",
                "9600,8X1",
                "9600,8N3",
                "-1,8N1",
                "9e3,8N1"
            })
    void whatIsMalformedIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialLine.parse(text))
                .withMessageContaining("expected: as in 115200,8N1");
    }

    @Test
    void boundsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> SerialLine.DEFAULT.withSpeed(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> SerialLine.DEFAULT.withDataBits(4));
        assertThatIllegalArgumentException().isThrownBy(() -> SerialLine.DEFAULT.withStopBits(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadTiming(0, Duration.ZERO))
                .withMessage("atLeast: 0 (expected: 1 to 4096)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadTiming(1, Duration.ofNanos(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReadTiming.untilSilence(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> SerialAddress.of(""));
        assertThatIllegalArgumentException().isThrownBy(() -> SerialAddress.of("a\0b"));
    }

    @Test
    void addressesAreEqualByTheirDevice() {
        assertThat(SerialAddress.of("/dev/ttyS0"))
                .isEqualTo(SerialAddress.of(java.nio.file.Path.of("/dev/ttyS0")))
                .hasSameHashCodeAs(SerialAddress.of("/dev/ttyS0"))
                .isNotEqualTo(SerialAddress.of("/dev/ttyS1"))
                .hasToString("serial:/dev/ttyS0");
    }
}
