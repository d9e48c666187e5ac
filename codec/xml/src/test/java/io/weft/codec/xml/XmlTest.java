package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTest {
    static final XmlLimits SMALL = new XmlLimits(4, 3, 20, 60, 80, 200, 1_000);

    @Test
    void streamOfStanzasIsRead() {
        assertThat(
                        Events.decode(
                                XmlLimits.DEFAULT,
                                "<?xml version='1.0'?><stream:stream xmlns='jabber:client' "
                                        + "xmlns:stream='s' to='a'><message><body>1 &lt; 2"
                                        + "<![CDATA[ & <3>]]>&#x21;</body></message> </stream:stream>"))
                .containsExactly(
                        "xml 1.0 null",
                        "<{s}stream:stream ns:=jabber:client ns:stream=s to=a",
                        "<{jabber:client}message",
                        "<{jabber:client}body",
                        "text 1 < 2 & <3>!",
                        "/{jabber:client}body",
                        "/{jabber:client}message",
                        "text  ",
                        "/{s}stream:stream");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a><a/>",
                "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
                "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
                "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://localhost/x'> %p;]><a/>",
                "<!DOCTYPE l [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><l>&b;</l>",
                "<a>&x;</a>",
                "<a b='&x;'/>",
                "<a b='1' b='2'/>",
                "<a></b></a>",
                "<a><b></a></b>",
                "<p:a/>",
                "<a p:b='1'/>",
                "<a b='<'/>",
                "<a>\u0001</a>",
                "<a>&#0;</a>",
                "<a>&#xFFFF;</a>",
                "<a/><b/>",
                "<a/>text",
                "text",
                "<a><!-- -- --></a>",
                "<?xml version='1.0' encoding='UTF-16'?><a/>",
                "<?xml version='2.0'?><a/>",
                "<a xmlns:p=''/>",
            })
    void documentIsRefused(String document) {
        assertThat(Events.decode(XmlLimits.DEFAULT, document).getLast())
                .startsWith("! XmlException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "<a>", "<a", "<a/><!--", "<?xml version='1.0'?>"})
    void unfinishedDocumentIsPremature(String document) {
        assertThat(Events.decode(XmlLimits.DEFAULT, document).getLast())
                .startsWith("! PrematureEndException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a><a><a><a><a/></a></a></a></a>",
                "<a b='' c='' d='' e=''/>",
                "<a b='' c='' d='' xmlns:x='y'/>",
                "<abcdefghijklmnopqrstu/>",
                "<a xmlns='abcdefghijklmnopqrstu'/>",
                "<a b='1234567890123456789012345678901234567890123456789012345678901234567890'/>",
                "<a>1234567890123456789012345678901234567890123456789012345678901234567890</a>",
                "<a>12345678901234567890<![CDATA[12345678901234567890123456789]]>12345678901234567"
                        + "<![CDATA[12345678901234567890123456789]]></a>",
            })
    void limitsHold(String document) {
        assertThat(Events.decode(SMALL, document).getLast()).startsWith("! LimitExceededException");
    }

    @Test
    void stanzaIsLimitedAndTheStreamInAll() {
        String stanza = "<s>" + "<t>1234567890</t>".repeat(10) + "</s>";
        assertThat(Events.decode(SMALL, "<r>" + stanza.repeat(4) + "</r>").getLast())
                .isEqualTo("/r");
        String longer = "<s>" + "<t>1234567890</t>".repeat(20) + "</s>";
        assertThat(Events.decode(SMALL, "<r>" + longer + "</r>").getLast())
                .contains("characters of a stanza");
        assertThat(Events.decode(SMALL, "<r>" + stanza.repeat(6) + "</r>").getLast())
                .contains("bytes: 1001");
    }

    @Test
    void encodedTextsAreNoTags() {
        byte[] wire =
                Events.encode(
                        new XmlEvent.Declaration("1.0", "utf-8"),
                        new XmlEvent.StartElement(
                                new XmlName("u", "p", "a"),
                                List.of(XmlAttribute.of("b", "\"'<&>\n\t\r é")),
                                List.of(new XmlNamespace("p", "u"))),
                        new XmlEvent.Text("</p:a><b>&amp;]]>\r\n😀"),
                        new XmlEvent.Comment("c"),
                        new XmlEvent.EndElement(new XmlName("u", "p", "a")));
        assertThat(Events.decode(XmlLimits.DEFAULT, new String(wire, UTF_8)))
                .containsExactly(
                        "xml 1.0 UTF-8",
                        "<{u}p:a ns:p=u b=\"'<&>\n\t\r é",
                        "text </p:a><b>&amp;]]>\r\n😀",
                        "comment c",
                        "/{u}p:a");
    }

    @Test
    void invalidPartsAreRefused() {
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> attempts =
                List.of(
                        () -> XmlName.of("a b"),
                        () -> XmlName.of("a:b"),
                        () -> XmlName.of(""),
                        () -> XmlName.of("1"),
                        () -> XmlName.of("a><b"),
                        () -> new XmlEvent.Text("\0"),
                        () -> new XmlEvent.Text("\ud800"),
                        () -> XmlAttribute.of("a", "\u0001"),
                        () -> new XmlEvent.Comment("a--b"),
                        () -> new XmlEvent.Comment("a-"),
                        () -> new XmlEvent.Instruction("a", "?>"),
                        () -> new XmlEvent.Instruction("XML", ""),
                        () -> new XmlEvent.Declaration("1.0", "UTF-16"),
                        () ->
                                Events.encode(
                                        XmlEvent.StartElement.of(
                                                XmlName.of("a"),
                                                XmlAttribute.of("b", ""),
                                                XmlAttribute.of("b", ""))));
        attempts.forEach(a -> assertThatThrownBy(a).isInstanceOf(IllegalArgumentException.class));
    }
}
