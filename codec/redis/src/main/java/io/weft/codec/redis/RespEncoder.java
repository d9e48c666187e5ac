package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.codec.redis.RespValue.Attributed;
import io.weft.codec.redis.RespValue.BigInt;
import io.weft.codec.redis.RespValue.Bool;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.BulkError;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Real;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespValue.Verbatim;
import java.util.List;

/// Writes values, whole or in parts, for the version that the peer speaks.
///
/// For RESP2 values that it does not have become those that Redis sends instead: maps, sets and
/// pushes arrays; doubles, big numbers and verbatim strings bulks; booleans 1 and 0; errors of any
/// bytes simple ones. Attributes are left out. What is written in parts must have a size then.
///
/// Content above 512 bytes travels as it is, uncopied.
public final class RespEncoder implements Encoder<RespPart> {
    private static final short CRLF = '\r' << 8 | '\n';

    /// Content up to this size is copied: a buffer of its own costs more.
    private static final int MAX_COPIED = 512;

    private RespVersion version;
    private final PartOrder order = new PartOrder();

    /// Writes RESP2, as connections begin.
    public RespEncoder() {
        this(RespVersion.RESP2);
    }

    public RespEncoder(RespVersion version) {
        this.version = version;
    }

    public RespVersion version() {
        return version;
    }

    /// Sets the version of what is written from now on: the answer to HELLO is the first.
    public void version(RespVersion version) {
        this.version = version;
    }

    /// @throws IllegalArgumentException when the part cannot be where it is: its aggregate or bulk
    ///     is not open, has another length or is not of this version
    @Override
    public void encode(RespPart part, Output out) {
        try (part) {
            order.check(part, version);
            switch (part) {
                case RespValue value -> write(value, out);
                case RespPart.AggregateStart start -> start(start, out);
                case RespPart.BulkStart start -> start(start, out);
                case RespPart.BulkChunk chunk -> chunk(chunk.content(), out);
                case RespPart.AggregateEnd _ -> {
                    if (order.isOpen()) {
                        out.buffer(3).writeByte('.').writeShort(CRLF);
                    }
                }
                case RespPart.BulkEnd _ -> {
                    if (order.isOpen()) {
                        out.buffer(4).writeInt(';' << 24 | '0' << 16 | CRLF);
                    } else {
                        out.buffer(2).writeShort(CRLF);
                    }
                }
            }
            order.accept(part);
        }
    }

    private void start(RespPart.AggregateStart start, Output out) {
        Buffer to = out.buffer(Decimal.MAX_LINE);
        if (start.size() == RespPart.OPEN) {
            open(to, start.type());
        } else if (version == RespVersion.RESP2) {
            Decimal.line(to, '*', start.type().isOfPairs() ? 2 * start.size() : start.size());
        } else {
            Decimal.line(to, start.type().prefix(), start.size());
        }
    }

    private static void start(RespPart.BulkStart start, Output out) {
        Buffer to = out.buffer(Decimal.MAX_LINE);
        if (start.length() == RespPart.OPEN) {
            open(to, start.type());
        } else {
            Decimal.line(to, start.type().prefix(), start.length());
        }
    }

    private static void open(Buffer to, RespType type) {
        to.writeInt(type.prefix() << 24 | '?' << 16 | CRLF);
    }

    private void chunk(Buffer content, Output out) {
        if (!content.isReadable()) {
            return; // in a streamed string it would be the end
        }
        if (order.isOpen()) {
            Decimal.line(out.buffer(Decimal.MAX_LINE), ';', content.readableBytes());
        }
        add(content, out);
        if (order.isOpen()) {
            out.buffer(2).writeShort(CRLF);
        }
    }

    /// Appends `content`, which stays the value's, and whose offsets stay: it is released when all
    /// is written.
    private static void add(Buffer content, Output out) {
        int length = content.readableBytes();
        if (length > MAX_COPIED) {
            out.add(content.retain());
            return;
        }
        Buffer to = out.buffer(length);
        int at = to.writeOffset();
        to.writeOffset(at + length).setBytes(at, content, content.readOffset(), length);
    }

