package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes a document, or a stream that is one long document, into events. UTF-8 alone, with or
/// without a byte order mark.
///
/// Text comes whole, with CDATA sections in it. White space outside the root is dropped.
///
/// **Safety.** Document types are refused, and so all entities but the five of XML itself.
///
/// **Errors.** What is not well-formed or not allowed is an [XmlException], what is too large a
/// [LimitExceededException]. Events and errors are the same however the bytes arrive.
///
/// Bytes behind an event are unread until that event is handed out: where a connection changes its
/// protocol, pause within the consumer.
public final class XmlDecoder extends StepDecoder<XmlEvent> {
    /// Bytes of a reference, `&` and `;` included.
    private static final int REFERENCE = 32;

    private static final String SECTION = "<![CDATA[";

    private final XmlLimits limits;
    private final XmlTags tags;
    private final XmlNames names;
    private final XmlCharacters text;
    private final XmlWindow window = new XmlWindow();

    /// The event of this step, if it has one.
    private @Nullable XmlEvent made;

    private long total;
    private long stanza;
    private boolean rooted;

    /// Nothing but a byte order mark has come.
    private boolean first = true;

    private boolean marked;

    /// The last tag was empty, so its element ends.
    private boolean ends;

    /// In a CDATA section.
    private boolean section;

    // Of markup that is not whole: bytes that were looked at, and the quote that is open.
    private int looked;
    private byte quote;

    public XmlDecoder() {
        this(XmlLimits.DEFAULT);
    }

    public XmlDecoder(XmlLimits limits) {
        this.limits = limits;
        names = new XmlNames(limits);
        tags = new XmlTags(limits, names);
        text = new XmlCharacters(limits);
    }

    private static XmlException malformed(String what, String expected) {
        return new XmlException(what + " (expected: " + expected + ")");
    }

    @Override
    protected void inputBegins() {
        window.forget();
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super XmlEvent> out) {
        if (ends) {
            ends = false;
            XmlEvent.EndElement end = tags.end();
            count(tags.counted());
            emitted();
            out.accept(end);
            return true;
        }
        int from = in.readOffset();
        long room = limits.total() - total;
        int to = from + (int) Math.min(in.readableBytes(), room);
        Step step = from == to ? Step.MORE : take(in, from, to);
        total += in.readOffset() - from;
        XmlEvent event = made;
        if (step == Step.MORE) {
            window.shrink();
            if (in.writeOffset() > to) {
                throw new LimitExceededException("bytes", limits.total() + 1, limits.total());
            }
            return false;
        }
        if (event != null) {
            made = null;
            emitted();
            out.accept(event);
        }
        return true;
    }

    private enum Step {
        TAKEN,
        MORE
    }

    /// The event of a step.
    private Step made(XmlEvent event) {
        made = event;
        return Step.TAKEN;
    }

    private Step take(Buffer in, int from, int to) {
        int at = window.cover(in, from, Math.min(to, from + REFERENCE), to);
        if (window.bytes()[at] == '<' && !section) {
            return markup(in, from, at, to);
        }
        return tags.depth() == 0 ? outside(in, from, to) : characters(in, from, at, to);
    }

    /// White space outside the root, or a byte order mark.
    private Step outside(Buffer in, int from, int to) {
        if (first && !marked && in.getUnsignedByte(from) == 0xEF) {
            boolean mark =
                    (to - from < 2 || in.getUnsignedByte(from + 1) == 0xBB)
                            && (to - from < 3 || in.getUnsignedByte(from + 2) == 0xBF);
            if (mark && to - from < 3) {
                return Step.MORE;
            }
            if (mark) {
                marked = true;
                in.readOffset(from + 3);
                return Step.TAKEN;
            }
        }
        int end = from;
        while (end < to && XmlBytes.isSpace(in.getByte(end))) {
            end++;
        }
        if (end == from) {
            throw malformed("text outside the root", "white space, in UTF-8");
        }
        first = false;
        in.readOffset(end);
        return Step.TAKEN;
    }

    /// @param at where `from` is in the window
    private Step characters(Buffer in, int from, int at, int to) {
        int end = XmlBytes.endOfPlain(window.bytes(), at, window.end());
        if (end == window.end() && at > 0 && window.offset(end) < to) {
            // A text that fits is taken as a whole.
            at = window.fill(in, from, from + 1, to);
            end = XmlBytes.endOfPlain(window.bytes(), at, window.end());
        }
        int taken = text.takePlain(window.bytes(), at, end, window.end(), stanza);
        if (taken == at) {
            byte b = window.bytes()[at];
            if (b == ']' && section) {
                return endOfSection(in, from, to);
            }
            if (b == '&' && !section) {
                return reference(in, from, at, to);
            }
            taken = text.takeOther(window.bytes(), at, window.end(), stanza);
            if (taken == at) {
                return Step.MORE;
            }
        }
        in.readOffset(window.offset(taken));
        if (taken < window.end() && window.bytes()[taken] == '&' && !section) {
            Step _ =
                    reference(
                            in,
                            window.offset(taken),
                            taken,
                            Math.min(to, window.offset(window.end())));
        }
        return Step.TAKEN;
    }

