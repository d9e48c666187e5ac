package io.weft.codec.xml;

import com.fasterxml.aalto.AsyncByteArrayFeeder;
import com.fasterxml.aalto.AsyncXMLStreamReader;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
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
/// [LimitExceededException].
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
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> append();
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
            throw malformed(e);
        }
    }

    private static XmlException malformed(Exception e) {
        String message = String.valueOf(e.getMessage());
        int line = message.indexOf('\n'); // behind it is the place, in the parser's words
        return new XmlException(
                "not well-formed: "
                        + XmlText.quote(line < 0 ? message : message.substring(0, line))
                        + " (expected: XML)");
    }

    /// Gives the parser some bytes, up to the first that is beyond a limit.
    private boolean feed(Buffer in) {
        int length = Math.min(in.readableBytes(), CHUNK);
        if (length == 0) {
            return false;
        }
        if (total == limits.total()) {
            throw new LimitExceededException("bytes", total + 1, limits.total());
        }
        length = (int) Math.min(length, limits.total() - total);
        int start = in.readOffset();
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) == LESS_THAN) {
                token = 0;
            } else if (++token > limits.token()) {
                if (i == 0) {
                    throw new LimitExceededException("bytes without '<'", token, limits.token());
                }
                token--;
                length = i;
            }
        }
        in.readBytes(chunk, 0, length);
        total += length;
        try {
            reader.getInputFeeder().feedInput(chunk, 0, length);
        } catch (XMLStreamException | RuntimeException e) {
            throw malformed(e);
        }
        return true;
    }

    private void append() {
        if (depth == 0) {
            return;
        }
        try {
            text.append(reader.getText());
        } catch (RuntimeException e) {
            throw malformed(e);
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
            throw malformed(e);
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
            throw malformed(e);
        }
    }
}
