package io.weft.codec.dns;

import java.util.ArrayList;
import java.util.List;

/// Messages that break a rule, by class, each with the fault that it has.
final class Malformed {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Vector(String what, byte[] wire, DnsFault fault) {
        @Override
        public String toString() {
            return fault + ": " + what;
        }
    }

    private static final String QUERY = "1234 0100 0001 0000 0000 0000";
    private static final String EXAMPLE = "07 6578616d706c65 03 636f6d 00";
    private static final String QUESTION = EXAMPLE + "0001 0001";

    private final List<Vector> vectors = new ArrayList<>();

    private Malformed() {}

    static List<Vector> vectors() {
        Malformed m = new Malformed();
        m.headers();
        m.labels();
        m.pointers();
        m.counts();
        m.lengths();
        m.values();
        m.edns();
        m.tsig();
        m.kinds();
        return m.vectors;
    }

    private void add(DnsFault fault, String what, String hex) {
        vectors.add(new Vector(what, Corpus.hex(hex), fault));
    }

    private static String header(int qd, int an, int ns, int ar) {
        return String.format("1234 8180 %04x %04x %04x %04x", qd, an, ns, ar);
    }

    /// One answer to `example.com` whose name is a pointer to the question's.
    private static String answer(int type, int length, String data) {
        return header(1, 1, 0, 0)
                + QUESTION
                + String.format("c00c %04x 0001 00000e10 %04x", type, length)
                + data;
    }

    private void data(DnsFault fault, String what, int type, String data) {
        add(fault, what, answer(type, Corpus.hex(data).length, data));
    }

    private void headers() {
        String all = "123401000001000000000000";
        for (int octets = 0; octets < 12; octets++) {
            add(DnsFault.CUT_OFF, "header of " + octets, all.substring(0, 2 * octets));
        }
    }

    private void labels() {
        for (int type : new int[] {0x40, 0x41, 0x7F, 0x80, 0x81, 0xBF}) {
            String octet = String.format("%02x", type);
            String rest = "00".repeat(70);
            add(DnsFault.LABEL_TYPE, "label " + octet, QUERY + octet + rest);
            add(DnsFault.LABEL_TYPE, "second label " + octet, QUERY + "0161" + octet + rest);
        }
        String label = "3f" + "61".repeat(63);
        String most = label.repeat(3) + "3d" + "61".repeat(61);
        String more = label.repeat(3) + "3e" + "61".repeat(62);
        add(DnsFault.NAME_TOO_LONG, "256 octets", QUERY + more + "00 0001 0001");
        add(DnsFault.NAME_TOO_LONG, "4 labels of 63", QUERY + label.repeat(4) + "00 0001 0001");
        add(DnsFault.NAME_TOO_LONG, "128 labels", QUERY + "0161".repeat(128) + "00 0001 0001");
        String question = header(1, 1, 0, 0) + most + "00 0001 0001";
        add(
                DnsFault.NAME_TOO_LONG,
                "a label before a pointer to 255",
                question + "0161 c00c 0001 0001 00000000 0004 01020304");
        add(
                DnsFault.NAME_TOO_LONG,
                "pointers to parts",
                header(2, 0, 0, 0).replace("8180", "9180")
                        + label.repeat(2)
                        + "00 0001 0001"
                        + label.repeat(2)
                        + "c00c 0001 0001");
        add(DnsFault.CUT_OFF, "name without an end", QUERY + "0161 0162 0163 01");
        add(DnsFault.CUT_OFF, "label beyond the message", QUERY + "3f 6161 616161");
        add(DnsFault.CUT_OFF, "no type", QUERY + EXAMPLE);
        add(DnsFault.CUT_OFF, "half a type", QUERY + EXAMPLE + "00");
        add(DnsFault.CUT_OFF, "no class", QUERY + EXAMPLE + "0001");
    }

