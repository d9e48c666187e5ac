package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimServer.octets;
import static io.weft.resolver.dns.SimWorld.answer;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.Opcode;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Datagrams of a forger who knows the port of a query already, and more of it from case to case.
/// All come before the true response.
final class Forgeries {
    static final String EVIL = "203.0.113.66";

    /// A case of the table.
    record Forgery(String label, Function<DnsMessage, List<byte[]>> datagrams) {
        @Override
        public String toString() {
            return label;
        }
    }

    private static final List<Forgery> ALL = new ArrayList<>();

    private Forgeries() {}

    static List<Forgery> all() {
        if (ALL.isEmpty()) {
            ids();
            questions();
            spellings();
            cookies();
            malformed();
            truncated();
        }
        return ALL;
    }

    /// The response that the forger wants to be taken: right in all but what the case changes.
    static DnsMessage evil(DnsMessage query) {
        DnsName asked = query.questions().getFirst().name();
        DnsMessage forged = answer(query, asked + " 86400 A " + EVIL);
        Edns edns = query.edns();
        EdnsOption.Cookie cookie = Query.cookieOf(query);
        return edns == null || cookie == null
                ? forged
                : forged.edns(
                        Edns.DEFAULT.options(
                                new EdnsOption.Cookie(
                                        cookie.client(), Octets.ofHex("0011223344556677"))));
    }

    private static void one(String label, UnaryOperator<DnsMessage> change) {
        ALL.add(new Forgery(label, q -> List.of(octets(change.apply(evil(q))))));
    }

    private static void raw(String label, UnaryOperator<byte[]> change) {
        ALL.add(new Forgery(label, q -> List.of(change.apply(octets(evil(q))))));
    }

    private static void ids() {
        one("id: the next", m -> m.id(m.id() + 1 & 0xFFFF));
        one("id: the one before", m -> m.id(m.id() - 1 & 0xFFFF));
        one("id: its octets swapped", m -> m.id(swapped(m.id())));
        one("id: 0", m -> m.id(m.id() == 0 ? 1 : 0));
        one("id: 65535", m -> m.id(m.id() == 0xFFFF ? 1 : 0xFFFF));
        one("id: all bits but one", m -> m.id(m.id() ^ 0x8000));
        one("id: its complement", m -> m.id(m.id() ^ 0xFFFF));
        ALL.add(new Forgery("id: 15 at random", q -> random(q, 15)));
        ALL.add(new Forgery("id: 200 at random, a flood", q -> random(q, 200)));
        ALL.add(new Forgery("id: a walk through 200 others", Forgeries::walk));
        one("a query, with answers", m -> m.flags(m.flags().response(false)));
    }

    private static int swapped(int id) {
        int swapped = (id & 0xFF) << 8 | id >> 8;
        return swapped == id ? id ^ 1 : swapped;
    }

    private static List<byte[]> random(DnsMessage query, int count) {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        List<byte[]> all = new ArrayList<>();
        while (all.size() < count) {
            int id = random.nextInt(1 << 16);
            if (id != query.id()) {
                all.add(octets(evil(query).id(id)));
            }
        }
        return all;
    }

