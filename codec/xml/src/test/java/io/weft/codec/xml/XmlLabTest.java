package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class XmlLabTest implements CodecLab {
    private static final XmlLimits LIMITS =
            new XmlLimits(8, 8, 64, 64, 16_384, 1 << 20, 1 << 20, 1 << 20);

    @Override
    public List<Subject> subjects() {
        return List.of(
                Subject.named("xml-frame")
                        .decoder(
                                () -> {
                                    XmlFrameDecoder d = new XmlFrameDecoder(1 << 20);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .sample("<?xml version='1.0'?>\n<a b='>'>x<b/></a> <c/>")
                        .sample("<a><![CDATA[</a>]]></a><!-- x --><b/>")
                        .refuses("a document type", "<!DOCTYPE a><a/>", XmlException.class)
                        .refuses("half", "<a><b/>", PrematureEndException.class)
                        .endless(n -> ("<a>" + "<b/>".repeat(n / 4)).getBytes(US_ASCII))
                        .endless(n -> "<b/>".repeat(n / 4).getBytes(US_ASCII))
                        .endless(n -> " ".repeat(n).getBytes(US_ASCII)),
                Subject.named("xml")
                        .decoder(
                                () -> {
                                    XmlDecoder d = new XmlDecoder(LIMITS);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(Events::describe)
                        .sample("<?xml version='1.0' encoding='UTF-8'?>\n<a b='c'>text</a>\n")
                        .sample(
                                "<p:a xmlns:p='u' p:b=\"1&amp;2\"><!-- c --><?pi data?><p:b/></p:a>")
                        .sample("<a>1 &lt; 2 <![CDATA[<b>]]>&#x41;<b>&#233;</b>\r\n</a> <!--x-->")
                        .refuses("a document type", "<!DOCTYPE a><a/>", XmlException.class)
                        .refuses("an entity", "<a>&x;</a>", XmlException.class)
                        .refuses("depth", "<a>".repeat(9), LimitExceededException.class)
                        .refuses("half", "<a><b>", PrematureEndException.class)
                        .roundTrip(
                                () ->
                                        Events.encode(
                                                XmlEvent.StartElement.of(
                                                        XmlName.of("a"),
                                                        XmlAttribute.of("b", "\"<")),
                                                new XmlEvent.Text("x<y"),
                                                new XmlEvent.EndElement(XmlName.of("a"))),
                                "<a b=\"<",
                                "text x<y",
                                "/a")
                        .injection(
                                text -> {
                                    String wire =
                                            new String(
                                                    Events.encode(
                                                            XmlEvent.StartElement.of(
                                                                    XmlName.of("a"),
                                                                    XmlAttribute.of("b", text))),
                                                    UTF_8);
                                    return wire.getBytes(UTF_8);
                                })
                        .endless(n -> ("<a>" + "<b/>".repeat(n / 4)).getBytes(US_ASCII))
                        .endless(n -> ("<a>" + "x&lt;".repeat(n / 5)).getBytes(US_ASCII)),
                Subject.named("xml-stream")
                        .decoder(
                                () -> {
                                    Decoder<XmlStream> d =
                                            new XmlDecoder(LIMITS).then(new XmlStreamDecoder());
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(XmlLabTest::describeStream)
                        .sample("<s to='x'> <m a='1'><b>t<i>x</i>u</b></m>\n<p/></s>")
                        .refuses("text between stanzas", "<s>text<m/></s>", XmlException.class)
                        .refuses("a comment", "<s><!-- c --></s>", XmlException.class)
                        .refuses("half", "<s><m/>", PrematureEndException.class)
                        .endless(n -> ("<s>" + "<m/>".repeat(n / 4)).getBytes(US_ASCII))
                        .endless(n -> ("<s>" + " ".repeat(n)).getBytes(US_ASCII)));
    }

    private static String describeStream(Object message) {
        return switch (message) {
            case XmlStream.Opened opened -> Events.describe(opened.root());
            case XmlStream.Stanza stanza ->
                    String.join(" ", stanza.events().stream().map(Events::describe).toList());
            case XmlStream.Closed _ -> "closed";
            default -> throw new AssertionError(message);
        };
    }
}
