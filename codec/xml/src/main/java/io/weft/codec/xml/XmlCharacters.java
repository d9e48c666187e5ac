package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.LimitExceededException;
import org.jspecify.annotations.Nullable;

/// Collects the characters of a text from its pieces. A text of one piece is copied once.
final class XmlCharacters {
    /// Capacity that is kept for the next text.
    private static final int KEPT = 1_024;

    /// Length of pieces that are copied with others.
    private static final int SHORT = 64;

    private static final int TAIL = 256;

    private final XmlLimits limits;

    /// The text, while it is of one piece.
    private @Nullable String piece;

    private StringBuilder more = new StringBuilder();

    /// ASCII behind these, which costs less there.
    private final byte[] tail = new byte[TAIL];

    private int tailLength;

    /// Brackets at the end, which make `]]>` malformed (XML 1.0, 2.4).
    private int brackets;

    /// The last byte was CR, which is LF in the text: LF behind it is dropped (XML 1.0, 2.11).
    private boolean afterCr;

    private boolean ascii;

    XmlCharacters(XmlLimits limits) {
        this.limits = limits;
    }

    /// Says if the document has declared to be ASCII.
    void ascii(boolean declared) {
        ascii = declared;
    }

    boolean isEmpty() {
        return length() == 0;
    }

    int length() {
        String only = piece;
        return (only == null ? more.length() : only.length()) + tailLength;
    }

    /// Markup stands here.
    void separate() {
        brackets = 0;
        afterCr = false;
    }

    /// The text so far, which begins anew.
    XmlEvent.Text event() {
        String only = piece;
        if (only == null) {
            only = more.isEmpty() ? takeTail() : builder().toString();
        } else if (tailLength > 0) {
            only += takeTail();
        }
        XmlEvent.Text event = new XmlEvent.Text(only);
        piece = null;
        if (more.capacity() > KEPT) {
            more = new StringBuilder();
        } else {
            more.setLength(0);
        }
        return event;
    }

    /// Takes the plain characters in [from, end), of bytes up to `to`.
    ///
    /// @return the index behind what was taken, which is `from` if there is none
    int takePlain(byte[] in, int from, int end, int to, long stanza) {
        if (afterCr && in[from] == '\n') {
            afterCr = false;
            return from + 1;
        }
        if (end > from) {
            if (brackets >= 2 && in[from] == '>') {
                throw new XmlException("']]>' in a text (expected: at the end of a section)");
            }
            separate();
            addPlain(in, from, end, end < to && in[end] == '<', stanza);
        }
        return end;
    }

    /// Takes characters that are not plain: CR, a bracket, one beyond ASCII, or one that has a
    /// meaning elsewhere.
    ///
    /// @return the index behind them, which is `from` if more bytes are needed
    int takeOther(byte[] in, int from, int to, long stanza) {
        byte b = in[from];
        if (b < 0) {
            requireUnicode();
            int end = XmlBytes.endOfUnicode(in, from, to);
            if (end > from) {
                separate();
                add(new String(in, from, end - from, UTF_8), stanza);
            }
            return end;
        }
        if (b == '\r') {
            takeCharacter('\n', stanza);
            afterCr = true;
        } else if (b == ']') {
            int before = brackets;
            takeCharacter(b, stanza);
            brackets = before + 1;
        } else {
            requireCharacter(b);
            takeCharacter(b, stanza);
        }
        return from + 1;
    }

    private void requireUnicode() {
        if (ascii) {
            throw new XmlException("byte beyond ASCII (expected: the encoding that is declared)");
        }
    }

    private static void requireCharacter(byte b) {
        if (b < ' ' && !XmlBytes.isSpace(b)) {
            throw new XmlException(
                    "byte 0x" + Integer.toHexString(b) + " (expected: a character of XML)");
        }
    }

    /// Takes one character.
    void takeCharacter(int character, long stanza) {
        separate();
        requireRoom(Character.charCount(character), stanza);
        if (character < 0x80) {
            tail(1)[tailLength++] = (byte) character;
        } else {
            builder().appendCodePoint(character);
        }
    }

    /// Has room for that many bytes.
    private byte[] tail(int room) {
        if (tailLength + room > TAIL) {
            builder();
        }
        return tail;
    }

    private String takeTail() {
        String ascii = new String(tail, 0, tailLength, ISO_8859_1);
        tailLength = 0;
        return ascii;
    }

    /// @param last if markup follows
    private void addPlain(byte[] in, int from, int to, boolean last, long stanza) {
        if (to - from > SHORT || (last && isEmpty())) {
            add(new String(in, from, to - from, ISO_8859_1), stanza);
            return;
        }
        requireRoom(to - from, stanza);
        System.arraycopy(in, from, tail(to - from), tailLength, to - from);
        tailLength += to - from;
    }

    private void add(String next, long stanza) {
        requireRoom(next.length(), stanza);
        if (isEmpty()) {
            piece = next;
        } else {
            builder().append(next);
        }
    }

    private StringBuilder builder() {
        String only = piece;
        if (only != null) {
            more.append(only);
            piece = null;
        }
        if (tailLength > 0) {
            more.append(takeTail());
        }
        return more;
    }

    /// The limit that is reached first is the one that fails.
    private void requireRoom(int count, long stanza) {
        long ofText = (long) limits.text() - length();
        long ofStanza = limits.stanza() - stanza - length();
        if (count > ofText && ofText <= ofStanza) {
            throw tooLong();
        }
        if (count > ofStanza) {
            throw new LimitExceededException(
                    "characters of a stanza", limits.stanza() + 1, limits.stanza());
        }
    }

    private LimitExceededException tooLong() {
        return new LimitExceededException(
                "characters of a text", limits.text() + 1L, limits.text());
    }

    /// The characters in [from, to), of a comment or an instruction.
    String whole(byte[] in, int from, int to) {
        StringBuilder all = new StringBuilder(to - from);
        for (int i = from; i < to; ) {
            byte b = in[i];
            if (b < 0) {
                requireUnicode();
                int end = XmlBytes.endOfUnicode(in, i, to);
                if (end == i) {
                    throw new XmlException("a character that is cut (expected: UTF-8)");
                }
                all.append(new String(in, i, end - i, UTF_8));
                i = end;
                continue;
            }
            requireCharacter(b);
            i++;
            if (b == '\r') {
                all.append('\n');
                i += i < to && in[i] == '\n' ? 1 : 0;
            } else {
                all.append((char) b);
            }
        }
        if (all.length() > limits.text()) {
            throw tooLong();
        }
        return all.toString();
    }
}