    private void pointers() {
        add(DnsFault.POINTER, "to itself", QUERY + "c00c 0001 0001");
        add(DnsFault.POINTER, "to its labels", QUERY + "0161 c00c 0001 0001");
        add(DnsFault.POINTER, "to itself behind labels", QUERY + "0161 c00e 0001 0001");
        add(DnsFault.POINTER, "forward", QUERY + "c010 0001 0001 0161 00");
        add(DnsFault.POINTER, "beyond the message", QUERY + "ffff 0001 0001");
        for (int i = 0; i < 12; i++) {
            add(
                    DnsFault.POINTER,
                    "into the header at " + i,
                    QUERY + String.format("c0%02x 0001 0001", i));
        }
        String answer = header(1, 1, 0, 0) + QUESTION;
        add(DnsFault.POINTER, "answer to itself", answer + "c01d 0001 0001 00000000 0004 01020304");
        add(DnsFault.POINTER, "answer forward", answer + "c01f 0001 0001 00000000 0004 01020304");
        add(
                DnsFault.POINTER,
                "two pointers to each other",
                header(0, 2, 0, 0) + "c017 fde8 0001 00000000 0000 c00c fde8 0001 00000000 0000");
        add(
                DnsFault.POINTER,
                "loop in data",
                header(0, 2, 0, 0)
                        + "00 fde8 0001 00000000 0004 c017 c017"
                        + "c017 fde8 0001 00000000 0000");
        add(
                DnsFault.POINTER,
                "loop through labels in data",
                header(0, 2, 0, 0)
                        + "00 fde8 0001 00000000 0004 0161 c017"
                        + "c017 fde8 0001 00000000 0000");
        add(
                DnsFault.POINTER,
                "chain of 128",
                header(0, 2, 0, 0)
                        + "00 fde8 0001 00000000 0103 00"
                        + chain(0x17, 129)
                        + String.format("c%03x", 0x18 + 2 * 128)
                        + "fde8 0001 00000000 0000");
        add(
                DnsFault.LABEL_TYPE,
                "to a label of another type",
                header(0, 2, 0, 0)
                        + "00 fde8 0001 00000000 0001 80"
                        + "c017 fde8 0001 00000000 0000");
        add(DnsFault.CUT_OFF, "half a pointer", QUERY + "0161 0162 01c0".repeat(1) + "c0");
        data(
                DnsFault.POINTER,
                "in RRSIG",
                46,
                "0001 05 03 00015180 00000000 00000000 0001 c00c 00");
        data(DnsFault.POINTER, "in SVCB", 64, "0001 c00c");
        data(DnsFault.POINTER, "in HTTPS", 65, "0001 0161 c00c");
        data(DnsFault.POINTER, "in TKEY", 249, "c00c" + "00".repeat(16));
        data(DnsFault.POINTER, "in CNAME to itself", 5, "c029");
        data(DnsFault.POINTER, "in MX forward", 15, "000a c0ff");
        data(DnsFault.POINTER, "in SOA to its second name", 6, "c02b 00" + "00".repeat(20));
    }

