package io.weft.codec.dns;

import io.weft.codec.dns.rdata.Empty;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Tsig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads messages, one at a time.
final class MessageReader {
    /// Octets of a question and of a record at the least.
    private static final int MIN_QUESTION = 5;

    private static final int MIN_RECORD = 11;
    private static final int OPT = 41;
    private static final int ANY = 255;
    private static final int NONE = 254;

    private final WireReader in = new WireReader();
    private final DnsLimits limits;

    // Of the current message.
    private Opcode opcode = Opcode.QUERY;
    private @Nullable Edns edns;
    private int extendedCode;

    /// Class of the data of records that are of NONE or ANY: in updates the zone's (RFC 2136, 2.4
    /// and 2.5).
    private int zoneClass;

    MessageReader(DnsLimits limits) {
        this.limits = limits;
    }

    /// Reads the message that is `octets`, which must not be written to from now on.
    DnsMessage read(byte[] octets) {
        in.begin(octets, limits);
        edns = null;
        extendedCode = 0;
        try {
            return message(octets.length);
        } finally {
            in.end();
        }
    }

    private DnsMessage message(int length) {
        if (length < WireReader.HEADER) {
            throw in.fault(
                    DnsFault.CUT_OFF, "message octets: " + length + " (expected: at least 12)");
        }
        int id = in.u16();
        int word = in.u16();
        Flags flags = Flags.ofHeader(word);
        opcode = Opcode.of(word >> 11 & 15);
        if (!opcode.hasSections()) {
            throw in.fault(
                    DnsFault.OPCODE, "opcode: " + opcode + " (expected: one with four sections)");
        }
        int questions = in.u16();
        int answers = in.u16();
        int authorities = in.u16();
        int additionals = in.u16();
        int records = answers + authorities + additionals;
        if ((long) MIN_QUESTION * questions + (long) MIN_RECORD * records > in.left()) {
            throw in.fault(
                    DnsFault.COUNT,
                    "questions, records: "
                            + questions
                            + ", "
                            + records
                            + " in "
                            + in.left()
                            + " octets (expected: no more than fit)");
        }
        if (questions + records > limits.records()) {
            throw in.fault(
                    DnsFault.LIMIT,
                    "questions and records: "
                            + (questions + records)
                            + " (expected: at most "
                            + limits.records()
                            + ")");
        }
        if (!DnsMessage.allows(opcode, flags, questions)) {
            throw in.fault(
                    DnsFault.QUESTIONS,
                    "questions: " + questions + " (expected: as many as " + opcode + " has)");
        }
        List<DnsQuestion> asked = questions(questions);
        zoneClass =
                opcode.number() == Opcode.UPDATE.number() && !asked.isEmpty()
                        ? asked.getFirst().recordClass().number()
                        : RecordClass.IN.number();
        List<DnsRecord> answered = records(answers, false);
        List<DnsRecord> authority = records(authorities, false);
        List<DnsRecord> additional = records(additionals, true);
        if (in.left() > 0) {
            throw in.fault(
                    DnsFault.TRAILING_BYTES,
                    "message: " + in.left() + " octets behind the last record (expected: none)");
        }
        return new DnsMessage(
                id,
                opcode,
                flags,
                ResponseCode.of(extendedCode << 4 | (word & 15)),
                asked,
                answered,
                authority,
                additional,
                edns);
    }

    private List<DnsQuestion> questions(int count) {
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(question());
        }
        DnsQuestion[] questions = new DnsQuestion[count];
        for (int i = 0; i < count; i++) {
            questions[i] = question();
        }
        return List.of(questions);
    }

    private DnsQuestion question() {
        DnsName name = in.name();
        return new DnsQuestion(name, RecordType.of(in.u16()), RecordClass.of(in.u16()));
    }

    /// @param additional whether it is the section of OPT and TSIG
    private List<DnsRecord> records(int count, boolean additional) {
        if (count == 0) {
            return List.of();
        }
        @Nullable DnsRecord[] records = new DnsRecord[count];
        int n = 0;
        for (int i = 0; i < count; i++) {
            DnsRecord record = record(additional, i == count - 1);
            if (record != null) {
                records[n++] = record;
            }
        }
        return switch (n) {
            case 0 -> List.of();
            case 1 -> List.of(java.util.Objects.requireNonNull(records[0]));
            default -> listOf(records, n);
        };
    }

    @SuppressWarnings("NullAway") // the first n are there
    private static List<DnsRecord> listOf(@Nullable DnsRecord[] records, int n) {
        return List.of(n == records.length ? records : java.util.Arrays.copyOf(records, n));
    }

    /// Null for OPT, which goes to `edns`.
    private @Nullable DnsRecord record(boolean additional, boolean last) {
        int start = in.at();
        DnsName name = in.name();
        int typeNumber = in.u16();
        int classNumber = in.u16();
        int ttl = in.i32();
        if (typeNumber == OPT) {
            opt(name, additional, start, classNumber, ttl);
            return null;
        }
        RecordType type = RecordType.of(typeNumber);
        RecordClass recordClass = RecordClass.of(classNumber);
        int length = in.u16();
        boolean empty =
                length == 0
                        && opcode.number() == Opcode.UPDATE.number()
                        && (classNumber == ANY || classNumber == NONE);
        if (type.isMeta() && !(empty && typeNumber == ANY)) {
            throw in.fault(
                    DnsFault.RECORD, "record at " + start + ": type " + type + " (expected: data)");
        }
        int dataClass = classNumber == ANY || classNumber == NONE ? zoneClass : classNumber;
        Rdata data = empty ? new Empty(type) : RdataReader.read(in, type, dataClass, length, true);
        if (data instanceof Tsig) {
            tsig(additional && last, start, classNumber, ttl);
        }
        return new DnsRecord(name, recordClass, Math.max(0, ttl), data); // RFC 2181, 8
    }

    private void opt(DnsName name, boolean additional, int start, int payloadSize, int ttl) {
        if (!additional || edns != null || !name.isRoot()) {
            throw in.fault(
                    DnsFault.OPT,
                    "OPT at "
                            + start
                            + (edns != null ? ": twice" : additional ? ": with a name" : "")
                            + " (expected: once, of the root, an additional record)");
        }
        extendedCode = ttl >>> 24;
        edns = EdnsWire.read(in, payloadSize, ttl);
    }

    private void tsig(boolean last, int start, int classNumber, int ttl) {
        if (!last) {
            throw in.fault(
                    DnsFault.TSIG,
                    "TSIG at " + start + " (expected: the last of the additional records)");
        }
        if (classNumber != ANY || ttl != 0) {
            throw in.fault(
                    DnsFault.RECORD,
                    "TSIG: class " + classNumber + ", ttl " + ttl + " (expected: ANY, 0)");
        }
    }
}
