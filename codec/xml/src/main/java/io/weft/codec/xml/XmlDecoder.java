package io.weft.codec.xml;

import com.fasterxml.aalto.AsyncByteArrayFeeder;
import com.fasterxml.aalto.AsyncXMLStreamReader;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import io.weft.codec.Utf8Check;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;

/// Decodes a document, or a stream that is one long document, into events. UTF-8 alone.
///
/// Text comes whole, with CDATA sections in it. White space outside the root is dropped.
///
/// **Safety.** Document types are refused, and so all entities but the five of XML itself.
/// [XmlLimits] hold before the parser gets the bytes, or as each event comes.
///
/// **Errors.** What is not well-formed or not allowed is an [XmlException], what is too large a
/// [LimitExceededException]. Events and errors are the same however the bytes arrive; the parser's
/// own words are in the cause, and are not.
///
/// The parser takes all bytes it is given: where a connection changes its protocol, make a new
/// decoder behind the element that says so.
public final class XmlDecoder extends StepDecoder<XmlEvent> {
    private static final XMLInputFactory FACTORY = factory();
    private static final int CHUNK = 4_096;
    private static final byte LESS_THAN = '<';

    private final XmlLimits limits;
    private final AsyncXMLStreamReader<AsyncByteArrayFeeder> reader;

    /// The parser's while it has bytes of it.
    private final byte[] chunk = new byte[CHUNK];

    /// Before the parser, which sees the same fault at other bytes when it gets them in pieces.
    private final Utf8Check utf8 = new Utf8Check();

    /// True if the next byte is no UTF-8.
    private boolean notText;

    /// Brackets at the end of what the parser has, which it got by themselves.
    private int brackets;

    /// True if the parser took the last bytes for text.
    private boolean textual;

    private final StringBuilder text = new StringBuilder();

    /// An event that was read behind a text, which comes first.
    private int held = AsyncXMLStreamReader.EVENT_INCOMPLETE;

    private long total;
    private int token;
    private long stanza;
    private int depth;
    private boolean rooted;

    public XmlDecoder() {
        this(XmlLimits.DEFAULT);
    }

    public XmlDecoder(XmlLimits limits) {
        this.limits = limits;
        reader = ((InputFactoryImpl) FACTORY).createAsyncForByteArray();
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = new InputFactoryImpl();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        return factory;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super XmlEvent> out) {
        int event = held;
        held = AsyncXMLStreamReader.EVENT_INCOMPLETE;
        if (event == AsyncXMLStreamReader.EVENT_INCOMPLETE) {
            event = next();
        }
        if (event == XMLStreamConstants.START_DOCUMENT && reader.getVersion() == null) {
            return true; // a document without a declaration
        }
        if (event == AsyncXMLStreamReader.EVENT_INCOMPLETE) {
            if (!reader.getInputFeeder().needMoreInput()) {
                // It stops at references that it cannot resolve, and says so only with more input.
                throw new XmlException("reference: to no known entity (expected: one of XML)");
            }
            return feed(in);
        }
        emitted();
        switch (event) {
            case XMLStreamConstants.CHARACTERS -> {
                textual = true;
                append();
            }
            case XMLStreamConstants.CDATA -> append();
            case XMLStreamConstants.SPACE, XMLStreamConstants.END_DOCUMENT -> {}
            default -> {
                if (text.isEmpty()) {
                    out.accept(event(event));
                } else {
                    XmlEvent.Text whole = new XmlEvent.Text(text.toString());
                    stanza += text.length();
                    text.setLength(0);
                    held = event;
                    out.accept(whole);
                }
            }
        }
        return true;
    }

    private int next() {
        try {
            return reader.next();
        } catch (XMLStreamException | RuntimeException e) {
            throw XmlException.malformed(e);
        }
    }

    /// Gives the parser some bytes, up to the first that is beyond a limit or no UTF-8.
    private boolean feed(Buffer in) {
        int most = Math.min(in.readableBytes(), CHUNK);
        if (most == 0) {
            return false;
        }
        if (total == limits.total()) {
            throw new LimitExceededException("bytes", total + 1, limits.total());
        }
        int start = in.readOffset();
        if (notText) {
            throw new XmlException(
                    "byte 0x"
                            + Integer.toHexString(in.getUnsignedByte(start))
                            + " (expected: UTF-8)");
        }
        if (brackets >= 2 && textual && in.getByte(start) == '>') {
            throw XmlException.malformed(null); // XML 1.0, 2.4
        }
        int length = scan(in, start, (int) Math.min(most, limits.total() - total));
        int bad = utf8.check(in, start, start + length);
        if (bad >= 0) {
            notText = true;
            length = bad - start;
            if (length == 0) {
                return true;
            }
        }
        in.readBytes(chunk, 0, length);
        total += length;
        textual = false;
        try {
            reader.getInputFeeder().feedInput(chunk, 0, length);
        } catch (XMLStreamException | RuntimeException e) {
            throw XmlException.malformed(e);
        }
        return true;
    }