    private Step endOfSection(Buffer in, int from, int to) {
        boolean two = to - from > 1 && in.getByte(from + 1) == ']';
        if (to - from < 2 || (two && to - from < 3)) {
            return Step.MORE;
        }
        if (two && in.getByte(from + 2) == '>') {
            section = false;
            text.separate();
            in.readOffset(from + 3);
        } else {
            text.takeCharacter(']', stanza);
            in.readOffset(from + 1);
        }
        return Step.TAKEN;
    }

    private Step reference(Buffer in, int from, int at, int to) {
        byte[] bytes = window.bytes();
        int last = at + Math.min(REFERENCE, to - from);
        int end = at + 1;
        while (end < last && isOfReference(bytes[end])) {
            end++;
        }
        if (end == last && end - at < REFERENCE) {
            return Step.MORE;
        }
        if (end == last || bytes[end] != ';') {
            throw malformed("reference: no end", "';'");
        }
        text.takeCharacter(XmlBytes.reference(bytes, at + 1, end), stanza);
        in.readOffset(from + end + 1 - at);
        return Step.TAKEN;
    }

    private static boolean isOfReference(byte b) {
        return b == '#' || (XmlBytes.isName(b) && b > 0);
    }

    /// @param at where `from` is in the window
    private Step markup(Buffer in, int from, int at, int to) {
        if (to - from < 2) {
            return Step.MORE;
        }
        byte kind = window.bytes()[at + 1];
        if (kind == '!' && to - from < 3) {
            return Step.MORE;
        }
        if (kind == '!' && window.bytes()[at + 2] == '[') {
            return beginOfSection(in, from, to);
        }
        if (!text.isEmpty()) {
            stanza += text.length() + XmlLimits.OVERHEAD;
            return made(text.event());
        }
        text.separate();
        return switch (kind) {
            case '/' -> endTag(in, from, to);
            case '?' -> instruction(in, from, to);
            case '!' -> {
                if (window.bytes()[at + 2] == 'D') {
                    throw XmlException.restricted("document type (expected: none)");
                }
                if (window.bytes()[at + 2] != '-') {
                    throw malformed("'<!'", "a comment or a CDATA section");
                }
                yield comment(in, from, to);
            }
            default -> startTag(in, from, at, to);
        };
    }

    private Step beginOfSection(Buffer in, int from, int to) {
        int length = Math.min(to - from, SECTION.length());
        int at = window.cover(in, from, from + length, to);
        if (tags.depth() == 0
                || !XmlBytes.is(window.bytes(), at, at + length, SECTION.substring(0, length))) {
            throw malformed("'<!['", "<![CDATA[ in an element");
        }
        if (length < SECTION.length()) {
            return Step.MORE;
        }
        section = true;
        text.separate();
        in.readOffset(from + length);
        return Step.TAKEN;
    }

    /// The end of markup is looked for, each byte once.
    private Step notWhole(int length) {
        requireToken(length);
        looked = length;
        return Step.MORE;
    }

    private void requireToken(int length) {
        if (length > limits.token()) {
            throw new LimitExceededException("bytes of a tag", limits.token() + 1L, limits.token());
        }
    }

    private void takenTo(Buffer in, int from, int end) {
        requireToken(end - from);
        looked = 0;
        first = false;
        in.readOffset(end);
    }

    private Step startTag(Buffer in, int from, int at, int to) {
        int close = looked > 0 ? -1 : tags.readPlain(window.bytes(), at + 1, window.end());
        if (close < 0) {
            return startTag(in, from, to);
        }
        requireRoot();
        requireToken(close + 1 - at);
        return started(in, from, from + close - at, tags.start(), window.bytes()[close - 1] == '/');
    }

    private Step startTag(Buffer in, int from, int to) {
        int end = -1;
        for (int at = from + Math.max(1, looked); at < to && end < 0; ) {
            int i = window.cover(in, at, at + 1, to);
            i = endOfTag(window.bytes(), i, window.end());
            at = window.offset(i);
            end = i < window.end() ? at : -1;
        }
        if (end < 0) {
            return notWhole(to - from);
        }
        requireRoot();
        requireToken(end + 1 - from);
        int at = window.cover(in, from + 1, end, to);
        int close = at + end - from - 1;
        boolean empty = close > at && window.bytes()[close - 1] == '/';
        XmlEvent.StartElement event = tags.start(window.bytes(), at, empty ? close - 1 : close);
        return started(in, from, end, event, empty);
    }

    private void requireRoot() {
        if (tags.depth() == 0 && rooted) {
            throw malformed("a second root", "one");
        }
    }

