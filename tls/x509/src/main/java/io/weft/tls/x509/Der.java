package io.weft.tls.x509;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Writes ASN.1 in DER (X.690), the little that certificates need.
public final class Der {
    static final byte[] NULL = {5, 0};

    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter GENERALIZED_TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    /// An element of any kind, its contents one behind the other.
    public static byte[] tagged(int tag, byte[]... contents) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            all.writeBytes(content);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = all.size();
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int skip = bytes[0] == 0 ? 1 : 0;
            out.write(0x80 | (bytes.length - skip));
            out.write(bytes, skip, bytes.length - skip);
        }
        out.writeBytes(all.toByteArray());
        return out.toByteArray();
    }

    public static byte[] sequence(byte[]... contents) {
        return tagged(0x30, contents);
    }

    public static byte[] set(byte[]... contents) {
        return tagged(0x31, contents);
    }

    public static byte[] integer(long value) {
        return integer(BigInteger.valueOf(value));
    }

    public static byte[] integer(BigInteger value) {
        return tagged(2, value.toByteArray());
    }

    public static byte[] enumerated(int value) {
        return tagged(10, BigInteger.valueOf(value).toByteArray());
    }

    public static byte[] bool(boolean value) {
        return tagged(1, new byte[] {(byte) (value ? 0xff : 0)});
    }

    public static byte[] octets(byte[] value) {
        return tagged(4, value);
    }

    /// Whole bytes.
    public static byte[] bits(byte[] value) {
        return tagged(3, new byte[] {0}, value);
    }

    /// The bits named by their numbers, bit 0 first, as RFC 5280 does key usages.
    public static byte[] namedBits(Iterable<Integer> numbers) {
        int highest = -1;
        byte[] bytes = new byte[2];
        for (int number : numbers) {
            bytes[number / 8] |= (byte) (0x80 >> (number % 8));
            highest = Math.max(highest, number);
        }
        int length = highest / 8 + 1;
        byte[] content = new byte[1 + length];
        content[0] = (byte) (length * 8 - 1 - highest);
        System.arraycopy(bytes, 0, content, 1, length);
        return tagged(3, content);
    }

    public static byte[] ia5(String text) {
        return tagged(0x16, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// RFC 5280 section 4.1.2.5: two digits of the year until 2049.
    public static byte[] time(Instant at) {
        int year = at.atZone(ZoneOffset.UTC).getYear();
        return year < 1950 || year > 2049 ? generalizedTime(at) : tagged(0x17, ascii(UTC_TIME, at));
    }

    public static byte[] generalizedTime(Instant at) {
        return tagged(0x18, ascii(GENERALIZED_TIME, at));
    }

    private static byte[] ascii(DateTimeFormatter format, Instant at) {
        return format.format(at).getBytes(StandardCharsets.US_ASCII);
    }

    /// An object identifier, such as `1.2.840.10045.4.3.2`.
    public static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        base128(out, Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            base128(out, Integer.parseInt(arcs[i]));
        }
        return tagged(6, out.toByteArray());
    }

    private static void base128(ByteArrayOutputStream out, int value) {
        for (int shift = 28; shift > 0; shift -= 7) {
            if (value >>> shift != 0) {
                out.write(0x80 | (value >>> shift & 0x7f));
            }
        }
        out.write(value & 0x7f);
    }

    /// `[number] EXPLICIT`.
    public static byte[] explicit(int number, byte[]... contents) {
        return tagged(0xa0 | number, contents);
    }

    /// `[number] IMPLICIT` of something primitive.
    public static byte[] implicit(int number, byte[] content) {
        return tagged(0x80 | number, content);
    }
}
