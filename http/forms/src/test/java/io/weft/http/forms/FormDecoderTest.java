package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.HttpException;
import io.weft.http.model.Status;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FormDecoderTest {
    private static String utf8(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static String part(String disposition, String content) {
        return "--B\r\nContent-Disposition: "
                + utf8(disposition)
                + "\r\n\r\n"
                + content
                + "\r\n--B--\r\n";
    }

    static Stream<String[]> dispositions() {
        return Stream.of(
                new String[] {"form-data; name=\"a\"", "a"},
                new String[] {"form-data; name=a", "a"},
                new String[] {"form-data;name=\"a\"", "a"},
                new String[] {"FORM-DATA; NAME=\"a\"; FileName=b", "a|b"},
                new String[] {"form-data; name=\"a\";", "a"},
                new String[] {"form-data; name=\"a\" ; filename=\"b.c\" ", "a|b.c"},
                new String[] {"form-data; name=\"\"", ""},
                new String[] {"form-data; name=\"a\"; filename=\"\"", "a|"},
                new String[] {"form-data; name=\"a;b=c\"", "a;b=c"},
                new String[] {"form-data; name=\"ä\"; filename=\"日本.txt\"", "ä|日本.txt"},
                new String[] {"form-data; name=\"a\"; filename=\"a\\\"b\"", "a|a\"b"},
                new String[] {"form-data; name=\"a\"; filename=\"a%22b\"", "a|a\"b"},
                new String[] {"form-data; name=\"a%0D%0Ab\"", "a\r\nb"},
                new String[] {"form-data; name=\"a\"; filename=\"a\\\\b\"", "a|a\\b"},
                new String[] {"form-data; name=\"a\"; filename=\"C:\\dir\\b\"", "a|C:\\dir\\b"},
                new String[] {"form-data; name=\"a\"; filename*=UTF-8''%e2%82%ac%20x", "a|€ x"},
                new String[] {"form-data; name=\"a\"; filename*=utf-8'en'x; filename=y", "a|x"},
                new String[] {"form-data; name=\"a\"; filename*=iso-8859-1''%a3", "a|£"},
                new String[] {"form-data; name*=utf-8''%C3%A4", "ä"},
                new String[] {"form-data; foo=bar; name=a", "a"},
                new String[] {"form-data; name=\"100% %41\"", "100% %41"});
    }

    @ParameterizedTest
    @MethodSource("dispositions")
    void namesAreRead(String disposition, String expected) {
        assertThat(Decoded.of(Decoded.TYPE, part(disposition, "x"))).isEqualTo(expected + "=x;");
    }

    static Stream<String> contents() {
        return Stream.of(
                "",
                "\r",
                "\n",
                "\r\n",
                "\r\n\r\n",
                "-",
                "--",
                "\r\n-",
                "\r\n--",
                "\r\n--A",
                "\r\r\n--A",
                "\r\n\r\n--A",
                "--B",
                "--B--",
                "\n--B",
                "\r--B",
                "x\r\n--b--",
                "\0\377");
    }

    @ParameterizedTest
    @MethodSource("contents")
    void contentThatIsAlmostABoundaryStays(String content) {
        if (content.startsWith("--B")) {
            return; // behind the empty line that is a boundary
        }
        assertThat(Decoded.of(Decoded.TYPE, part("form-data; name=a", content)))
                .isEqualTo("a=" + content + ";");
    }

    @Test
    void aBoundaryBehindTheEmptyLineEndsAPartWithoutContent() {
        assertThat(
                        Decoded.of(
                                Decoded.TYPE,
                                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n--B--"))
                .isEqualTo("a=;");
    }

    @Test
    void theExampleOfRfc2388IsReadExceptForPartsWithinParts() {
        String body =
                String.join(
                        "\r\n",
                        "--AaB03x",
                        "content-disposition: form-data; name=\"field1\"",
                        "content-type: text/plain;charset=windows-1250",
                        "content-transfer-encoding: 8bit",
                        "",
                        "Joe owes",
                        "--AaB03x",
                        "content-disposition: form-data; name=\"pics\"; filename=\"file1.txt\"",
                        "Content-Type: text/plain",
                        "",
                        " ... contents of file1.txt ...",
                        "--AaB03x--",
                        "");
        assertThat(Decoded.of("multipart/form-data; boundary=AaB03x", body))
                .isEqualTo(
                        "field1|text/plain;charset=windows-1250=Joe owes;"
                                + "pics|file1.txt|text/plain= ... contents of file1.txt ...;");
    }

    static Stream<String> boundaries() {
        return Stream.of(
                "Multipart/Form-Data; boundary=B",
                "multipart/form-data;boundary=\"B\"",
                "multipart/form-data; charset=utf-8; boundary=B",
                "multipart/form-data ; BOUNDARY=B;",
                "multipart/form-data; boundary=\"\\B\"".replace("\\", ""));
    }

    @ParameterizedTest
    @MethodSource("boundaries")
    void boundariesAreRead(String contentType) {
        assertThat(Decoded.of(contentType, part("form-data; name=a", "x"))).isEqualTo("a=x;");
    }

    @Test
    void aBoundaryMayHaveAllItsCharacters() {
        String boundary = "'()+_,-./:=? a";
        assertThat(
                        Decoded.of(
                                "multipart/form-data; boundary=\"" + boundary + '"',
                                part("form-data; name=a", "x").replace("--B", "--" + boundary)))
                .isEqualTo("a=x;");
    }

    static Stream<String[]> urlencoded() {
        // WHATWG URL, 5.1, and the cases of web-platform-tests.
        return Stream.of(
                new String[] {"", ""},
                new String[] {"test", "test=;"},
                new String[] {"a&b&c", "a=;b=;c=;"},
                new String[] {"foo=bar&foo=baz", "foo=bar;foo=baz;"},
                new String[] {"&&a=1&&", "a=1;"},
                new String[] {"=", "=;"},
                new String[] {"=x", "=x;"},
                new String[] {"a=b=c", "a=b=c;"},
                new String[] {"a+b=c+d", "a b=c d;"},
                new String[] {"a=%26%3d%2B", "a=&=+;"},
                new String[] {"%61=%41", "a=A;"},
                new String[] {"a=%", "a=%;"},
                new String[] {"a=%4&b=%4x", "a=%4;b=%4x;"},
                new String[] {"a=%%41", "a=%A;"},
                new String[] {"a=%zz%", "a=%zz%;"},
                new String[] {"%=%&%4=", "%=%;%4=;"},
                new String[] {"a;b=c", "a;b=c;"},
                new String[] {"a=b\r\n", "a=b\r\n;"},
                new String[] {"a=%00", "a=\0;"},
                new String[] {"%FE%FF=1", "\ufffd\ufffd=1;"},
                new String[] {"a=\u00e4", "a=\u00e4;"});
    }

    @ParameterizedTest
    @MethodSource("urlencoded")
    void urlencodedFormsAreRead(String body, String expected) {
        assertThat(Decoded.of(FormBody.URLENCODED + "; charset=UTF-8", body)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("otherTypes")
    void otherTypesAreNotSupported(String contentType) {
        assertThatThrownBy(() -> FormDecoder.of(contentType, FormLimits.DEFAULT))
                .isInstanceOfSatisfying(
                        HttpException.class,
                        e -> assertThat(e.status()).isSameAs(Status.UNSUPPORTED_MEDIA_TYPE));
    }

    static Stream<String> otherTypes() {
        return Stream.of("", "text/plain", "multipart/mixed; boundary=B", "application/json");
    }
}
