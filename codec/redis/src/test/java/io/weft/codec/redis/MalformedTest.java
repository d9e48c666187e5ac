package io.weft.codec.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.codec.Decoder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedTest {
    static Stream<Malformed.Vector> wholeValues() {
        return Stream.concat(Malformed.values().stream(), Malformed.whole().stream());
    }

    static List<Malformed.Vector> parts() {
        return Malformed.values();
    }

    static List<Malformed.Vector> commands() {
        return Malformed.commands();
    }

    private static RespException refusal(Decoder<?> decoder, Malformed.Vector vector) {
        RespException e =
                catchThrowableOfType(
                        RespException.class, () -> Shown.decoded(decoder, vector.wire()));
        assertThat(e).isNotNull();
        assertThat(e.fault()).as(e.getMessage()).isEqualTo(vector.fault());
        assertThat(e.getMessage()).contains("(expected: ");
        assertThat(e.getStackTrace()).isEmpty();
        return e;
    }

    @ParameterizedTest
    @MethodSource
    void wholeValues(Malformed.Vector vector) {
        var _ = refusal(new RespDecoder(Malformed.LIMITS), vector);
    }

    @ParameterizedTest
    @MethodSource
    void parts(Malformed.Vector vector) {
        var _ = refusal(new RespPartDecoder(Malformed.LIMITS, 100), vector);
    }

    @ParameterizedTest
    @MethodSource
    void commands(Malformed.Vector vector) {
        RespException e = refusal(new CommandDecoder(Malformed.LIMITS), vector);
        assertThat(e.reply().text()).startsWith("ERR Protocol error: ");
    }

    @Test
    void everyFaultHasAVector() {
        assertThat(Stream.concat(wholeValues(), commands().stream()))
                .extracting(Malformed.Vector::fault)
                .contains(RespFault.values());
    }
}