    private static List<byte[]> walk(DnsMessage query) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            all.add(octets(evil(query).id(query.id() + i & 0xFFFF)));
        }
        return all;
    }

    private static DnsMessage with(DnsMessage m, Opcode opcode, List<DnsQuestion> questions) {
        return new DnsMessage(
                m.id(),
                opcode,
                m.flags(),
                m.code(),
                questions,
                m.answers(),
                m.authorities(),
                m.additionals(),
                m.edns());
    }

    private static void question(String label, UnaryOperator<DnsQuestion> change) {
        one(
                "question: " + label,
                m -> with(m, m.opcode(), List.of(change.apply(m.questions().getFirst()))));
    }

    private static void name(String label, String other) {
        question(label, q -> new DnsQuestion(SimWorld.name(other), q.type(), q.recordClass()));
    }

    private static void questions() {
        one("opcode STATUS", m -> with(m, Opcode.of(2), m.questions()));
        one("opcode NOTIFY", m -> with(m, Opcode.of(4), m.questions()));
        one("opcode IQUERY", m -> with(m, Opcode.of(1), m.questions()));
        one("question: none", m -> with(m, m.opcode(), List.of()));
        name("another name", "www.bank.example.");
        name("a name below", "a.www.example.com.");
        name("the name above", "example.com.");
        name("a name beside", "ww.example.com.");
        name("the name as a prefix", "www.example.com.evil.example.");
        name("the root", ".");
        name("a zero in it", "www\\000.example.com.");
        name("a dot in a label", "www\\.example.com.");
        name("a letter of another script", "www.ex\\228mple.com.");
        question("another type", q -> new DnsQuestion(q.name(), RecordType.AAAA));
        question("any type", q -> new DnsQuestion(q.name(), RecordType.ANY));
        question("its CNAME", q -> new DnsQuestion(q.name(), RecordType.CNAME));
        question("of CHAOS", q -> new DnsQuestion(q.name(), q.type(), RecordClass.CH));
        question("of any class", q -> new DnsQuestion(q.name(), q.type(), RecordClass.ANY));
        question("of HESIOD", q -> new DnsQuestion(q.name(), q.type(), RecordClass.HS));
        raw("question: two", m -> set16(m, 4, 2));
        raw("question: counted, but not there", m -> set16(Arrays.copyOf(m, 12), 4, 1));
    }

    private static void spelled(String label, UnaryOperator<String> spelling) {
        question(
                label,
                q -> {
                    DnsName other = SimWorld.name(spelling.apply(q.name().toString()));
                    return new DnsQuestion(
                            other.equalsExactly(q.name())
                                    ? SimWorld.name(flipped(q.name().toString(), 0))
                                    : other,
                            q.type());
                });
    }

    private static String flipped(String text, int index) {
        char[] all = text.toCharArray();
        all[index] = (char) (all[index] ^ 0x20);
        return new String(all);
    }

    private static void spellings() {
        spelled("in lower case", s -> s.toLowerCase(java.util.Locale.ROOT));
        spelled("in upper case", s -> s.toUpperCase(java.util.Locale.ROOT));
        spelled("its first letter in the other case", s -> flipped(s, 0));
        spelled("its last letter in the other case", s -> flipped(s, s.length() - 2));
    }

    private static void cookie(String label, UnaryOperator<EdnsOption.Cookie> change) {
        one(
                "cookie: " + label,
                m ->
                        m.edns(
                                Edns.DEFAULT.options(
                                        change.apply(
                                                java.util.Objects.requireNonNull(
                                                        Query.cookieOf(m))))));
    }

    private static void cookies() {
        cookie("another", c -> new EdnsOption.Cookie(Octets.ofHex("0102030405060708"), c.server()));
        cookie("one bit differs", c -> new EdnsOption.Cookie(bit(c.client()), c.server()));
        cookie("the server's alone", c -> new EdnsOption.Cookie(c.server(), c.server()));
        one("cookie: another, with BADCOOKIE", Forgeries::badCookie);
        one("cookie: none, though the server has one", m -> m.edns(Edns.DEFAULT));
        one("cookie: none, and no EDNS", m -> m.edns(null));
        one(
                "cookie: none, and a refusal",
                m -> m.response(ResponseCode.REFUSED, List.of()).flags(m.flags()).edns(null));
        one(
                "cookie: none, and NXDOMAIN",
                m -> m.response(ResponseCode.NXDOMAIN, List.of()).flags(m.flags()).edns(null));
    }

    private static DnsMessage badCookie(DnsMessage m) {
        Octets other = Octets.ofHex("0102030405060708");
        return m.response(ResponseCode.BADCOOKIE, List.of())
                .flags(m.flags())
                .edns(Edns.DEFAULT.options(new EdnsOption.Cookie(other, other)));
    }

    private static Octets bit(Octets octets) {
        byte[] changed = octets.toArray();
        changed[7] ^= 1;
        return Octets.of(changed);
    }

    private static byte[] set16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >> 8);
        octets[at + 1] = (byte) value;
        return octets;
    }

    /// The offset of the answer record: behind the header and the question.
    private static int record(byte[] message) {
        int at = 12;
        while (message[at] != 0) {
            at += message[at] + 1;
        }
        return at + 5;
    }

    private static byte[] set(byte[] octets, int at, int value) {
        octets[at] = (byte) value;
        return octets;
    }

    private static void malformed() {
        raw("malformed: nothing", m -> new byte[0]);
        raw("malformed: an id alone", m -> Arrays.copyOf(m, 2));
        raw("malformed: a header alone", m -> Arrays.copyOf(m, 12));
        raw("malformed: cut off in the question", m -> Arrays.copyOf(m, 20));
        raw("malformed: cut off in the answer", m -> Arrays.copyOf(m, record(m) + 11));
        raw("malformed: octets behind it", m -> Arrays.copyOf(m, m.length + 1));
        raw("malformed: a pointer to itself", m -> set16(m, record(m), 0xC000 | record(m)));
        raw("malformed: a pointer forward", m -> set16(m, record(m), 0xC000 | record(m) + 4));
        raw("malformed: a pointer into the header", m -> set16(m, record(m), 0xC000));
        raw("malformed: a label of another kind", m -> set(m, 12, 0x43));
        raw("malformed: more answers counted", m -> set16(m, 6, 2));
        raw("malformed: 65535 answers counted", m -> set16(m, 6, 0xFFFF));
        raw("malformed: fewer answers counted", m -> set16(m, 6, 0));
        raw("malformed: an address of 5 octets", m -> set16(m, record(m) + 10, 5));
        raw("malformed: an address of 0 octets", m -> set16(m, record(m) + 10, 0));
        raw("malformed: OPT among the answers", m -> set16(m, record(m) + 2, 41));
    }

    private static void truncated() {
        one("TC: with an answer that is complete", m -> m.flags(m.flags().truncated(true)));
        raw(
                "TC: cut off within the answer",
                m -> {
                    byte[] cut = Arrays.copyOf(m, record(m) + 11);
                    cut[2] |= 2;
                    return cut;
                });
        one(
                "length: as of fragments",
                m -> m.edns(m.edns() == null ? null : m.edns().options(padded(m))));
    }

    /// The cookie, and so much padding that the message is above 1232 octets.
    private static EdnsOption[] padded(DnsMessage m) {
        List<EdnsOption> options = new ArrayList<>();
        EdnsOption.Cookie cookie = Query.cookieOf(m);
        if (cookie != null) {
            options.add(cookie);
        }
        options.add(new EdnsOption.Padding(1300));
        return options.toArray(EdnsOption[]::new);
    }
}
