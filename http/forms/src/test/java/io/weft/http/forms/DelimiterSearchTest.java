package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.forms.FormEvent.PartData;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Content that looks much like the delimiter behind it.
class DelimiterSearchTest {
    private static final String[] BOUNDARIES = {
        "a", "aa", "-", "--a", "aba", "abaabaab", "a-a--a", "a b", "x".repeat(70)
    };

    private static final String ALPHABET = "\r\r\n\n--abx ";
    private static final int CONTENTS = 3000;

    private static String decoded(String boundary, String body, SplittableRandom cuts) {
        StringBuilder content = new StringBuilder();
        String type = "multipart/form-data; boundary=\"" + boundary + '"';
        byte[] bytes = body.getBytes(ISO_8859_1);
        try (FormDecoder decoder = FormDecoder.of(type, FormLimits.DEFAULT);
                Buffer in = BufferAllocator.pooled().allocate(bytes.length)) {
            int at = 0;
            while (at < bytes.length) {
                int length = Math.min(1 + cuts.nextInt(2 * bytes.length), bytes.length - at);
                in.writeBytes(bytes, at, length);
                at += length;
                decoder.decode(in, event -> append(content, event));
            }
            decoder.end(event -> append(content, event));
        }
        return content.toString();
    }

    private static void append(StringBuilder content, FormEvent event) {
        if (event instanceof PartData(Buffer bytes)) {
            try (bytes) {
                content.append(bytes.readString(ISO_8859_1));
            }
        }
    }

    private static String content(String boundary, SplittableRandom random) {
        StringBuilder content = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    String delimiter = "\r\n--" + boundary;
                    int from = random.nextInt(delimiter.length());
                    content.append(delimiter, from, delimiter.length());
                }
                case 1 -> {
                    String delimiter = "\r\n--" + boundary;
                    content.append(delimiter, 0, random.nextInt(delimiter.length()));
                }
                default -> content.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
        }
        return content.toString();
    }

    @Test
    void contentEndsWhereItsDelimiterBegins() {
        SplittableRandom random = new SplittableRandom(20_261_123);
        int tried = 0;
        for (String boundary : BOUNDARIES) {
            String delimiter = "\r\n--" + boundary;
            for (int i = 0; i < CONTENTS; i++) {
                String content = content(boundary, random);
                if (("\r\n" + content + delimiter).indexOf(delimiter) != content.length() + 2) {
                    continue; // that is two parts
                }
                String body =
                        "--"
                                + boundary
                                + "\r\nContent-Disposition: form-data; name=a\r\n\r\n"
                                + content
                                + delimiter
                                + "--\r\n";
                assertThat(decoded(boundary, body, random)).as(boundary).isEqualTo(content);
                tried++;
            }
        }
        assertThat(tried).isGreaterThan(BOUNDARIES.length * CONTENTS / 3);
    }
}
