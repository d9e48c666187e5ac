package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// Reads a section of field lines and the empty line behind it (RFC 9112, 5). The section is left
/// unread until it is whole; its limits are enforced as bytes arrive.
final class SectionReader {
    private final Http1Limits limits;

    /// Bytes, from the read offset on, in which the end of a line was looked for.
    private int looked;

    /// Offset of the line that is not whole, from the read offset on.
    private int lineStart;

    /// Lines before that one.
    private int fields;

    /// The first of these, which the section before has as well, and that section; null for none.
    private @Nullable Headers like;

    private int known;

    SectionReader(Http1Limits limits) {
        this.limits = limits;
    }

    /// The next section begins.
    void begin() {
        looked = 0;
        lineStart = 0;
        fields = 0;
        like = null;
    }

    /// Skips the first lines of the section, at whose start this is, that are those of `last`: what
    /// was found out about them holds again.
    void skip(Buffer in, Headers last) {
        int same = last.linesAt(in, in.readOffset());
        if (same > 0) {
            like = last;
            known = same;
            fields = same;
            lineStart = last.sectionLength(same);
            looked = lineStart;
        }
    }

    /// Tells if no byte of the section has been looked at.
    boolean isAtStart() {
        return looked == 0;
    }

    /// Takes the section; null when it is not whole.
    @Nullable Headers read(Buffer in) {
        int start = in.readOffset();
        int end = in.writeOffset();
        int limit = limits.headerSection();
        // The CR of the last line that fits.
        int last = start + limit - 2;
        while (true) {
            int at = start + lineStart;
            if (at >= end) {
                looked = lineStart;
                return null;
            }
            if (looked <= lineStart) {
                byte first = in.getByte(at);
                if (first == '\r') {
                    return endOfSection(in, start, at);
                }
                // No folded lines (RFC 9112, 5.2) either, which begin with a blank.
                if (!HeaderName.isTokenChar(first)) {
                    throw badRequest(
                            "header line: " + quote(in, at, at + 1) + " (expected: a name first)");
                }
                looked = lineStart;
            }
            int lineEnd = Lines.end(in, start + looked, last, Lines.Limit.SECTION, limit);
            if (lineEnd == Lines.INCOMPLETE) {
                looked = Lines.resumeAt(in) - start;
                return null;
            }
            if (++fields > limits.headerFields()) {
                throw Lines.Limit.FIELDS.exceeded(limits.headerFields());
            }
            lineStart = lineEnd + 2 - start;
        }
    }

    private @Nullable Headers endOfSection(Buffer in, int start, int at) {
        looked = lineStart;
        if (at + 1 == in.writeOffset()) {
            return null;
        }
        if (in.getByte(at + 1) != '\n') {
            throw badRequest("control: " + quote(in, at, at + 2) + " (expected: CR LF)");
        }
        try {
            Headers last = like;
            Headers headers =
                    last == null
                            ? Headers.parse(in, start, at, fields)
                            : Headers.parse(in, start, at, fields, last, known);
            like = null;
            in.readOffset(at + 2);
            return headers;
        } catch (IllegalArgumentException e) {
            throw badRequest(String.valueOf(e.getMessage()));
        }
    }
}
