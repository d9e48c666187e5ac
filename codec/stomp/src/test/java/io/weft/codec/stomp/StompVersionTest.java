package io.weft.codec.stomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.codec.Output;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StompVersionTest {
    private static StompEncoder encoder(StompVersion version) {
        StompEncoder encoder = new StompEncoder();
        encoder.version(version);
        return encoder;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.0,1.1,1.2|V1_2",
                "1.2, 1.1|V1_2",
                "1.0|V1_0",
                "1.1,2.0|V1_1",
                "2.0|",
                "''|"
            })
    void highestCommonVersionIsNegotiated(String accepted, StompVersion version) {
        assertThat(StompVersion.negotiate(accepted)).isEqualTo(version);
        assertThat(StompVersion.negotiate(null)).isEqualTo(StompVersion.V1_0);
    }

    @Test
    void headersAreEscapedAsTheVersionHasIt() {
        StompFrame frame = StompFrame.of(StompCommand.SUBSCRIBE, "a:b", "c:\\\n");
        assertThat(Frames.encode(encoder(StompVersion.V1_2), () -> frame))
                .isEqualTo("SUBSCRIBE\na\\cb:c\\c\\\\\\n\n\n\0");
        assertThat(
                        Frames.encode(
                                encoder(StompVersion.V1_0),
                                () -> StompFrame.of(StompCommand.SEND, "a", "b:c\\")))
                .isEqualTo("SEND\na:b:c\\\n\n\0");
        assertThat(
                        Frames.encode(
                                encoder(StompVersion.V1_2),
                                () -> StompFrame.of(StompCommand.CONNECTED, "a", "b:c\\")))
                .isEqualTo("CONNECTED\na:b:c\\\n\n\0");
    }

    @Test
    void linesThatAVersionCannotSayAreRefused() {
        for (String value : List.of("a\nb", "a\rb")) {
            assertThatThrownBy(
                            () ->
                                    Frames.encode(
                                            encoder(StompVersion.V1_0),
                                            () -> StompFrame.of(StompCommand.SEND, "a", value)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(
                        () ->
                                Frames.encode(
                                        encoder(StompVersion.V1_1),
                                        () -> StompFrame.of(StompCommand.SEND, "a", "b\rc")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StompHeaders.of("a", "b\0c"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void firstOfRepeatedHeadersCounts() {
        StompHeaders headers = StompHeaders.of("a", "new", "b", "x", "a", "old");
        assertThat(headers.get("a")).isEqualTo("new");
        assertThat(headers.all("a")).containsExactly("new", "old");
        assertThat(headers).hasToString("{a, b, a}");
    }

    @Test
    void bodiesHaveTheirLength() {
        assertThat(Frames.encode(new StompEncoder(), () -> Frames.send("a\0b", "destination", "q")))
                .isEqualTo("SEND\ndestination:q\ncontent-length:3\n\na\0b\0");
        assertThatThrownBy(
                        () ->
                                Frames.encode(
                                        new StompEncoder(),
                                        () -> Frames.send("ab", "content-length", "3")))
                .hasMessageContaining("content-length: 3 (expected: 2)");
    }

    @Test
    void bodiesInPartsAreAsDeclared() {
        StompEncoder encoder = new StompEncoder();
        StompFrameStart start =
                new StompFrameStart(StompCommand.SEND, StompHeaders.of("content-length", "3"));
        try (Output out = new Output()) {
            encoder.encode(start, out);
            assertThatThrownBy(() -> encoder.encode(StompHeartBeat.INSTANCE, out))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(
                            () ->
                                    encoder.encode(
                                            new StompBodyPart(Frames.buffer("abcd"), false), out))
                    .isInstanceOf(IllegalArgumentException.class);
            encoder.encode(new StompBodyPart(Frames.buffer("ab"), false), out);
            assertThatThrownBy(
                            () -> encoder.encode(new StompBodyPart(Frames.buffer(""), true), out))
                    .isInstanceOf(IllegalArgumentException.class);
            encoder.encode(new StompBodyPart(Frames.buffer("c"), true), out);
            encoder.encode(new StompFrameStart(StompCommand.MESSAGE, StompHeaders.NONE), out);
            assertThatThrownBy(
                            () ->
                                    encoder.encode(
                                            new StompBodyPart(Frames.buffer("a\0"), true), out))
                    .hasMessageContaining("NUL");
            encoder.encode(new StompBodyPart(Frames.buffer("a"), true), out);
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+3", "-0", "\u0663", "\uff13", "", " 3", "0000000000000000003"})
    void lengthsOfBodiesInPartsAreDigits(String length) {
        StompFrameStart start =
                new StompFrameStart(StompCommand.SEND, StompHeaders.of("content-length", length));
        StompEncoder encoder = new StompEncoder();
        try (Output out = new Output()) {
            assertThatThrownBy(() -> encoder.encode(start, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("content-length: " + length + " (expected: ");
            assertThat(out.size()).isZero();
            encoder.encode(StompHeartBeat.INSTANCE, out);
        }
    }

    @Test
    void heartBeatsAreAgreedOn() {
        HeartBeats client = HeartBeats.parse("1000,0");
        HeartBeats server = HeartBeats.parse("500,2000");
        assertThat(client.with(server)).isEqualTo(new HeartBeats(2000, 0));
        assertThat(server.with(client)).isEqualTo(new HeartBeats(0, 2000));
        assertThat(HeartBeats.parse(null).text()).isEqualTo("0,0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1,", ",1", "-1,0", "1,2,3", "1x,0", "9999999999,0"})
    void heartBeatsThatAreNoNumbersAreRefused(String header) {
        assertThatThrownBy(() -> HeartBeats.parse(header))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void clientTakesTheVersionFromConnected() {
        assertThat(
                        Frames.decode(
                                StompDecoder.client(),
                                "CONNECTED\nversion:1.1\n\n\0ERROR\na:b\\c\n\n\0"))
                .containsExactly("CONNECTED{version=1.1} ", "ERROR{a=b:} ");
        assertThat(Frames.decode(StompDecoder.client(), "CONNECTED\n\n\0ERROR\na:b\\c\n\n\0"))
                .containsExactly("CONNECTED{} ", "ERROR{a=b\\c} ");
    }
}
