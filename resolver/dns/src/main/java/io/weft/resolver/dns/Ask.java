package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Flags;
import io.weft.codec.dns.Opcode;
import io.weft.codec.dns.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A question with all that its answer depends on: two that are equal are asked once.
///
/// @param flags of the query: RD, AD, CD
/// @param epoch whose servers are asked
record Ask(DnsQuestion question, Flags flags, boolean dnssecOk, Epoch epoch) {
    /// The question of a client's query, with the flags that a forwarder passes on.
    static Ask of(DnsMessage query, Epoch epoch) {
        Flags flags =
                query.flags()
                        .response(false)
                        .authoritative(false)
                        .truncated(false)
                        .recursionAvailable(false);
        boolean dnssecOk = query.edns() != null && query.edns().dnssecOk();
        return new Ask(query.questions().getFirst(), flags, dnssecOk, epoch);
    }

    /// A server's response as one to a client's query. The OPT record is never forwarded (RFC 6891,
    /// 6.1.1); the client has one of this hop if it sent one. Extended errors are about the answer,
    /// not the hop (RFC 8914, 2).
    static DnsMessage forwarded(DnsMessage response, DnsMessage query) {
        Edns edns = query.edns();
        if (edns != null) {
            List<EdnsOption> errors =
                    response.edns() == null
                            ? List.of()
                            : response.edns().options().stream()
                                    .filter(EdnsOption.ExtendedError.class::isInstance)
                                    .toList();
            edns = new Edns(Edns.DEFAULT.payloadSize(), edns.dnssecOk(), errors);
        }
        return response.id(query.id()).edns(edns);
    }

    /// The EDNS of its queries.
    Edns edns(EdnsOption... options) {
        return new Edns(Edns.DEFAULT.payloadSize(), dnssecOk, List.of(options));
    }

    /// The query of it.
    DnsMessage query(int id, DnsName spelling, @Nullable Edns edns) {
        return new DnsMessage(
                id,
                Opcode.QUERY,
                flags,
                ResponseCode.NOERROR,
                List.of(new DnsQuestion(spelling, question.type(), question.recordClass())),
                List.of(),
                List.of(),
                List.of(),
                edns);
    }

    /// A response with the name as the caller spelled it, in place of the one in mixed case.
    DnsMessage spelled(DnsMessage response) {
        DnsName name = question.name();
        if (isSpelled(response, name)) {
            return response;
        }
        return new DnsMessage(
                response.id(),
                response.opcode(),
                response.flags(),
                response.code(),
                List.of(question),
                spelled(response.answers(), name),
                spelled(response.authorities(), name),
                spelled(response.additionals(), name),
                response.edns());
    }

    private boolean isSpelled(DnsMessage response, DnsName name) {
        return response.questions().size() == 1
                && response.questions().getFirst().name().equalsExactly(name)
                && isSpelled(response.answers(), name)
                && isSpelled(response.authorities(), name)
                && isSpelled(response.additionals(), name);
    }

    private static boolean isSpelled(List<DnsRecord> section, DnsName name) {
        for (int i = 0; i < section.size(); i++) {
            DnsName of = section.get(i).name();
            if (of != name && of.equals(name) && !of.equalsExactly(name)) {
                return false;
            }
        }
        return true;
    }

    private static List<DnsRecord> spelled(List<DnsRecord> section, DnsName name) {
        List<DnsRecord> spelled = new ArrayList<>(section.size());
        for (DnsRecord r : section) {
            spelled.add(
                    r.name().equals(name)
                            ? new DnsRecord(name, r.recordClass(), r.ttl(), r.data())
                            : r);
        }
        return spelled;
    }
}
