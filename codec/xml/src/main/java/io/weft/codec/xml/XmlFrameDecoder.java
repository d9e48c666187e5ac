package io.weft.codec.xml;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts input into documents, one after another on a connection: each from its declaration,
/// comments or root to the end of the root, as the bytes are. White space between them is dropped.
///
/// It finds ends of tags, comments, CDATA sections and instructions, and parses nothing else: a
/// frame is for a parser of whole documents. UTF-8, with or without a byte order mark, or any
/// encoding that has ASCII in it. A comment behind a root belongs to the next document.
///
/// **Errors.** Document types and text outside the root are an [XmlException], a frame that is too
/// long a [LimitExceededException].
public final class XmlFrameDecoder extends StepDecoder<Buffer> {
    private static final byte[] CDATA = {'C', 'D', 'A', 'T', 'A', '['};

    private enum State {
        START,
        MARK,
        MARK_END,
        TEXT,
        OPEN,
        TAG,
        QUOTED,
        APOSTROPHES,
        SLASH,
        END_TAG,
        BANG,
        DASH,
        COMMENT,
        COMMENT_DASH,
        COMMENT_END,
        CDATA_OPEN,
        SECTION,
        BRACKET,
        BRACKETS,
        INSTRUCTION,
        QUESTION
    }

    private final int maxLength;
    private State state = State.START;
    private int depth;

    /// Bytes of the frame that were looked at.
    private int looked;

    /// Bytes of `CDATA[` that have come.
    private int matched;

    /// A frame is complete behind the byte that was looked at.
    private boolean complete;

    /// @param maxLength bytes of a frame
    public XmlFrameDecoder(int maxLength) {
        if (maxLength < 1) {
            throw new IllegalArgumentException(
                    "maxLength: " + maxLength + " (expected: at least 1)");
        }
        this.maxLength = maxLength;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        int start = in.readOffset();
        int end = in.writeOffset();
        int at = start + looked;
        while (at == start && at < end && XmlBytes.isSpace(in.getByte(at))) {
            start = ++at;
        }
        in.readOffset(start);
        int allowed = (int) Math.min(end, (long) start + maxLength);
        while (at < allowed && !complete) {
            at = run(in, at, allowed);
            if (at < allowed && !complete) {
                state = next(in.getByte(at++));
            }
        }
        if (complete) {
            complete = false;
            state = State.START;
            looked = 0;
            out.accept(in.split(at - start));
            return true;
        }
        if (allowed < end) {
            throw new LimitExceededException("bytes of a document", maxLength + 1L, maxLength);
        }
        looked = end - start;
        return false;
    }

    /// Takes bytes of [from, to) as long as they are of the kinds that most are.
    ///
    /// @return the index of the next byte that is to be taken by itself, or behind a document
    private int run(Buffer in, int from, int to) {
        return switch (state) {
            case TEXT -> depth > 0 ? content(in, from, to) : from;
            case TAG -> tag(in, from, to);
            case QUOTED -> found(in.indexOf((byte) '"', from, to), to);
            case APOSTROPHES -> found(in.indexOf((byte) '\'', from, to), to);
            case END_TAG -> endTag(in, from, to);
            case COMMENT -> found(in.indexOf((byte) '-', from, to), to);
            case SECTION -> found(in.indexOf((byte) ']', from, to), to);
            case INSTRUCTION -> found(in.indexOf((byte) '?', from, to), to);
            default -> from;
        };
    }

    private static int found(int index, int to) {
        return index < 0 ? to : index;
    }

    /// Takes texts and tags within the root.
    private int content(Buffer in, int from, int to) {
        int at = from;
        while (state == State.TEXT && !complete) {
            at = found(in.indexOf((byte) '<', at, to), to);
            if (to - at < 2) {
                return at;
            }
            byte b = in.getByte(at + 1);
            at += 2;
            if (b == '/') {
                at = endTag(in, at, to);
            } else if (XmlBytes.isName(b)) {
                at = tag(in, at, to);
            } else {
                state = open(b);
            }
        }
        return at;
    }

