package io.weft.codec.dns;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Data of all types with a form of their own, at random but valid, as octets.
///
/// A form is a word for each field: a number of octets; `n` a name; `s` a string behind its length;
/// `r` octets up to the end; `b` a bitmap of types, `B` one with a
/// type at least; `=` a number as it is. The rest is what one type has.
final class RandomRdata {
    private static final String[] FORMS = {
        "A 4",
        "NS n",
        "CNAME n",
        "SOA n n 4 4 4 4 4",
        "PTR n",
        "HINFO s s",
        "MX 2 n",
        "TXT s",
        "TXT s s s",
        "AAAA 16",
        "LOC l",
        "SRV 2 2 2 n",
        "NAPTR 2 2 s s s n",
        "DNAME n",
        "DS 2 1 =9 r",
        "DS 2 1 =2 r32",
        "SSHFP 1 =3 r",
        "SSHFP 1 =2 r32",
        "SSHFP 1 =1 r20",
        "RRSIG 2 1 1 4 4 4 2 n r",
        "NSEC n B",
        "DNSKEY 2 =3 1 r",
        "NSEC3 1 1 2 s h b",
        "NSEC3PARAM 1 1 2 s",
        "TLSA 1 1 =0 r",
        "TLSA 1 1 =1 r32",
        "SMIMEA 1 1 =2 r64",
        "CDS 2 1 =9 r",
        "CDS 2 1 =2 r32",
        "CDNSKEY 2 =3 1 r",
        "OPENPGPKEY r",
        "CSYNC 4 2 b",
        "ZONEMD 4 =1 =1 r48",
        "ZONEMD 4 =9 =9 r12",
        "SVCB p n v",
        "HTTPS p n v",
        "URI 2 2 u",
        "CAA 1 c r",
        "TYPE65280 r",
    };

    /// Bits of types of the first window that all peers know by name.
    private static final int[] KNOWN = {0x62, 0x0D, 0x80, 0x0C, 0x50, 0x13, 0xA8};

    /// @param type of the data
    @SuppressWarnings("ArrayRecordComponent") // of a test, and nobody compares entries
    record Entry(RecordType type, byte[] octets) {}

    private final Random random;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();

    RandomRdata(long seed) {
        random = new Random(seed);
    }

    /// Returns `rounds` entries of each form.
    List<Entry> entries(int rounds) {
        List<Entry> entries = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (String form : FORMS) {
                String[] words = form.split(" ", -1);
                out = new ByteArrayOutputStream();
                for (int i = 1; i < words.length; i++) {
                    field(words[i]);
                }
                entries.add(new Entry(RecordType.parse(words[0]), out.toByteArray()));
            }
        }
        return entries;
    }

    private void field(String word) {
        switch (word.charAt(0)) {
            case 'n' -> name();
            case 's' -> string(random.nextInt(5) == 0 ? 0 : random.nextInt(20));
            case 'h' -> string(1 + random.nextInt(32));
            case 'c' -> tag();
            case 'b' -> bitmap(random.nextInt(4));
            case 'B' -> bitmap(1 + random.nextInt(3));
            case 'l' -> place();
            case 'p' -> number(2, 1 + random.nextInt(0xFFFF));
            case 'v' -> parameters();
            case 'u' -> octets(1 + random.nextInt(30), true);
            case 'r' ->
                    octets(
                            word.length() > 1
                                    ? Integer.parseInt(word.substring(1))
                                    : 1 + random.nextInt(40),
                            false);
            case '=' -> out.write(Integer.parseInt(word.substring(1)));
            default -> octets(Integer.parseInt(word), false);
        }
    }

    private void number(int octets, long value) {
        for (int i = octets - 1; i >= 0; i--) {
            out.write((int) (value >> (8 * i)));
        }
    }

    /// Octets that are often text, and often what text has to escape.
    private void octets(int count, boolean text) {
        for (int i = 0; i < count; i++) {
            out.write(
                    switch (random.nextInt(text ? 3 : 1)) {
                        case 1 -> 'a' + random.nextInt(26);
                        case 2 -> "\"\\;()@$. ,=\t\n\r#*/".charAt(random.nextInt(17));
                        default -> random.nextInt(256);
                    });
        }
    }

    private void string(int length) {
        out.write(length);
        octets(length, true);
    }

    private void tag() {
        int length = 1 + random.nextInt(10);
        out.write(length);
        for (int i = 0; i < length; i++) {
            out.write("abcXYZ019".charAt(random.nextInt(9)));
        }
    }

    private void name() {
        int labels = random.nextInt(5);
        for (int i = 0; i < labels; i++) {
            string(1 + random.nextInt(random.nextInt(9) == 0 ? 50 : 12));
        }
        out.write(0);
    }

    private void bitmap(int windows) {
        int window = 0;
        for (int i = 0; i < windows; i++) {
            int length = 1 + random.nextInt(KNOWN.length);
            out.write(window);
            out.write(length);
            for (int j = 0; j < length; j++) {
                int allowed = window == 0 ? KNOWN[j] : 0xFF;
                int last = j == length - 1 ? Integer.lowestOneBit(allowed) : 0; // no zeros there
                out.write((random.nextInt(256) & allowed) | last);
            }
            window += 2 + random.nextInt(100);
        }
    }

    private void place() {
        out.write(0);
        for (int i = 0; i < 3; i++) {
            int digit = random.nextInt(10);
            out.write(digit << 4 | (digit == 0 ? 0 : random.nextInt(10)));
        }
        number(4, (1L << 31) + random.nextInt(-324_000_000, 324_000_001));
        number(4, (1L << 31) + random.nextInt(-648_000_000, 648_000_001));
        number(4, random.nextInt());
    }

    private void parameters() {
        for (int key : new int[] {0, 1, 2, 3, 4, 6, 7, 9, 667, 65_000}) {
            boolean first = key == 1 || key == 3; // the others may need them
            if (!first && random.nextBoolean()) {
                continue;
            }
            number(2, key);
            ByteArrayOutputStream all = out;
            out = new ByteArrayOutputStream();
            switch (key) {
                case 0 -> number(4, 0x0001_0003);
                case 1 -> {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        string(1 + random.nextInt(8));
                    }
                }
                case 2 -> {}
                case 3 -> octets(2, false);
                case 4 -> octets(4 * (1 + random.nextInt(3)), false);
                case 6 -> octets(16 * (1 + random.nextInt(3)), false);
                case 7 ->
                        out.writeBytes(
                                "/dns-query{?dns}"
                                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                default -> octets(1 + random.nextInt(20), true);
            }
            byte[] value = out.toByteArray();
            out = all;
            number(2, value.length);
            out.writeBytes(value);
        }
    }
}
