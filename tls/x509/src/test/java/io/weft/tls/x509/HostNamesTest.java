package io.weft.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostNamesTest {
    private static boolean matches(String pattern, String host) {
        return HostNames.matches(pattern, Objects.requireNonNull(HostNames.asciiName(host)));
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "*.example.com, www.example.com",
        "*.example.com, xn--bcher-kva.example.com",
        "xn--bcher-kva.example, bücher.example",
        "a_b.example.com, a_b.example.com",
        "example.com, EXAMPLE.com.",
        "localhost, localhost",
    })
    void aNameIsForItsHost(String pattern, String host) {
        assertThat(matches(pattern, host)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, www.example.com",
        "*.example.com, example.com",
        "*.example.com, a.b.example.com",
        "*.com, example.com",
        "*, localhost",
        "*., localhost",
        "w*.example.com, www.example.com",
        "*w.example.com, www.example.com",
        "www.*.com, www.example.com",
        "*.*.com, www.example.com",
        "example.com., example.com",
        "exam ple.com, example.com",
        "'', example.com",
        ".example.com, www.example.com",
    })
    void aNameIsNotForOthers(String pattern, String host) {
        assertThat(matches(pattern, host)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"''", ".", "a..b", "127.1", "0x7f.1", "a b", "-.1"})
    void noHostHasSuchAName(String host) {
        assertThat(HostNames.asciiName(host)).isNull();
    }
}