    /// Takes the rest of a start tag, as far as it is there.
    private int tag(Buffer in, int from, int to) {
        int at = XmlBytes.endOfPlainTag(in, from, to);
        while (at < to) {
            byte b = in.getByte(at);
            if (b != '"' && b != '\'') {
                state = tag(b);
                return at + 1;
            }
            int end = in.indexOf(b, at + 1, to);
            if (end < 0) {
                state = b == '"' ? State.QUOTED : State.APOSTROPHES;
                return to;
            }
            at = XmlBytes.endOfPlainTag(in, end + 1, to);
        }
        state = State.TAG;
        return to;
    }

    /// Takes the rest of an end tag, as far as it is there.
    private int endTag(Buffer in, int from, int to) {
        int at = from;
        while (at < to && XmlBytes.isName(in.getByte(at))) {
            at++;
        }
        if (at < to && in.getByte(at) == '>') {
            state = endTag();
            return at + 1;
        }
        state = State.END_TAG;
        return at;
    }

    private State next(byte b) {
        return switch (state) {
            case START -> (b & 0xFF) == 0xEF ? State.MARK : text(b);
            case MARK -> (b & 0xFF) == 0xBB ? State.MARK_END : fail("text outside the root");
            case MARK_END -> (b & 0xFF) == 0xBF ? State.TEXT : fail("text outside the root");
            case TEXT -> text(b);
            case OPEN -> open(b);
            case TAG -> tag(b);
            case QUOTED -> b == '"' ? State.TAG : state;
            case APOSTROPHES -> b == '\'' ? State.TAG : state;
            case SLASH -> b == '>' ? elementEnded() : tag(b);
            case END_TAG -> b == '>' ? endTag() : noTag(b);
            case BANG -> bang(b);
            case DASH -> b == '-' ? State.COMMENT : fail("<!-");
            case COMMENT -> b == '-' ? State.COMMENT_DASH : state;
            case COMMENT_DASH -> b == '-' ? State.COMMENT_END : State.COMMENT;
            case COMMENT_END -> b == '>' ? State.TEXT : fail("'--' in a comment");
            case CDATA_OPEN -> section(b);
            case SECTION -> b == ']' ? State.BRACKET : state;
            case BRACKET -> b == ']' ? State.BRACKETS : State.SECTION;
            case BRACKETS -> b == '>' ? State.TEXT : b == ']' ? state : State.SECTION;
            case INSTRUCTION -> b == '?' ? State.QUESTION : state;
            case QUESTION -> b == '>' ? State.TEXT : b == '?' ? state : State.INSTRUCTION;
        };
    }

    private static State fail(String what) {
        throw new XmlException(what + " (expected: a document without a document type)");
    }

    private State text(byte b) {
        if (b == '<') {
            return State.OPEN;
        }
        return depth > 0 || XmlBytes.isSpace(b) ? State.TEXT : fail("text outside the root");
    }

    private State open(byte b) {
        return switch (b) {
            case '/' -> State.END_TAG;
            case '!' -> State.BANG;
            case '?' -> State.INSTRUCTION;
            case '>', '<', ' ', '\n', '\r', '\t' -> fail("no name behind '<'");
            default -> State.TAG;
        };
    }

    private State tag(byte b) {
        return switch (b) {
            case '"' -> State.QUOTED;
            case '\'' -> State.APOSTROPHES;
            case '/' -> State.SLASH;
            case '>' -> {
                depth++;
                yield State.TEXT;
            }
            default -> noTag(b);
        };
    }

    /// `<` stands in no tag, so that a frame ends where a parser sees its end.
    private State noTag(byte b) {
        return b == '<' ? fail("'<' in a tag") : state == State.SLASH ? State.TAG : state;
    }

    private State endTag() {
        if (depth == 0) {
            return fail("an end without a beginning");
        }
        depth--;
        return elementEnded();
    }

    private State elementEnded() {
        complete = depth == 0;
        return State.TEXT;
    }

    private State bang(byte b) {
        if (b == '[' && depth > 0) {
            matched = 0;
            return State.CDATA_OPEN;
        }
        return b == '-' ? State.DASH : fail("<!");
    }

    private State section(byte b) {
        if (b != CDATA[matched++]) {
            return fail("<![");
        }
        return matched == CDATA.length ? State.SECTION : state;
    }
}
