package io.weft.bench.mainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void readsEveryOption() {
        assertThat(
                        Options.parse(
                                List.of(
                                        "--quick",
                                        "--json",
                                        "out",
                                        "--html",
                                        "page",
                                        "--weft",
                                        "a:b",
                                        "--before",
                                        "c:d",
                                        "--rivals",
                                        "built")))
                .isEqualTo(
                        new Options(
                                true,
                                Path.of("out"),
                                Path.of("page"),
                                null,
                                "a:b",
                                "c:d",
                                Path.of("built")));
    }

    @Test
    void namesAnUnknownOptionAndAMissingValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--fast")))
                .withMessageContaining("--fast");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--json")))
                .withMessageContaining("--json needs a value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--before", "a")))
                .withMessageContaining("--before needs --weft");
    }
}
