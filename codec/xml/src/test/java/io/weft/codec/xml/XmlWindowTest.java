package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Input that is larger than what the decoder copies at a time.
class XmlWindowTest {
    private static final String LONG = "0123456789abcde ".repeat(1_250);

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 8_192, 8_191, 1_000})
    void tokensAndTextsOfSeveralWindowsAreWhole(int piece) {
        String document =
                "<a b='"
                        + LONG
                        + "'>"
                        + LONG
                        + "é&amp;"
                        + LONG
                        + "<!--"
                        + LONG
                        + "--><?p "
                        + LONG
                        + "?><c d='&lt;"
                        + LONG
                        + "'/></a>";
        assertThat(decode(document, piece))
                .containsExactly(
                        "<a b=" + LONG,
                        "text " + LONG + "é&" + LONG,
                        "comment " + LONG,
                        "pi p " + LONG,
                        "<c d=<" + LONG,
                        "/c",
                        "/a");
    }

    @Test
    void inputThatTakesThePlaceOfEarlierInputIsRead() {
        List<String> events = new ArrayList<>();
        try (XmlDecoder decoder = new XmlDecoder();
                Buffer in = Events.buffer("<a>first".getBytes(UTF_8))) {
            decoder.decode(in, e -> events.add(Events.describe(e)));
            for (String next : List.of("<b>other", "</b></a>")) {
                in.readOffset(0).writeOffset(0).writeBytes(next.getBytes(UTF_8));
                decoder.decode(in, e -> events.add(Events.describe(e)));
            }
        }
        assertThat(events).containsExactly("<a", "text first", "<b", "text other", "/b", "/a");
    }

    private static List<String> decode(String document, int piece) {
        List<String> events = new ArrayList<>();
        byte[] bytes = document.getBytes(UTF_8);
        try (XmlDecoder decoder = new XmlDecoder();
                Buffer in = Events.buffer(bytes)) {
            for (int to = 0; to < bytes.length; ) {
                to = (int) Math.min(bytes.length, (long) to + piece);
                in.writeOffset(to);
                decoder.decode(in, e -> events.add(Events.describe(e)));
            }
            decoder.end(e -> events.add(Events.describe(e)));
        }
        return events;
    }
}
