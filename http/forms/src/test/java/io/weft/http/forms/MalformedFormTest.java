package io.weft.http.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.http.model.HttpException;
import io.weft.http.model.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedFormTest {
    static final FormLimits LIMITS = new FormLimits(4, 40, 200, 300, 500, 900, 100);

    private static final String HEAD = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
    private static final String END = "\r\n--B--\r\n";

    /// The defect, and the body.
    record Vector(String defect, String body, Class<? extends DecoderException> error) {
        @Override
        public String toString() {
            return defect;
        }
    }

    private static final List<Vector> MULTIPART = new ArrayList<>();

    private static void bad(String defect, String body) {
        MULTIPART.add(new Vector(defect, body, FormException.class));
    }

    private static void cut(String defect, String body) {
        MULTIPART.add(new Vector(defect, body, PrematureEndException.class));
    }

    private static void long_(String defect, String body) {
        MULTIPART.add(new Vector(defect, body, LimitExceededException.class));
    }

    private static void disposition(String defect, String value) {
        header(defect, "Content-Disposition: " + value);
    }

    private static void header(String defect, String lines) {
        bad(defect, "--B\r\n" + lines + "\r\n\r\nx" + END);
    }

    private static void with(String defect, String line) {
        header(defect, "Content-Disposition: form-data; name=a\r\n" + line);
    }

    static {
        boundaries();
        ends();
        lines();
        dispositions();
        otherHeaders();
        limits();
    }

    private static void boundaries() {
        bad("LF behind the first boundary", HEAD.replace("--B\r\n", "--B\n") + "x" + END);
        bad("CR alone behind the first boundary", HEAD.replace("--B\r\n", "--B\r") + "x" + END);
        bad("text behind a boundary", HEAD.replace("--B", "--Bx") + "x" + END);
        bad("text behind blanks behind a boundary", HEAD.replace("--B", "--B x") + "x" + END);
        bad("a longer boundary in content", HEAD + "x\r\n--BB\r\ny" + END);
        bad("a longer boundary in quotes", HEAD + "x\r\n--B\"\r\ny" + END);
        bad("one hyphen behind a boundary", HEAD + "x\r\n--B-\r\n");
        bad("hyphen and text behind a boundary", HEAD + "x\r\n--B-x\r\n");
        bad("blank and hyphens behind a boundary", HEAD + "x\r\n--B --\r\n");
        bad("text behind the last boundary", HEAD + "x\r\n--B--x\r\n");
        bad("a third hyphen behind the last boundary", HEAD + "x\r\n--B---\r\n");
        bad("LF behind the last boundary", HEAD + "x\r\n--B--\n");
        bad("NUL behind a boundary", HEAD.replace("--B", "--B\0") + "x" + END);
        bad("a vertical tab behind a boundary", HEAD.replace("--B", "--B\u000b") + "x" + END);
        bad("a comment behind a boundary", HEAD.replace("--B", "--B (c)") + "x" + END);
        bad("two CRs behind a boundary", HEAD.replace("--B\r", "--B\r\r") + "x" + END);
        bad("a parameter behind a boundary", HEAD.replace("--B", "--B; a=b") + "x" + END);
    }

    private static void ends() {
        cut("nothing", "");
        cut("a line end", "\r\n");
        cut("hyphens", "--");
        cut("a boundary without an end of its line", "--B");
        cut("a boundary and CR", "--B\r");
        cut("a boundary and a line end", "--B\r\n");
        cut("a boundary and a hyphen", "--B-");
        cut("another boundary", HEAD.replace("--B", "--C") + "x\r\n--C--\r\n");
        cut("a boundary in another case", HEAD.replace("--B", "--b") + "x\r\n--b--\r\n");
        cut("a boundary with one hyphen", "-B\r\n\r\nx\r\n-B--\r\n");
        cut("half a header line", "--B\r\nContent-Disp");
        cut("a header line", "--B\r\nContent-Disposition: form-data; name=a\r\n");
        cut("a header line and CR", "--B\r\nContent-Disposition: form-data; name=a\r\n\r");
        cut("a header section", HEAD);
        cut("content", HEAD + "x");
        cut("content and CR", HEAD + "x\r");
        cut("content and a line end", HEAD + "x\r\n");
        cut("half a boundary", HEAD + "x\r\n--");
        cut("a boundary behind content", HEAD + "x\r\n--B");
        cut("a boundary and CR behind content", HEAD + "x\r\n--B\r");
        cut("a boundary and a line behind content", HEAD + "x\r\n--B\r\n");
        cut("one hyphen of the last boundary", HEAD + "x\r\n--B-");
        cut("CR behind the last boundary", HEAD + "x\r\n--B--\r");
        cut("a boundary behind LF", HEAD + "x\n--B--\r\n");
        cut("a boundary behind CR", HEAD + "x\r--B--\r\n");
        cut("a boundary in the middle of a line", HEAD + "x--B--\r\n");
        cut("a boundary behind a blank", HEAD + "x\r\n --B--\r\n");
        cut("a boundary without hyphens", HEAD + "x\r\nB\r\n");
    }

    private static void lines() {
        bad("an empty header section", "--B\r\n\r\nx" + END);
        header("LF in a header section", "Content-Disposition: form-data; name=a\nA: b");
        bad("LF at its end", "--B\r\nContent-Disposition: form-data; name=a\n\r\nx" + END);
        header("CR in a header line", "Content-Disposition: form-data;\r name=a");
        header("NUL in a header line", "Content-Disposition: form-data; name=a\0");
        header("a control in a header line", "Content-Disposition: form-data; name=\"a\u0001\"");
        header("DEL in a header line", "Content-Disposition: form-data; name=\"a\u007f\"");
        header("a folded line", "Content-Disposition: form-data;\r\n name=a");
        header("a line folded by a tab", "Content-Disposition: form-data;\r\n\tname=a");
        header("a blank before the first line", " Content-Disposition: form-data; name=a");
        header("a blank before the colon", "Content-Disposition : form-data; name=a");
        header("a line without a colon", "Content-Disposition form-data; name=a");
        header("a line without a name", ": form-data; name=a");
        header("a name with a blank", "Content Disposition: form-data; name=a");
        header("a name in quotes", "\"Content-Disposition\": form-data; name=a");
        with("a further line without a colon", "abc");
        with("a further line with a bad name", "a@b: c");
        with("a further line with NUL", "a: \0");
    }

    private static void dispositions() {
        header("no disposition", "Content-Type: text/plain");
        disposition("an empty disposition", "");
        disposition("an attachment", "attachment; name=a");
        disposition("a file", "file; filename=a");
        disposition("another word", "form-datax; name=a");
        disposition("no word", "; name=a");
        disposition("a comma", "form-data, name=a");
        disposition("no semicolon", "form-data name=a");
        disposition("no name", "form-data");
        disposition("a file without a name", "form-data; filename=\"a\"");
        disposition("a parameter without a value", "form-data; name");
        disposition("a parameter with an empty token", "form-data; name=");
        disposition("a parameter without a name", "form-data; =a");
        disposition("blanks before =", "form-data; name =a");
        disposition("blanks behind =", "form-data; name= a");
        disposition("a token with blanks", "form-data; name=a b");
        disposition("a token with a slash", "form-data; name=a/b");
        disposition("a token beyond ASCII", "form-data; name=\u00e4");
        disposition("single quotes", "form-data; name='a b'");
        disposition("an open quote", "form-data; name=\"a");
        disposition("an open quote behind a backslash", "form-data; name=\"a\\\"");
        disposition("text behind a quote", "form-data; name=\"a\"b");
        disposition("a quote in a token", "form-data; name=a\"b\"");
        disposition("two names", "form-data; name=a; name=b");
        disposition("two names in two cases", "form-data; name=a; NAME=b");
        disposition("a name in both forms", "form-data; name=a; name*=UTF-8''b");
        disposition("two file names", "form-data; name=a; filename=a; filename=b");
        disposition(
                "two extended names", "form-data; name=a; filename*=UTF-8''a; filename*=UTF-8''b");
        disposition("an extended name without quotes", "form-data; name=a; filename*=UTF-8");
        disposition("an extended name with one quote", "form-data; name=a; filename*=UTF-8'a");
        disposition("an unknown charset", "form-data; name=a; filename*=UTF-16''a");
        disposition("no charset", "form-data; name=a; filename*=''a");
        disposition("a bad escape", "form-data; name=a; filename*=UTF-8''%zz");
        disposition("half an escape", "form-data; name=a; filename*=UTF-8''a%4");
        disposition("a lone percent", "form-data; name=a; filename*=UTF-8''%");
        disposition("no UTF-8", "form-data; name=a; filename*=UTF-8''%ff");
        disposition("overlong UTF-8", "form-data; name=a; filename*=UTF-8''%c0%af");
        disposition("an encoded surrogate", "form-data; name=a; filename*=UTF-8''%ed%a0%80");
        disposition("two semicolons", "form-data;; name=a");
        header(
                "two dispositions",
                "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b");
    }

    private static void otherHeaders() {
        with("two types", "Content-Type: text/plain\r\nContent-Type: text/html");
        with("parts within a part", "Content-Type: multipart/mixed; boundary=C");
        with("parts within a part, in capitals", "CONTENT-TYPE: MULTIPART/MIXED; BOUNDARY=C");
        with("base64", "Content-Transfer-Encoding: base64");
        with("quoted-printable", "Content-Transfer-Encoding: quoted-printable");
        with("an unknown coding", "Content-Transfer-Encoding: x");
        with("an empty coding", "Content-Transfer-Encoding:");
        with("two codings", "Content-Transfer-Encoding: 8bit, base64");
    }

    private static void limits() {
        String part = HEAD + "x\r\n";
        long_("too many parts", part.repeat(5) + "--B--");
        long_("too long a name", HEAD.replace("\"a\"", "\"" + "a".repeat(41) + "\"") + "x" + END);
        long_(
                "too long a name of a file",
                HEAD.replace("\"a\"", "a; filename=" + "b".repeat(41)) + "x" + END);
        long_("too long a header section", "--B\r\nA: " + "b".repeat(200));
        long_("too many header lines", "--B\r\n" + "A: b\r\n".repeat(40));
        long_("too long a value", HEAD + "x".repeat(301) + END);
        long_("too long a value without an end", HEAD + "x".repeat(301));
        String file = HEAD.replace("\"a\"", "a; filename=b");
        long_("too long a file", file + "x".repeat(501) + END);
        long_("too long a form", (HEAD + "x".repeat(300) + "\r\n").repeat(4) + "--B--");
        long_("too long a preamble", "x".repeat(1025) + "\r\n" + part + "--B--");
        long_("too long an epilogue", part + "--B--\r\n" + "x".repeat(1025));
        long_("too many blanks behind a boundary", "--B" + " ".repeat(1025));
        long_("too many blanks behind the last one", part + "--B--" + "\t".repeat(1025));
    }

    static List<Vector> multipart() {
        return MULTIPART;
    }

    @ParameterizedTest
    @MethodSource("multipart")
    void multipartIsRefused(Vector vector) {
        FormDecoder decoder = FormDecoder.of(Decoded.TYPE, LIMITS);
        assertThatThrownBy(() -> Decoded.of(decoder, vector.body()))
                .isExactlyInstanceOf(vector.error())
                .hasMessageContaining("expected: ");
    }

    static List<Vector> urlencoded() {
        Class<? extends DecoderException> error = LimitExceededException.class;
        return List.of(
                new Vector("too many fields", "a=1&b=2&c=3&d=4&e=5", error),
                new Vector("too many fields without values", "a&b&c&d&e", error),
                new Vector("too many fields without names", "=&=&=&=&=", error),
                new Vector("too long a name", "a".repeat(41) + "=", error),
                new Vector("too long a name without an end", "a".repeat(41), error),
                new Vector("too long an encoded name", "%41".repeat(41) + "=", error),
                new Vector("too long a name of percents", "%".repeat(41), error),
                new Vector("too long a value", "a=" + "x".repeat(301), error),
                new Vector("too long an encoded value", "a=" + "%41".repeat(301), error),
                new Vector("too long a value of blanks", "a=" + "+".repeat(301) + "&b=1", error),
                new Vector("too long a form", ("a=" + "x".repeat(300) + "&").repeat(4), error));
    }

    @ParameterizedTest
    @MethodSource("urlencoded")
    void urlencodedIsRefused(Vector vector) {
        FormDecoder decoder = FormDecoder.of(FormBody.URLENCODED, LIMITS);
        assertThatThrownBy(() -> Decoded.of(decoder, vector.body()))
                .isExactlyInstanceOf(vector.error());
    }

    static Stream<String> contentTypes() {
        return Stream.of(
                "multipart/form-data",
                "multipart/form-data;",
                "multipart/form-data; boundary",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a",
                "multipart/form-data; boundary=a b",
                "multipart/form-data; boundary= a",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=\"a\u00e4\"",
                "multipart/form-data; boundary=\"a\tb\"",
                "multipart/form-data; boundary=\"a*b\"",
                "multipart/form-data; boundary=gc0pJq0M:08jU534c0p",
                "multipart/form-data; boundary=a, multipart/form-data; boundary=b",
                "multipart/form-data; boundary=a; boundary=b",
                "multipart/form-data; boundary=a; Boundary=a",
                "multipart/form-data; x=\"boundary=a\"",
                "multipart/form-data; boundary=" + "a".repeat(71));
    }

    @ParameterizedTest
    @MethodSource("contentTypes")
    void aBoundaryThatIsNoneIsRefused(String contentType) {
        assertThatThrownBy(() -> FormDecoder.of(contentType, LIMITS))
                .isInstanceOfSatisfying(
                        HttpException.class,
                        e -> assertThat(e.status()).isSameAs(Status.BAD_REQUEST));
    }
}
