package io.weft.codec.dns;

import io.weft.codec.dns.rdata.Empty;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Tsig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query or a response, complete: what can be made can be sent, but for its length. Messages of
/// opcodes without sections, as [Opcode#DSO], are answered with a header alone.
///
/// @param id of the query, 0 to 65535
/// @param code of responses: up to 15, or up to 4095 with EDNS
/// @param questions at most one of a QUERY (RFC 9619), exactly one of an UPDATE's request: its zone
/// @param answers of an UPDATE: its prerequisites
/// @param authorities of an UPDATE: its updates
/// @param additionals without the OPT record, which is `edns`; a TSIG record is the last one
/// @param edns null where there is no OPT record
public record DnsMessage(
        int id,
        Opcode opcode,
        Flags flags,
        ResponseCode code,
        List<DnsQuestion> questions,
        List<DnsRecord> answers,
        List<DnsRecord> authorities,
        List<DnsRecord> additionals,
        @Nullable Edns edns) {
    /// @throws IllegalArgumentException when the components are not those of a message
    public DnsMessage {
        if (id < 0 || id > 0xFFFF) {
            throw new IllegalArgumentException("id: " + id + " (expected: 0 to 65535)");
        }
        if (code.number() > (edns == null ? 15 : 4095)) {
            throw new IllegalArgumentException(
                    "code: " + code.number() + " (expected: up to 15, or 4095 with EDNS)");
        }
        boolean isHeader =
                questions.isEmpty()
                        && answers.isEmpty()
                        && authorities.isEmpty()
                        && additionals.isEmpty()
                        && edns == null;
        if (!opcode.hasSections() && !(isHeader && flags.isResponse())) {
            throw new IllegalArgumentException(
                    "opcode: " + opcode + " (expected: one of messages with four sections)");
        }
        questions = List.copyOf(questions);
        answers = List.copyOf(answers);
        authorities = List.copyOf(authorities);
        additionals = List.copyOf(additionals);
        if (!allows(opcode, flags, questions.size())) {
            throw new IllegalArgumentException(
                    "questions: "
                            + questions.size()
                            + " (expected: as many as "
                            + opcode
                            + " has)");
        }
        requireFit(opcode, answers, answers.size());
        requireFit(opcode, authorities, authorities.size());
        requireFit(opcode, additionals, additionals.size() - 1);
        if (additionals.size() + (edns == null ? 0 : 1) > 0xFFFF) {
            throw new IllegalArgumentException(
                    "additionals: " + additionals.size() + " (expected: at most 65535)");
        }
    }

    /// @param last index that a TSIG record may have
    private static void requireFit(Opcode opcode, List<DnsRecord> section, int last) {
        if (section.size() > 0xFFFF) {
            throw new IllegalArgumentException(
                    "records: " + section.size() + " (expected: at most 65535)");
        }
        for (int i = 0; i < section.size(); i++) {
            Rdata data = section.get(i).data();
            if (data instanceof Tsig && i != last) {
                throw new IllegalArgumentException(
                        "TSIG: at " + i + " (expected: the last of the additional records)");
            }
            if (data instanceof Empty && opcode.number() != Opcode.UPDATE.number()) {
                throw new IllegalArgumentException(
                        "no data in a message of " + opcode + " (expected: UPDATE)");
            }
        }
    }

    static boolean allows(Opcode opcode, Flags flags, int questions) {
        return switch (opcode.number()) {
            case 0 -> questions <= 1;
            case 5 -> questions == 1 || (questions == 0 && flags.isResponse());
            default -> questions <= 0xFFFF;
        };
    }

    /// A query with recursion for records of class IN, and with [Edns#DEFAULT].
    ///
    /// @param id not to be guessed by others: 16 bits of a secure random number
    public static DnsMessage query(int id, DnsName name, RecordType type) {
        return new DnsMessage(
                id,
                Opcode.QUERY,
                Flags.NONE.recursionDesired(true),
                ResponseCode.NOERROR,
                List.of(new DnsQuestion(name, type)),
                List.of(),
                List.of(),
                List.of(),
                Edns.DEFAULT);
    }

    /// A response to this query: its id, opcode and question, its RD and CD, and EDNS if it has
    /// that.
    public DnsMessage response(ResponseCode code, List<DnsRecord> answers) {
        return new DnsMessage(
                id,
                opcode,
                Flags.NONE
                        .response(true)
                        .recursionDesired(flags.isRecursionDesired())
                        .checkingDisabled(flags.isCheckingDisabled()),
                code,
                questions,
                answers,
                List.of(),
                List.of(),
                edns == null ? null : Edns.DEFAULT.dnssecOk(edns.dnssecOk()));
    }

    public DnsMessage id(int id) {
        return new DnsMessage(
                id, opcode, flags, code, questions, answers, authorities, additionals, edns);
    }

    public DnsMessage flags(Flags flags) {
        return new DnsMessage(
                id, opcode, flags, code, questions, answers, authorities, additionals, edns);
    }

    public DnsMessage edns(@Nullable Edns edns) {
        return new DnsMessage(
                id, opcode, flags, code, questions, answers, authorities, additionals, edns);
    }

    public DnsMessage sections(
            List<DnsRecord> answers, List<DnsRecord> authorities, List<DnsRecord> additionals) {
        return new DnsMessage(
                id, opcode, flags, code, questions, answers, authorities, additionals, edns);
    }

    /// Octets that the sender of this query takes in a datagram: what a response to it is cut off
    /// at.
    public int maxResponse() {
        return edns == null ? 512 : Math.max(512, edns.payloadSize());
    }
}
