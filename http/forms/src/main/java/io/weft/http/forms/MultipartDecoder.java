package io.weft.http.forms;

import io.weft.buffer.Buffer;
import io.weft.codec.PrematureEndException;
import io.weft.http.forms.FormEvent.PartEnd;
import io.weft.http.forms.FormEvent.PartStart;
import io.weft.http.model.Headers;
import java.util.Arrays;
import java.util.function.Consumer;

/// Decodes `multipart/form-data` (RFC 7578, RFC 2046). Lines end in CR LF, and nothing else.
///
/// ```
/// PREAMBLE -> DELIMITER -> HEADERS -> CONTENT -> DELIMITER ... -> DELIMITER -> CLOSED -> EPILOGUE
/// ```
final class MultipartDecoder extends FormDecoder {
    /// Bytes before the first delimiter, and behind the last one, that nobody reads; and blanks
    /// behind a delimiter.
    static final int MAX_IGNORED = 1024;

    /// Places that are passed behind a CR before the next CR is looked for: in text there is soon
    /// another one.
    private static final int PASSED = 16;

    private enum Place {
        PREAMBLE,
        /// Behind a delimiter, in the same line.
        DELIMITER,
        HEADERS,
        CONTENT,
        /// Behind the last delimiter, in the same line.
        CLOSED,
        EPILOGUE
    }

    /// `CR LF -- boundary`. CR is in it once, at its start: where a match fails, no other can have
    /// begun before that place, so that no byte is looked at more than three times, whatever the
    /// peer sends.
    private final byte[] delimiter;

    /// Bytes by which a place that is no delimiter is passed, by the byte that stands where its
    /// last one would (Boyer, Moore and Horspool).
    private final byte[] skip = new byte[256];

    private Place place = Place.PREAMBLE;

    /// Bytes of the delimiter that have been found.
    private int matched = 2;

    /// The number of these that are unread input. A CR LF before the first delimiter, and before
    /// one that follows a header section at once, is not.
    private int held;

    /// Bytes of a header section that have been searched for its end.
    private int searched;

    private int ignored;

    MultipartDecoder(byte[] delimiter, FormLimits limits) {
        super(limits);
        this.delimiter = delimiter;
        int last = delimiter.length - 1;
        Arrays.fill(skip, (byte) delimiter.length);
        for (int i = 0; i < last; i++) {
            skip[delimiter[i] & 0xFF] = (byte) (last - i);
        }
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super FormEvent> out) {
        return switch (place) {
            case PREAMBLE, CONTENT -> content(in, out);
            case DELIMITER -> delimiter(in);
            case HEADERS -> headers(in, out);
            case CLOSED -> closed(in);
            case EPILOGUE -> epilogue(in);
        };
    }

    /// Bytes up to the next delimiter, as far as they are there.
    private boolean content(Buffer in, Consumer<? super FormEvent> out) {
        int end = matched < delimiter.length ? search(in) : in.readOffset();
        int length = end - in.readOffset();
        if (length > 0) {
            if (place == Place.PREAMBLE) {
                in.skipReadable(length);
                ignore(length);
            } else {
                data(in.split(length), out);
            }
            return true;
        }
        if (matched < delimiter.length) {
            return false;
        }
        in.skipReadable(held);
        boolean ends = place == Place.CONTENT;
        place = Place.DELIMITER;
        matched = 0;
        held = 0;
        ignored = 0;
        if (ends) {
            out.accept(PartEnd.INSTANCE);
        }
        return true;
    }

    /// Looks for the delimiter.
    ///
    /// @return the index where it begins, or may begin, or that of the end of the input
    private int search(Buffer in) {
        int end = in.writeOffset();
        int at = in.readOffset() + held;
        int last = delimiter.length - 1;
        while (at < end) {
            if (matched == 0) {
                int cr = in.indexOf((byte) '\r', at, end);
                if (cr < 0) {
                    return end;
                }
                at = pass(in, cr, end);
                if (end - at > last) {
                    if (matched > 0) {
                        return at;
                    }
                } else if (at < end && in.getByte(at) == '\r') {
                    at++;
                    matched = 1;
                    held = 1;
                }
            } else if (in.getByte(at) == delimiter[matched]) {
                at++;
                held++;
                if (++matched == delimiter.length) {
                    return at - held;
                }
            } else {
                matched = 0;
                held = 0;
            }
        }
        return end - held;
    }