    /// Pointers of which each leads to the one before, the first to `at`.
    private static String chain(int at, int count) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hex.append(String.format("c%03x", i == 0 ? at : at + 1 + 2 * (i - 1)));
        }
        return hex.toString();
    }

    private void counts() {
        add(DnsFault.COUNT, "65535 questions", header(0xFFFF, 0, 0, 0) + QUESTION);
        add(DnsFault.COUNT, "65535 answers", header(1, 0xFFFF, 0, 0) + QUESTION);
        add(DnsFault.COUNT, "65535 authorities", header(1, 0, 0xFFFF, 0) + QUESTION);
        add(DnsFault.COUNT, "65535 additionals", header(1, 0, 0, 0xFFFF) + QUESTION);
        add(DnsFault.COUNT, "a question that is not there", QUERY);
        add(DnsFault.CUT_OFF, "an answer that is not there", header(1, 1, 0, 0) + QUESTION);
        add(DnsFault.COUNT, "all at most", header(0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF));
        add(
                DnsFault.CUT_OFF,
                "two answers, one there",
                header(1, 2, 0, 0)
                        + QUESTION
                        + "c00c 0010 0001 00000000 0010 0f"
                        + "61".repeat(15));
        add(DnsFault.TRAILING_BYTES, "a byte", QUERY + QUESTION + "00");
        add(DnsFault.TRAILING_BYTES, "a question", QUERY + QUESTION + QUESTION);
        add(DnsFault.TRAILING_BYTES, "behind a header", "1234 0100 0000 0000 0000 0000 00");
        add(
                DnsFault.TRAILING_BYTES,
                "a record",
                header(1, 0, 0, 0) + QUESTION + "c00c 0001 0001 00000e10 0004 01020304");
        add(DnsFault.QUESTIONS, "two of a query", header(2, 0, 0, 0) + QUESTION + "c00c 0001 0001");
        add(DnsFault.QUESTIONS, "none of an update", "1234 2800 0000 0000 0000 0000");
        add(
                DnsFault.QUESTIONS,
                "two of an update",
                "1234 2800 0002 0000 0000 0000" + QUESTION + "c00c 0001 0001");
        add(
                DnsFault.LIMIT,
                "8193 records",
                header(0, 8193, 0, 0).replace("8180", "8180")
                        + "00fde80001000000000000".repeat(8193));
        StringBuilder names = new StringBuilder(header(0, 3801, 0, 0));
        names.append("3f").append("61".repeat(63)).append(("3f" + "62".repeat(63)).repeat(2));
        names.append("3b").append("63".repeat(59)).append("00 fde8 0001 00000000 0000");
        for (int i = 0; i < 3800; i++) {
            names.append("0178 c00c fde8 0001 00000000 0000");
        }
        add(DnsFault.LIMIT, "names behind pointers", names.toString());
    }

    private void lengths() {
        data(DnsFault.DATA_LENGTH, "A of none", 1, "");
        data(DnsFault.DATA_LENGTH, "A of 3", 1, "010203");
        data(DnsFault.DATA_LENGTH, "A of 5", 1, "0102030405");
        data(DnsFault.DATA_LENGTH, "AAAA of 4", 28, "01020304");
        data(DnsFault.DATA_LENGTH, "AAAA of 17", 28, "00".repeat(17));
        data(DnsFault.DATA_LENGTH, "NS of none", 2, "");
        data(DnsFault.DATA_LENGTH, "CNAME without an end", 5, "0161");
        data(DnsFault.DATA_LENGTH, "CNAME with half a pointer", 5, "0161c0");
        data(DnsFault.DATA_LENGTH, "PTR with more behind it", 12, "c00c00");
        data(DnsFault.DATA_LENGTH, "MX of 2", 15, "000a");
        data(DnsFault.DATA_LENGTH, "MX with more", 15, "000a c00c 01");
        data(DnsFault.DATA_LENGTH, "SOA without numbers", 6, "c00c c00c");
        data(DnsFault.DATA_LENGTH, "SOA of 19 in numbers", 6, "c00c c00c" + "00".repeat(19));
        data(DnsFault.DATA_LENGTH, "SOA of 21 in numbers", 6, "c00c c00c" + "00".repeat(21));
        data(DnsFault.DATA_LENGTH, "TXT of no string", 16, "");
        data(DnsFault.DATA_LENGTH, "TXT cut off", 16, "05 616161");
        data(DnsFault.DATA_LENGTH, "second TXT cut off", 16, "01 61 02 61");
        data(DnsFault.DATA_LENGTH, "HINFO of one string", 13, "0161");
        data(DnsFault.DATA_LENGTH, "HINFO of three strings", 13, "0161 0161 0161");
        data(DnsFault.DATA_LENGTH, "SRV of 6", 33, "000100010001");
        data(DnsFault.DATA_LENGTH, "NAPTR cut off", 35, "00010001 00 00 05 61");
        data(DnsFault.DATA_LENGTH, "DS of 3", 43, "000108");
        data(DnsFault.DATA_LENGTH, "NSEC3 of salt", 50, "01 00 0001 08 0102");
        data(DnsFault.DATA_LENGTH, "NSEC3PARAM with more", 51, "01 00 0001 00 00");
        data(DnsFault.DATA_LENGTH, "CAA tag", 257, "00 0a 6161");
        data(DnsFault.DATA_LENGTH, "TKEY key", 249, "00" + "00".repeat(12) + "0010 0000");
        data(
                DnsFault.DATA_LENGTH,
                "LOC of 15",
                29,
                "00 12 16 13" + "80000000".repeat(2) + "000000");
        data(DnsFault.DATA_LENGTH, "SVCB parameter", 64, "0001 00 0003 0004 0000");
        data(DnsFault.DATA_LENGTH, "SVCB port of 3", 64, "0001 00 0003 0003 000001");
        data(DnsFault.DATA_LENGTH, "SVCB hint of 5", 64, "0001 00 0004 0005 0102030405");
        data(DnsFault.DATA_LENGTH, "SVCB alpn cut off", 64, "0001 00 0001 0002 0261");
        add(DnsFault.CUT_OFF, "data beyond the message", answer(1, 5, "01020304"));
        add(DnsFault.CUT_OFF, "data of 65535", answer(16, 65_535, "0161"));
        add(DnsFault.DATA_LENGTH, "name beyond its data", answer(5, 1, "0161 00"));
    }

    private void values() {
        data(DnsFault.DATA, "LOC of version 1", 29, "01" + "00".repeat(15));
        data(DnsFault.DATA, "LOC of size 0xa0", 29, "00a0" + "00".repeat(14));
        data(DnsFault.DATA, "LOC beyond a pole", 29, "00121613 ffffffff 80000000 00000000");
        data(DnsFault.DATA, "DS digest of SHA-256 of 20", 43, "0001 08 02" + "00".repeat(20));
        data(DnsFault.DATA, "DS without a digest", 43, "0001 08 09");
        data(DnsFault.DATA, "SSHFP of SHA-1 of 4", 44, "01 01 01020304");
        data(DnsFault.DATA, "DNSKEY without a key", 48, "0100 03 08");
        data(DnsFault.DATA, "NSEC without types", 47, "00");
        data(DnsFault.DATA, "NSEC with a window of 0", 47, "00 00 00");
        data(DnsFault.DATA, "NSEC with a window of 33", 47, "00 00 21" + "01".repeat(33));
        data(DnsFault.DATA, "NSEC with windows that fall", 47, "00 01 01 01 00 01 01");
        data(DnsFault.DATA, "NSEC with a window twice", 47, "00 00 01 01 00 01 01");
        data(DnsFault.DATA, "NSEC with a zero at the end", 47, "00 00 02 4000");
        data(DnsFault.DATA, "NSEC with a window cut off", 47, "00 00 04 4000");
        data(DnsFault.DATA, "NSEC3 without a hash", 50, "01 00 0001 00 00");
        data(DnsFault.DATA, "CAA without a tag", 257, "00 00 61");
        data(DnsFault.DATA, "CAA tag of other characters", 257, "00 01 2d 61");
        data(DnsFault.DATA, "URI without a target", 256, "0001 0001");
        data(DnsFault.DATA, "ZONEMD of 11", 63, "00000001 01 f0" + "00".repeat(11));
        data(DnsFault.DATA, "RRSIG without a signature", 46, "0001 05 03" + "00".repeat(14) + "00");
        data(DnsFault.DATA, "SVCB keys that fall", 64, "0001 00 0003 0002 0001 0001 0002 0161");
        data(DnsFault.DATA, "SVCB key twice", 64, "0001 00 0003 0002 0001 0003 0002 0001");
        data(DnsFault.DATA, "SVCB mandatory that is missing", 64, "0001 00 0000 0002 0003");
        data(DnsFault.DATA, "SVCB mandatory itself", 64, "0001 00 0000 0002 0000");
        data(DnsFault.DATA, "SVCB no mandatory", 64, "0001 00 0000 0000");
        data(DnsFault.DATA, "SVCB alpn of none", 64, "0001 00 0001 0000");
        data(DnsFault.DATA, "SVCB alpn of no octets", 64, "0001 00 0001 0001 00");
        data(DnsFault.DATA_LENGTH, "SVCB no-default-alpn with data", 64, "0001 00 0002 0001 00");
        data(DnsFault.DATA, "SVCB no-default-alpn alone", 64, "0001 00 0002 0000");
        data(DnsFault.DATA, "SVCB no hints", 64, "0001 00 0004 0000");
        data(DnsFault.RECORD, "record of type ANY", 255, "");
        data(DnsFault.RECORD, "record of type AXFR", 252, "00");
        data(DnsFault.RECORD, "record of type MAILB", 253, "00");
    }

    private void option(DnsFault fault, String what, int code, String data) {
        int length = Corpus.hex(data).length;
        add(
                fault,
                what,
                header(1, 0, 0, 1)
                        + QUESTION
                        + String.format(
                                "00 0029 04d0 00000000 %04x %04x %04x", length + 4, code, length)
                        + data);
    }

    private void edns() {
        String opt = "00 0029 04d0 00000000 0000";
        add(DnsFault.OPT, "twice", header(1, 0, 0, 2) + QUESTION + opt + opt);
        add(DnsFault.OPT, "an answer", header(1, 1, 0, 0) + QUESTION + opt);
        add(DnsFault.OPT, "an authority", header(1, 0, 1, 0) + QUESTION + opt);
        add(DnsFault.OPT, "with a name", header(1, 0, 0, 1) + QUESTION + "0161" + opt);
        add(
                DnsFault.OPT,
                "with a pointer",
                header(1, 0, 0, 1) + QUESTION + "c00c" + opt.substring(2));
        for (int version : new int[] {1, 2, 255}) {
            add(
                    DnsFault.EDNS_VERSION,
                    "version " + version,
                    header(1, 0, 0, 1)
                            + QUESTION
                            + String.format("00 0029 04d0 00%02x0000 0000", version));
        }
        String begun = header(1, 0, 0, 1) + QUESTION + "00 0029 04d0 00000000 ";
        add(DnsFault.DATA_LENGTH, "half a code", begun + "0001 00");
        add(DnsFault.DATA_LENGTH, "no length", begun + "0002 0003");
        add(DnsFault.DATA_LENGTH, "option beyond", begun + "0004 0003 0001");
        add(DnsFault.DATA_LENGTH, "65535 octets", begun + "0004 0003 ffff");
        add(DnsFault.CUT_OFF, "options beyond the message", begun + "0005 0003 0000");
        option(DnsFault.DATA_LENGTH, "subnet of 3", 8, "000118");
        option(DnsFault.DATA, "subnet with too few octets", 8, "0001 18 00 c000");
        option(DnsFault.DATA, "subnet with too many octets", 8, "0001 18 00 c0000201");
        option(DnsFault.DATA, "subnet with bits behind it", 8, "0001 17 00 c00001");
        option(DnsFault.DATA, "subnet of 33 bits", 8, "0001 21 00 c000020100");
        option(DnsFault.DATA, "subnet with scope 33", 8, "0001 18 21 c00002");
        option(DnsFault.DATA, "subnet of family 3", 8, "0003 00 00");
        option(DnsFault.DATA_LENGTH, "cookie of 7", 10, "00".repeat(7));
        option(DnsFault.DATA, "cookie of 9", 10, "00".repeat(9));
        option(DnsFault.DATA, "cookie of 41", 10, "00".repeat(41));
        option(DnsFault.DATA_LENGTH, "keepalive of 1", 11, "00");
        option(DnsFault.DATA_LENGTH, "keepalive of 3", 11, "000000");
        option(DnsFault.DATA_LENGTH, "error of 1", 15, "00");
    }

    private void tsig() {
        String data = "0161 00 000000000000 012c 0000 1234 0000 0000";
        String good = "00 00fa 00ff 00000000 0013" + data;
        String other = "00 fde8 0001 00000000 0000";
        add(DnsFault.TSIG, "before another", header(1, 0, 0, 2) + QUESTION + good + other);
        add(DnsFault.TSIG, "twice", header(1, 0, 0, 2) + QUESTION + good + good);
        add(DnsFault.TSIG, "an answer", header(1, 1, 0, 0) + QUESTION + good);
        add(DnsFault.TSIG, "an authority", header(1, 0, 1, 0) + QUESTION + good);
        String opt = "00 0029 04d0 00000000 0000";
        add(DnsFault.TSIG, "before OPT", header(1, 0, 0, 2) + QUESTION + good + opt);
        String classed = good.replace("00ff", "0001");
        add(DnsFault.RECORD, "of class IN", header(1, 0, 0, 1) + QUESTION + classed);
        String kept = good.replace("00ff 00000000", "00ff 00000001");
        add(DnsFault.RECORD, "with a TTL", header(1, 0, 0, 1) + QUESTION + kept);
    }

    private void kinds() {
        for (int opcode : new int[] {3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
            add(
                    DnsFault.OPCODE,
                    "opcode " + opcode,
                    String.format("1234 %04x 0000 0000 0000 0000", opcode << 11));
        }
    }
}