    /// Number of bytes to give to the parser at once: up to the limit of a token, and brackets by
    /// themselves. The parser overlooks `]]>` in text that it gets in pieces, so it is asked before
    /// such a `>` if those brackets were text.
    private int scan(Buffer in, int start, int most) {
        int run = brackets;
        int length = 0;
        for (; length < most; length++) {
            byte b = in.getByte(start + length);
            if (b == LESS_THAN) {
                token = 0;
            } else if (b == '>' && run >= 2 && length > 0) {
                break;
            } else if (++token > limits.token()) {
                if (length == 0) {
                    throw new LimitExceededException("bytes without '<'", token, limits.token());
                }
                token--;
                break;
            }
            run = b == ']' ? run + 1 : 0;
        }
        boolean whole = run >= length; // nothing but brackets
        int left = whole ? 0 : run;
        token -= left;
        brackets = whole ? run : 0;
        return length - left;
    }

    private void append() {
        if (depth == 0) {
            return;
        }
        try {
            text.append(reader.getText());
        } catch (RuntimeException e) {
            throw XmlException.malformed(e);
        }
        requireText(text.length());
        count(0);
    }

    private void requireText(int length) {
        if (length > limits.text()) {
            throw new LimitExceededException("characters of a text", length, limits.text());
        }
    }

    private void count(long characters) {
        stanza += characters;
        if (stanza + text.length() > limits.stanza()) {
            throw new LimitExceededException(
                    "characters of a stanza", stanza + text.length(), limits.stanza());
        }
    }

    private XmlEvent event(int event) {
        try {
            return switch (event) {
                case XMLStreamConstants.START_DOCUMENT -> declaration();
                case XMLStreamConstants.START_ELEMENT -> start();
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.COMMENT -> new XmlEvent.Comment(shortText());
                case XMLStreamConstants.PROCESSING_INSTRUCTION -> {
                    String data = reader.getPIData();
                    requireText(data == null ? 0 : data.length());
                    yield new XmlEvent.Instruction(reader.getPITarget(), data == null ? "" : data);
                }
                case XMLStreamConstants.DTD ->
                        throw new XmlException("document type (expected: none)");
                default ->
                        throw new XmlException(
                                "entity, or event " + event + " (expected: none declared)");
            };
        } catch (XmlException | LimitExceededException e) {
            throw e;
        } catch (RuntimeException e) {
            throw XmlException.malformed(e);
        }
    }

    private String shortText() {
        String comment = reader.getText();
        requireText(comment.length());
        count(comment.length());
        return comment;
    }

    private XmlEvent declaration() {
        return new XmlEvent.Declaration(reader.getVersion(), reader.getCharacterEncodingScheme());
    }

    private XmlEvent start() {
        rooted = true;
        if (++depth > limits.depth()) {
            throw new LimitExceededException("depth", depth, limits.depth());
        }
        int count = reader.getAttributeCount() + reader.getNamespaceCount();
        if (count > limits.attributes()) {
            throw new LimitExceededException("attributes", count, limits.attributes());
        }
        if (depth == 2) {
            stanza = 0;
        }
        List<XmlNamespace> namespaces = new ArrayList<>(reader.getNamespaceCount());
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = limited(reader.getNamespacePrefix(i));
            String uri = limited(reader.getNamespaceURI(i));
            if (uri.isEmpty() && !prefix.isEmpty()) {
                // Namespaces in XML 1.0, section 5.
                throw new XmlException("namespace of a prefix: empty (expected: some)");
            }
            namespaces.add(new XmlNamespace(prefix, uri));
        }
        List<XmlAttribute> attributes = new ArrayList<>(reader.getAttributeCount());
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String value = reader.getAttributeValue(i);
            count(value.length());
            attributes.add(
                    new XmlAttribute(
                            new XmlName(
                                    limited(reader.getAttributeNamespace(i)),
                                    limited(reader.getAttributePrefix(i)),
                                    limited(reader.getAttributeLocalName(i))),
                            value));
        }
        return new XmlEvent.StartElement(name(), attributes, namespaces);
    }

    private XmlEvent end() {
        depth--;
        return new XmlEvent.EndElement(name());
    }

    private XmlName name() {
        return new XmlName(
                limited(reader.getNamespaceURI()),
                limited(reader.getPrefix()),
                limited(reader.getLocalName()));
    }

    private String limited(@org.jspecify.annotations.Nullable String name) {
        String text = name == null ? XMLConstants.NULL_NS_URI : name;
        if (text.length() > limits.name()) {
            throw new LimitExceededException("characters of a name", text.length(), limits.name());
        }
        count(text.length());
        return text;
    }

    @Override
    protected void finish(int unread, Consumer<? super XmlEvent> out) {
        if (depth > 0 || !rooted) {
            throw new PrematureEndException("a document");
        }
        reader.getInputFeeder().endOfInput();
        for (int event = next(); event != XMLStreamConstants.END_DOCUMENT; event = next()) {
            if (event == AsyncXMLStreamReader.EVENT_INCOMPLETE) {
                throw new PrematureEndException("a document");
            }
            if (event != XMLStreamConstants.SPACE && event != XMLStreamConstants.CHARACTERS) {
                out.accept(event(event));
            }
        }
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (XMLStreamException e) {
            throw XmlException.malformed(e);
        }
    }
}