    /// Passes places that are no delimiter, some at a time.
    ///
    /// @param from where CR is
    /// @return the first place that may be one; that of one, if `matched`
    private int pass(Buffer in, int from, int end) {
        int last = delimiter.length - 1;
        int at = from;
        for (int i = 0; i < PASSED && end - at > last; i++) {
            byte there = in.getByte(at + last);
            if (there == delimiter[last]
                    && in.getByte(at) == '\r'
                    && in.contentEquals(at, delimiter, 0, delimiter.length)) {
                matched = delimiter.length;
                held = delimiter.length;
                return at;
            }
            at += skip[there & 0xFF];
        }
        return at;
    }

    private void ignore(int length) {
        ignored += length;
        if (ignored > MAX_IGNORED) {
            throw exceeded("bytes outside of parts", MAX_IGNORED);
        }
    }

    /// Behind a delimiter: "--" for the last one, or blanks (RFC 2046, 5.1.1: transport-padding)
    /// and CR LF. Anything else is not ours, and may be read in another way by others.
    private boolean delimiter(Buffer in) {
        if (ignored == 0 && in.isReadable() && in.getByte(in.readOffset()) == '-') {
            if (in.readableBytes() < 2) {
                return false;
            }
            if (in.getByte(in.readOffset() + 1) != '-') {
                throw behindDelimiter(in);
            }
            in.skipReadable(2);
            place = Place.CLOSED;
            return true;
        }
        if (!endOfLine(in)) {
            return false;
        }
        place = Place.HEADERS;
        searched = 0;
        return true;
    }

    /// Takes blanks and CR LF.
    ///
    /// @return false when they are not all there
    private boolean endOfLine(Buffer in) {
        while (in.isReadable()) {
            byte b = in.getByte(in.readOffset());
            if (b == ' ' || b == '\t') {
                in.skipReadable(1);
                ignore(1);
            } else if (b != '\r') {
                throw behindDelimiter(in);
            } else if (in.readableBytes() == 1) {
                return false;
            } else if (in.getByte(in.readOffset() + 1) != '\n') {
                throw behindDelimiter(in);
            } else {
                in.skipReadable(2);
                return true;
            }
        }
        return false;
    }

    private static FormException behindDelimiter(Buffer in) {
        return new FormException(
                "behind a boundary: "
                        + FormException.quote(in, in.readOffset(), in.readOffset() + 1)
                        + " (expected: CR LF, or --)");
    }

    private boolean headers(Buffer in, Consumer<? super FormEvent> out) {
        int start = in.readOffset();
        int end = endOfHeaders(in, start);
        if (end < 0) {
            searched = in.readableBytes();
            checkHeaderBytes(searched);
            return false;
        }
        checkHeaderBytes(end - start);
        PartStart part = part(in, start, end);
        in.readOffset(end);
        place = Place.CONTENT;
        // The CR LF of the empty line may be that of the delimiter: content without any bytes.
        matched = 2;
        held = 0;
        start(part, out);
        return true;
    }

    /// Returns the index behind the empty line, or -1.
    private int endOfHeaders(Buffer in, int start) {
        int at = start + searched;
        while (true) {
            int lf = in.indexOf((byte) '\n', at, in.writeOffset());
            if (lf < 0) {
                return -1;
            }
            int length = lf - start;
            boolean empty = length >= 1 && in.getByte(lf - 1) == '\r';
            boolean line = length == 1 || (length >= 2 && in.getByte(lf - 2) == '\n');
            if (empty && line) {
                return lf + 1;
            }
            at = lf + 1;
        }
    }

    private void checkHeaderBytes(int length) {
        if (length > limits.headerBytes()) {
            throw exceeded("header bytes of a part", limits.headerBytes());
        }
    }

    private PartStart part(Buffer in, int start, int end) {
        Headers headers;
        try {
            headers = Headers.parse(in, start, end - 2, 2);
        } catch (IllegalArgumentException e) {
            throw new FormException(String.valueOf(e.getMessage()));
        }
        PartStart part = PartHeaders.read(headers);
        checkName("a name", FileNames.length(part.name()));
        if (part.fileName() != null) {
            checkName("a file's name", FileNames.length(part.fileName()));
        }
        return part;
    }

    private boolean closed(Buffer in) {
        if (!endOfLine(in)) {
            return false;
        }
        place = Place.EPILOGUE;
        return true;
    }

    private boolean epilogue(Buffer in) {
        int length = in.readableBytes();
        if (length == 0) {
            return false;
        }
        in.skipReadable(length);
        ignore(length);
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super FormEvent> out) {
        if ((place != Place.CLOSED && place != Place.EPILOGUE) || unread > 0) {
            throw new PrematureEndException("a form, before the end of its last boundary");
        }
    }
}
