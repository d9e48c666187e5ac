package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTest {
    static final XmlLimits SMALL = new XmlLimits(4, 3, 20, 12, 60, 80, 600, 1_000);

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
    @CsvSource(
            delimiter = '|',
            value = {
                "<?xml version='1.0' encoding='latin1'?><a/> | "
                        + "encoding: \"latin1\" (expected: UTF-8 or US-ASCII)",
                "<?xml version='1.9'?><a/> | version: \"1.9\" (expected: 1.0 or 1.1)",
                "<1a/> | name: \"1a\" (expected: a name of XML without a colon)",
                "<a x:1='' xmlns:x='u'/> | name: \"1\" (expected: a name of XML without a colon)",
            })
    void whatIsWrongIsTold(String document, String message) {
        assertThat(Events.decode(XmlLimits.DEFAULT, document).getLast())
                .startsWith("! XmlException")
                .endsWith(message);
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
                "<a xmlns:xml='u'/>",
                "<a xmlns:xmlns='u'/>",
                "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
                "<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
                "<xmlns:a/>",
                "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
                "<:a/>",
                "<a:/>",
                "<a:b:c xmlns:a='u'/>",
                "<a b='1'c='2'/>",
                "<a></ a>",
                "<a><?p:q x?></a>",
                "<a><?XmL x?></a>",
                " <?xml version='1.0'?><a/>",
                "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>",
                "<?xml version='1.0' encoding='US-ASCII'?><a>é</a>",
                "<a>]]></a>",
                "<a>&lt</a>",
                "<a>&#xD800;</a>",
                "<a b='\uFFFE'/>",
                "\ufeff\ufeff<a/>",
                "<a/>\ufeff",
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
                "<a>123456789012345678901234567890123456789012345678901234567890123456789012345678901</a>",
                "<a><!--123456789012345678901234567890123456789012345678901234567890--></a>",
                "<a><?p 123456789012345678901234567890123456789012345678901234567890?></a>",
                "<a><b/><c/><d/><e/><f/><g/><h/><i/><j/><k/><l/><m/><n/></a>",
                "<a>12345678901234567890<![CDATA[12345678901234567890123456789]]>12345678901234567"
                        + "<![CDATA[12345678901234567890123456789]]></a>",
            })
    void limitsHold(String document) {
        assertThat(Events.decode(SMALL, document).getLast()).startsWith("! LimitExceededException");
    }

    @Test
    void stanzaIsLimitedAndTheStreamInAll() {
        String stanza = "<s>" + "<t>1234567890</t>".repeat(9) + "</s>";
        assertThat(Events.decode(SMALL, "<r>" + stanza.repeat(4) + "</r>").getLast())
                .isEqualTo("/r");
        String longer = "<s>" + "<t>1234567890</t>".repeat(20) + "</s>";
        assertThat(Events.decode(SMALL, "<r>" + longer + "</r>").getLast())
                .contains("characters of a stanza");
        assertThat(Events.decode(SMALL, "<r>" + stanza.repeat(7) + "</r>").getLast())
                .contains("bytes: 1001");
    }

    @Test
    void namesAreLimitedInAllPlaces() {
        for (String form : List.of("<a%d/>", "<a b%d=''/>", "<?a%d?>", "<a xmlns:p%d='u'/>")) {
            String children =
                    IntStream.range(0, 1_100).mapToObj(form::formatted).collect(joining());
            assertThat(Events.decode(XmlLimits.DEFAULT, "<r>" + children + "</r>").getLast())
                    .as(form)
                    .startsWith("! LimitExceededException: different names: 1025");
        }
        String uris =
                IntStream.range(0, 1_100).mapToObj("<a xmlns='%d'/>"::formatted).collect(joining());
        assertThat(Events.decode(XmlLimits.DEFAULT, "<r>" + uris + "</r>").getLast())
                .startsWith("! LimitExceededException: different names");
    }

    @Test
    void shortElementsCountForWhatTheyTake() {
        String many = "<a b=''/>".repeat(100_000);
        assertThat(Events.decode(XmlLimits.DEFAULT, "<r><s>" + many + "</s></r>").getLast())
                .startsWith("! LimitExceededException: characters of a stanza");
    }

    @Test
    void byteOrderMarkIsNoText() {
        assertThat(Events.decode(XmlLimits.DEFAULT, "\ufeff<?xml version='1.0'?><a>\ufeff</a>"))
                .containsExactly("xml 1.0 null", "<a", "text \ufeff", "/a");
    }

    @Test
    void inclusionsArePlainElements() {
        assertThat(
                        Events.decode(
                                XmlLimits.DEFAULT,
                                "<i:include xmlns:i='http://www.w3.org/2001/XInclude' href='file:///x'/>"))
                .hasSize(2);
    }

    @Test
    void lineEndsAndValuesAreNormalized() {
        assertThat(
                        Events.decode(
                                XmlLimits.DEFAULT,
                                "<a b='x\r\ny\tz&#10;w'>1\r\n2\r3&#13;<![CDATA[\r\n]]></a>"))
                .containsExactly("<a b=x y z\nw", "text 1\n2\n3\r\n", "/a");
    }

    @Test
    void namespacesHoldWithinTheirElement() {
        assertThat(
                        Events.decode(
                                XmlLimits.DEFAULT,
                                "<a xmlns='u' xmlns:p='v' xmlns:q='v'><p:b p:c='' c=''>"
                                        + "<d xmlns='' xmlns:p='w'><p:e/></d></p:b><q:f/></a>"))
                .containsExactly(
                        "<{u}a ns:=u ns:p=v ns:q=v",
                        "<{v}p:b {v}p:c= c=",
                        "<d ns:= ns:p=w",
                        "<{w}p:e",
                        "/{w}p:e",
                        "/d",
                        "/{v}p:b",
                        "<{v}q:f",
                        "/{v}q:f",
                        "/{u}a");
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
                        () -> Events.encode(new XmlEvent.Text("\0")),
                        () -> Events.encode(new XmlEvent.Text("\ud800")),
                        () ->
                                Events.encode(
                                        XmlEvent.StartElement.of(
                                                XmlName.of("a"), XmlAttribute.of("b", "\u0001"))),
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
