package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParametersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "a=1&b=2>a:1 b:2",
                "a=1&a=2>a:1 a:2",
                "a>a:",
                "a=>a:",
                "=x>:x",
                "&&a=1&>a:1",
                "a=b=c>a:b=c",
                "a;b=1>a;b:1",
                "a+b=c%2Bd>a b:c+d",
                "%e2%82%ac=%F0%9F%98%80>\u20ac:\ud83d\ude00",
                "a=%>a:%",
                "a=%4>a:%4",
                "a=%zz>a:%zz",
                "a=%ff>a:\ufffd",
                "a=%26%3D>a:&=",
                "\u20ac=\ud83d\ude00+>\u20ac:\ud83d\ude00 "
            },
            ignoreLeadingAndTrailingWhitespace = false)
    void decodes(String text, String expected) {
        StringBuilder found = new StringBuilder();
        for (Parameters.Parameter p : Parameters.parse(text, 10)) {
            found.append(found.isEmpty() ? "" : " ").append(p.name()).append(':').append(p.value());
        }
        assertThat(found).hasToString(expected);
    }

    @Test
    void looksUpByName() {
        Parameters parameters = Parameters.parse("a=1&b=2&a=3", 3);
        assertThat(parameters.first("a")).isEqualTo("1");
        assertThat(parameters.all("a")).containsExactly("1", "3");
        assertThat(parameters.first("c")).isNull();
        assertThat(parameters.contains("b")).isTrue();
        assertThat(parameters).hasToString("[a, b, a]");
        assertThatThrownBy(() -> Parameters.parse("a=1&b=2&a=3", 2))
                .isInstanceOfSatisfying(
                        HttpException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.BAD_REQUEST));
    }

    @Test
    void segmentsOfAPathAreDecodedOneByOne() {
        assertThat(RequestTarget.of("/a/b%2Fc/?x/y").segments()).isEqualTo(List.of("a", "b/c", ""));
        assertThat(RequestTarget.of("/").segments()).isEmpty();
        assertThat(RequestTarget.of("//").segments()).isEqualTo(List.of("", ""));
    }

    @Test
    void aProblemIsJson() {
        Response problem = Response.problem(Status.NOT_FOUND, "</script>\n\u0001\u2028\\");
        assertThat(problem.body().asString())
                .isEqualTo(
                        "{\"title\":\"Not Found\",\"status\":404,\"detail\":"
                                + "\"\\u003c/script>\\n\\u0001\\u2028\\\\\"}");
    }
}
