package io.weft.codec.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.codec.websocket.PerMessageDeflate.Accepted;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerMessageDeflateTest {
    private static final DeflateParameters DEFAULT = DeflateParameters.DEFAULT;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "permessage-deflate | permessage-deflate",
                "permessage-deflate; client_max_window_bits | permessage-deflate",
                "permessage-deflate; client_max_window_bits=10"
                        + " | permessage-deflate; client_max_window_bits=10",
                "permessage-deflate; client_max_window_bits=15 | permessage-deflate",
                "permessage-deflate; server_max_window_bits=9"
                        + " | permessage-deflate; server_max_window_bits=9",
                "permessage-deflate; server_max_window_bits=15"
                        + " | permessage-deflate; server_max_window_bits=15",
                "permessage-deflate; server_max_window_bits=\"10\""
                        + " | permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; server_no_context_takeover"
                        + " | permessage-deflate; server_no_context_takeover",
                "permessage-deflate ;client_no_context_takeover ; server_max_window_bits = 8"
                        + " | permessage-deflate; client_no_context_takeover;"
                        + " server_max_window_bits=8",
                "x-other; a=b, , permessage-deflate | permessage-deflate",
                "permessage-deflate; unknown, permessage-deflate | permessage-deflate",
            })
    void offerIsAnswered(String offer, String answer) {
        Accepted accepted = PerMessageDeflate.accept(List.of(offer), DEFAULT);
        assertThat(Objects.requireNonNull(accepted).answer()).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x-webkit-deflate-frame",
                "permessage-deflate; unknown",
                "permessage-deflate; server_max_window_bits",
                "permessage-deflate; server_max_window_bits=7",
                "permessage-deflate; server_max_window_bits=16",
                "permessage-deflate; server_max_window_bits=08",
                "permessage-deflate; server_max_window_bits=+9",
                "permessage-deflate; client_max_window_bits=0",
                "permessage-deflate; client_max_window_bits=x",
                "permessage-deflate; client_max_window_bits=115",
                "permessage-deflate; server_no_context_takeover=1",
                "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
            })
    void offerThatIsInvalidIsDeclined(String offer) {
        assertThat(PerMessageDeflate.accept(List.of(offer), DEFAULT)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {";", "a b", "a;", "a;=b", "a; b=", "a; b=\"", "a; b=\"\"", "a; b=\" \""})
    void malformedFieldIsRefused(String field) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerMessageDeflate.accept(List.of(field), DEFAULT));
    }

    @Test
    void serverTakesNoMoreThanItWants() {
        DeflateParameters wanted = new DeflateParameters(true, true, 10, 11);
        Accepted accepted =
                PerMessageDeflate.accept(
                        List.of("permessage-deflate; client_max_window_bits"), wanted);
        assertThat(Objects.requireNonNull(accepted).parameters()).isEqualTo(wanted);
        assertThat(accepted.answer())
                .isEqualTo(
                        "permessage-deflate; server_no_context_takeover;"
                                + " client_no_context_takeover; server_max_window_bits=10;"
                                + " client_max_window_bits=11");
    }

    @Test
    void serverDoesNotLimitAClientThatDidNotOfferIt() {
        Accepted accepted =
                PerMessageDeflate.accept(
                        List.of("permessage-deflate"), DEFAULT.clientMaxWindowBits(9));
        assertThat(Objects.requireNonNull(accepted).parameters()).isEqualTo(DEFAULT);
        assertThat(accepted.answer()).isEqualTo("permessage-deflate");
    }

    @Test
    void clientTakesWhatItsOfferAllows() {
        assertThat(agreed("permessage-deflate", DEFAULT)).isEqualTo(DEFAULT);
        assertThat(PerMessageDeflate.agreed(List.of(), DEFAULT)).isNull();
        assertThat(
                        agreed(
                                "permessage-deflate; client_max_window_bits=9;"
                                        + " server_max_window_bits=12; client_no_context_takeover",
                                DEFAULT))
                .isEqualTo(new DeflateParameters(false, true, 12, 9));
        assertThat(agreed("permessage-deflate", DEFAULT.clientNoContextTakeover(true)))
                .isEqualTo(DEFAULT.clientNoContextTakeover(true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate",
                "permessage-deflate; server_no_context_takeover",
                "permessage-deflate; server_no_context_takeover; server_max_window_bits=11",
                "permessage-deflate; server_no_context_takeover; server_max_window_bits=10;"
                        + " client_max_window_bits",
                "permessage-deflate; server_no_context_takeover; server_max_window_bits=10;"
                        + " client_max_window_bits=10",
                "x-other",
                "permessage-deflate, permessage-deflate",
            })
    void clientRefusesWhatIsNoAnswerToItsOffer(String answer) {
        DeflateParameters offered = new DeflateParameters(true, false, 10, 9);
        assertThatIllegalArgumentException().isThrownBy(() -> agreed(answer, offered));
    }

    @Test
    void clientThatOfferedNothingRefusesAnExtension() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerMessageDeflate.agreed(List.of("permessage-deflate"), null));
    }

    private static @Nullable DeflateParameters agreed(String answer, DeflateParameters offered) {
        return PerMessageDeflate.agreed(List.of(answer), offered);
    }

    @Test
    void offerSaysWhatIsWanted() {
        assertThat(PerMessageDeflate.offer(DEFAULT))
                .isEqualTo("permessage-deflate; client_max_window_bits");
        assertThat(PerMessageDeflate.offer(new DeflateParameters(true, true, 9, 10)))
                .isEqualTo(
                        "permessage-deflate; server_no_context_takeover;"
                                + " client_no_context_takeover; server_max_window_bits=9;"
                                + " client_max_window_bits=10");
    }
}
