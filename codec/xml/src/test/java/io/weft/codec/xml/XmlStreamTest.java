package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.codec.Decoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class XmlStreamTest {
    private static List<XmlStream> decode(String stream) {
        List<XmlStream> all = new ArrayList<>();
        try (Decoder<XmlStream> decoder = new XmlDecoder().then(new XmlStreamDecoder());
                Buffer in = Events.buffer(stream.getBytes(UTF_8))) {
            decoder.decode(in, all::add);
        }
        return all;
    }

    @Test
    void childrenOfTheRootAreStanzas() {
        List<XmlStream> got =
                decode(
                        "<?xml version='1.0'?><s to='x'> <m a='1'><b>t<i>x</i>u</b><b>2</b></m>\n"
                                + "<p/></s>");
        assertThat(got).hasSize(4);
        assertThat(((XmlStream.Opened) got.get(0)).root().attribute("to")).isEqualTo("x");
        XmlStream.Stanza stanza = (XmlStream.Stanza) got.get(1);
        assertThat(stanza.element().attribute("a")).isEqualTo("1");
        assertThat(stanza.childText("b")).isEqualTo("tu");
        assertThat(stanza.childText("i")).isNull();
        assertThat(stanza.events()).hasSize(12);
        assertThat(((XmlStream.Stanza) got.get(2)).element().name().local()).isEqualTo("p");
        assertThat(got.get(3)).isEqualTo(new XmlStream.Closed());
    }

    @Test
    void restrictedPartsAreRefused() {
        for (String bad :
                List.of("<s>text<m/>", "<s><!-- c --><m/>", "<s><?pi x?><m/>", "<s>\u2003<m/>")) {
            assertThatThrownBy(() -> decode(bad)).isInstanceOf(XmlException.class);
        }
    }

    /// RFC 6120, 4.9.3.18.
    @Test
    void restrictedPartsAreToldFromMalformedOnes() {
        for (String bad :
                List.of("<!DOCTYPE s>", "<s><!-- c -->", "<s><?pi x?>", "<s><m>&a;</m>")) {
            assertThat(restricted(bad)).as(bad).isTrue();
        }
        for (String bad : List.of("<s>text<m/>", "<s></t>", "<s><!X", "<s><m>&#0;</m>")) {
            assertThat(restricted(bad)).as(bad).isFalse();
        }
    }

    private static boolean restricted(String stream) {
        try {
            decode(stream);
        } catch (XmlException e) {
            return e.isRestricted();
        }
        throw new AssertionError(stream + ": taken");
    }
}