    private void write(RespValue value, Output out) {
        boolean three = version == RespVersion.RESP3;
        switch (value) {
            case SimpleString s -> line('+', s.text(), out);
            case SimpleError e -> line('-', e.text(), out);
            case Int i -> Decimal.line(out.buffer(Decimal.MAX_LINE), ':', i.value());
            case Bulk b -> bulk('$', b.content(), out);
            case Null n -> nothing(n, out);
            case RespValue.Array a -> elements('*', a.elements(), 1, out);
            case RespValue.Set s -> elements(three ? '~' : '*', s.elements(), 1, out);
            case RespValue.Push p -> elements(three ? '>' : '*', p.elements(), 1, out);
            case RespValue.Map m -> elements(three ? '%' : '*', m.elements(), three ? 2 : 1, out);
            case Real r -> number(',', Doubles.text(r.value()), out);
            case BigInt b -> number('(', b.value().toString(), out);
            case Bool b ->
                    out.buffer(4)
                            .writeInt(
                                    three
                                            ? '#' << 24 | (b.value() ? 't' : 'f') << 16 | CRLF
                                            : ':' << 24 | (b.value() ? '1' : '0') << 16 | CRLF);
            case BulkError e -> {
                if (three) {
                    bulk('!', e.content(), out);
                } else {
                    String text = e.text().replace('\r', ' ').replace('\n', ' ');
                    line('-', text.replace('\0', ' '), out);
                }
            }
            case Verbatim v -> verbatim(v, out);
            case Attributed a -> {
                if (three) {
                    elements('|', a.attributes().elements(), 2, out);
                }
                write(a.value(), out);
            }
        }
    }

    private static void line(int prefix, String text, Output out) {
        Buffer to = out.buffer(text.length() + 3);
        if (text.length() == 2 && text.equals("OK")) {
            to.writeByte(prefix).writeInt('O' << 24 | 'K' << 16 | CRLF);
            return;
        }
        to.writeByte(prefix);
        var _ = to.writeUtf8(text);
        to.writeShort(CRLF);
    }

    /// A number that RESP2 has as a bulk.
    private void number(int prefix, String digits, Output out) {
        Buffer to = out.buffer(digits.length() + Decimal.MAX_LINE);
        if (version == RespVersion.RESP3) {
            to.writeByte(prefix);
        } else {
            Decimal.line(to, '$', digits.length());
        }
        to.writeAscii(digits).writeShort(CRLF);
    }

    private static void bulk(int prefix, Buffer content, Output out) {
        int length = content.readableBytes();
        Decimal.line(out.buffer(Decimal.MAX_LINE), prefix, length);
        add(content, out);
        out.buffer(2).writeShort(CRLF);
    }

    private void verbatim(Verbatim verbatim, Output out) {
        if (version == RespVersion.RESP2) {
            bulk('$', verbatim.content(), out);
            return;
        }
        Buffer to = out.buffer(Decimal.MAX_LINE + 4);
        Decimal.line(to, '=', verbatim.content().readableBytes() + 4L);
        to.writeAscii(verbatim.format()).writeByte(':');
        add(verbatim.content(), out);
        out.buffer(2).writeShort(CRLF);
    }

    private void nothing(Null which, Output out) {
        Buffer to = out.buffer(5);
        if (version == RespVersion.RESP3) {
            to.writeByte('_').writeShort(CRLF);
        } else {
            to.writeByte(which == Null.ARRAY ? '*' : '$').writeInt('-' << 24 | '1' << 16 | CRLF);
        }
    }

    /// @param each elements that count as one
    private void elements(int prefix, List<RespValue> elements, int each, Output out) {
        int size = elements.size();
        Decimal.line(out.buffer(Decimal.MAX_LINE), prefix, size / each);
        for (int i = 0; i < size; i++) {
            write(elements.get(i), out);
        }
    }
}
