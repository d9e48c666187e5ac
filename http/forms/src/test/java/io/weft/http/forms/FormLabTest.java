package io.weft.http.forms;

import io.weft.codec.DecoderException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

class FormLabTest implements CodecLab {
    private static final String PART =
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n";
    private static final String FILE =
            String.join(
                    "\r\n",
                    "--B",
                    "Content-Disposition: form-data; name=\"f\"; filename=\"f.bin\"",
                    "Content-Type: application/octet-stream",
                    "",
                    "");

    private static Subject subject(String name, String type, FormLimits limits) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            FormDecoder d = FormDecoder.of(type, limits);
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Decoded::describe);
    }

    /// A form that is cut off is another form, which tests of the decoder see: here the end of the
    /// input adds nothing.
    private static Subject urlencoded(String name, FormLimits limits) {
        return subject(name, FormBody.URLENCODED, limits)
                .decoder(
                        () -> {
                            FormDecoder d = FormDecoder.of(FormBody.URLENCODED, limits);
                            return Machine.of(d::decode, _ -> d.end(Decoded::describe), d::close);
                        },
                        DecoderException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(FormBody form) {
        try {
            return form.body().asInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Subject> subjects() {
        return List.of(multipart(), large(), urlencoded(), values());
    }

    private static Subject multipart() {
        Subject subject = subject("multipart", Decoded.TYPE, MalformedFormTest.LIMITS);
        for (MalformedFormTest.Vector bad : MalformedFormTest.multipart()) {
            subject.refuses(bad.defect(), bad.body(), bad.error());
        }
        return subject.sample(PART + "--B--\r\n")
                .sample("--B--")
                .sample("\r\n" + PART + FILE + "\0\377\r\n-\r\n--\r\n--A\r\r\n--B-- \r\nepilogue")
                .sample("preamble\r\n" + FILE + "\r\n--B \t\r\n" + PART.substring(5) + "--B--")
                .sample(FILE + "--B--\r\n");
    }

    /// Without limits in the way: content and its near misses of a boundary.
    private static Subject large() {
        return subject("multipart-large", Decoded.TYPE, FormLimits.DEFAULT)
                .sample(FILE + "--B--")
                .endless(n -> bytes(FILE + "x".repeat(n)))
                .endless(n -> bytes(FILE + "\r".repeat(n)))
                .endless(n -> bytes(FILE + "\r\n-".repeat(n / 3)))
                .endless(n -> bytes(FILE + "\r\n--".repeat(n / 4)));
    }

    private static Subject urlencoded() {
        Subject subject = urlencoded("urlencoded", MalformedFormTest.LIMITS);
        for (MalformedFormTest.Vector bad : MalformedFormTest.urlencoded()) {
            subject.refuses(bad.defect(), bad.body(), bad.error());
        }
        return subject.sample("a=1&b=2+3&c=%C3%A4&")
                .sample("&&a&&=b&%zz=%4&d=%&")
                .sample("a=b%&%4=%4&%%41=\377&")
                .roundTrip(
                        () -> bytes(FormBody.urlencoded().field("a b", "1&2").build()),
                        "a b=",
                        Subject.PIECE + "1&2")
                .injection(text -> bytes(FormBody.urlencoded().field(text, text).build()));
    }

    private static Subject values() {
        return urlencoded("urlencoded-large", FormLimits.DEFAULT)
                .sample("a=1&")
                .endless(n -> bytes("a=" + "x".repeat(n)))
                .endless(n -> bytes("a=" + "%".repeat(n)))
                .endless(n -> bytes("a=" + "%41".repeat(n / 3)))
                .endless(n -> bytes("&".repeat(n)));
    }
}