    private Step started(Buffer in, int from, int end, XmlEvent.StartElement event, boolean empty) {
        if (tags.depth() == 2) {
            stanza = 0;
        }
        count(tags.counted());
        rooted = true;
        ends = empty;
        takenTo(in, from, end + 1);
        return made(event);
    }

    /// Index of the `>` that ends a start tag, in [from, to).
    private int endOfTag(byte[] bytes, int from, int to) {
        byte open = quote;
        int i = from;
        for (; (i = XmlBytes.endOfPlainTag(bytes, i, to)) < to; i++) {
            byte b = bytes[i];
            if (b == '<') {
                throw malformed("'<' in a tag", "none");
            }
            if (open != 0) {
                open = b == open ? 0 : open;
            } else if (b == '>') {
                break;
            } else if (b != '/') {
                open = b;
            }
        }
        quote = open;
        return i;
    }

    private Step endTag(Buffer in, int from, int to) {
        int end = -1;
        for (int at = from + Math.max(2, looked); at < to && end < 0; ) {
            int i = window.cover(in, at, at + 1, to);
            i = XmlBytes.indexOf(window.bytes(), (byte) '>', i, window.end());
            end = i < 0 ? -1 : window.offset(i);
            at = window.offset(window.end());
        }
        if (end < 0) {
            return notWhole(to - from);
        }
        requireToken(end + 1 - from);
        int at = window.cover(in, from + 2, end, to);
        XmlEvent.EndElement event = tags.end(window.bytes(), at, at + end - from - 2);
        count(tags.counted());
        takenTo(in, from, end + 1);
        return made(event);
    }

    private void count(long characters) {
        stanza += characters;
        if (stanza > limits.stanza()) {
            throw new LimitExceededException(
                    "characters of a stanza", limits.stanza() + 1, limits.stanza());
        }
    }

    private Step comment(Buffer in, int from, int to) {
        if (to - from > 3 && in.getByte(from + 3) != '-') {
            throw malformed("'<!-'", "a comment");
        }
        int dash = Math.max(from + 4, from + looked);
        while (dash < to) {
            dash = in.indexOf((byte) '-', dash, to);
            if (dash < 0) {
                return notWhole(to - from);
            }
            if (to - dash < 2 || (in.getByte(dash + 1) == '-' && to - dash < 3)) {
                return notWhole(dash - from);
            }
            if (in.getByte(dash + 1) == '-') {
                if (in.getByte(dash + 2) != '>') {
                    throw malformed("'--' in a comment", "none");
                }
                requireToken(dash + 3 - from);
                int at = window.cover(in, from + 4, dash, to);
                String comment = text.whole(window.bytes(), at, at + dash - from - 4);
                count(XmlLimits.OVERHEAD + comment.length());
                takenTo(in, from, dash + 3);
                return made(new XmlEvent.Comment(comment));
            }
            dash += 2;
        }
        return notWhole(to - from);
    }

    private Step instruction(Buffer in, int from, int to) {
        int mark = Math.max(from + 2, from + looked);
        while (mark < to) {
            mark = in.indexOf((byte) '?', mark, to);
            if (mark < 0) {
                return notWhole(to - from);
            }
            if (to - mark < 2) {
                return notWhole(mark - from);
            }
            if (in.getByte(mark + 1) == '>') {
                requireToken(mark + 2 - from);
                int at = window.cover(in, from + 2, mark, to);
                XmlEvent event = instruction(window.bytes(), at, at + mark - from - 2, first);
                takenTo(in, from, mark + 2);
                return made(event);
            }
            mark++;
        }
        return notWhole(to - from);
    }

    private XmlEvent instruction(byte[] in, int from, int to, boolean begins) {
        int end = from;
        while (end < to && XmlBytes.isName(in[end])) {
            end++;
        }
        if (end == from || (end < to && !XmlBytes.isSpace(in[end]))) {
            throw malformed("instruction: no target", "a name");
        }
        if (begins && XmlBytes.is(in, from, end, "xml")) {
            XmlEvent.Declaration declaration =
                    XmlDeclaration.parse(new String(in, end, to - end, ISO_8859_1));
            text.ascii("US-ASCII".equalsIgnoreCase(declaration.encoding()));
            return declaration;
        }
        XmlNames.Tag target = names.tag(in, from, end);
        if (target.prefix != names.none || target.local.equalsIgnoreCase("xml")) {
            throw malformed("instruction: reserved", "another target");
        }
        while (end < to && XmlBytes.isSpace(in[end])) {
            end++;
        }
        String data = text.whole(in, end, to);
        count(XmlLimits.OVERHEAD + target.local.length() + data.length());
        return new XmlEvent.Instruction(target.local, data);
    }

    @Override
    protected void finish(int unread, Consumer<? super XmlEvent> out) {
        if (tags.depth() > 0 || !rooted || unread > 0) {
            throw new PrematureEndException("a document");
        }
    }
}
