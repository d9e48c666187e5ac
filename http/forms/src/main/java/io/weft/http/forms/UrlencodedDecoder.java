package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.forms.FormEvent.PartEnd;
import io.weft.http.forms.FormEvent.PartStart;
import io.weft.http.model.Headers;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes `application/x-www-form-urlencoded` as the WHATWG URL standard parses it: "&" separates,
/// "+" is a blank, a "%" that begins no two hex digits is itself, and names are UTF-8.
final class UrlencodedDecoder extends FormDecoder {
    private enum Place {
        /// Behind "&" or at the start: empty sequences are skipped.
        START,
        NAME,
        /// A part has begun.
        VALUE,
        /// The separator has been taken, and the end of the part is to be told.
        END
    }

    /// Bytes of a value that are looked at in one step.
    private static final int PIECE = 4096;

    /// A name, or a piece of a value.
    private final ByteArrayOutputStream decoded = new ByteArrayOutputStream(0);

    private Place place = Place.START;

    /// Characters of a percent-encoded byte that were seen: 0, 1 ("%") or 2 ("%" and a digit).
    private int escape;

    private byte digit;

    UrlencodedDecoder(FormLimits limits) {
        super(limits);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super FormEvent> out) {
        if (place == Place.END) {
            place = Place.START;
            out.accept(PartEnd.INSTANCE);
            return true;
        }
        if (!in.isReadable()) {
            return false;
        }
        return place == Place.VALUE ? value(in, out) : name(in, out);
    }

    private boolean name(Buffer in, Consumer<? super FormEvent> out) {
        int end = in.writeOffset();
        for (int i = in.readOffset(); i < end; i++) {
            byte b = in.getByte(i);
            if (b == '&' && place == Place.START) {
                continue;
            }
            place = Place.NAME;
            if (b == '=' || b == '&') {
                in.readOffset(i + 1);
                place = b == '=' ? Place.VALUE : Place.END;
                startPart(out);
                return true;
            }
            decode(b);
            checkName("a name", decoded.size());
        }
        in.readOffset(end);
        return false;
    }

    private void startPart(Consumer<? super FormEvent> out) {
        flush();
        checkName("a name", decoded.size());
        String text = decoded.toString(UTF_8);
        decoded.reset();
        start(new PartStart(text, null, null, Headers.EMPTY), out);
    }

    private boolean value(Buffer in, Consumer<? super FormEvent> out) {
        int from = in.readOffset();
        int limit = Math.min(in.writeOffset(), from + PIECE);
        int separator = in.indexOf((byte) '&', from, limit);
        int end = separator < 0 ? limit : separator;
        Buffer piece = piece(in, from, end, separator >= 0);
        in.readOffset(separator < 0 ? end : end + 1);
        if (separator >= 0) {
            place = Place.END;
        }
        if (piece != null) {
            data(piece, out);
        }
        return true;
    }

    /// Decodes bytes [from, to): a part of the input where nothing is encoded, else a copy.
    ///
    /// @return null for nothing
    private @Nullable Buffer piece(Buffer in, int from, int to, boolean last) {
        int plain = from;
        while (escape == 0 && plain < to && in.getByte(plain) != '%' && in.getByte(plain) != '+') {
            plain++;
        }
        if (plain == to && escape == 0) {
            return to == from ? null : in.split(to - from);
        }
        for (int i = from; i < to; i++) {
            decode(in.getByte(i));
        }
        if (last) {
            flush();
        }
        return take();
    }

    private @Nullable Buffer take() {
        if (decoded.size() == 0) {
            return null;
        }
        Buffer piece = BufferAllocator.pooled().allocate(decoded.size());
        piece.writeBytes(decoded.toByteArray());
        decoded.reset();
        return piece;
    }

    private void decode(byte b) {
        if (escape == 1 && Character.digit(b, 16) >= 0) {
            digit = b;
            escape = 2;
        } else if (escape == 2 && Character.digit(b, 16) >= 0) {
            decoded.write(Character.digit(digit, 16) << 4 | Character.digit(b, 16));
            escape = 0;
        } else {
            flush();
            if (b == '%') {
                escape = 1;
            } else {
                decoded.write(b == '+' ? ' ' : b);
            }
        }
    }

    /// Ends an escape that is none: its characters stay as they are.
    private void flush() {
        if (escape > 0) {
            decoded.write('%');
        }
        if (escape > 1) {
            decoded.write(digit);
        }
        escape = 0;
    }

    @Override
    protected void finish(int unread, Consumer<? super FormEvent> out) {
        if (place == Place.NAME) {
            startPart(out);
            out.accept(PartEnd.INSTANCE);
        } else if (place == Place.VALUE) {
            flush();
            Buffer rest = take();
            if (rest != null) {
                data(rest, out);
            }
            out.accept(PartEnd.INSTANCE);
        }
    }
}
