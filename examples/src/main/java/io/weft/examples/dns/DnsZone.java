package io.weft.examples.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.Opcode;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Dname;
import io.weft.codec.dns.rdata.Mx;
import io.weft.codec.dns.rdata.Ns;
import io.weft.codec.dns.rdata.Soa;
import io.weft.codec.dns.rdata.Srv;
import io.weft.codec.dns.rdata.Tsig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A zone, and what its authority answers (RFC 1034, 4.3.2): records, aliases, wildcards,
/// delegations, and that there is nothing.
final class DnsZone {
    private static final int MAX_ALIASES = 16;
    private static final int RECORDS_PER_MESSAGE = 100;
    private static final DnsName WILDCARD = DnsName.parse("*.");

    /// No differences are kept, so that both are of the whole zone (RFC 1995, 4).
    private static final Set<RecordType> TRANSFERS = Set.of(RecordType.AXFR, RecordType.IXFR);

    /// Types that may be beside an alias (RFC 4034, 3 and 4).
    private static final Set<RecordType> SIGNING = Set.of(RecordType.RRSIG, RecordType.NSEC);

    private final DnsRecord soa;
    private final Map<DnsName, List<DnsRecord>> nodes = new LinkedHashMap<>();

    /// Names of the zone that exist, those between others and the apex too (RFC 4592, 2.2.2).
    private final Set<DnsName> existing = new HashSet<>();

    /// @throws IllegalArgumentException unless there is one SOA record, at the top
    DnsZone(List<DnsRecord> records) {
        List<DnsRecord> tops =
                records.stream().filter(r -> r.type().equals(RecordType.SOA)).toList();
        if (tops.size() != 1) {
            throw new IllegalArgumentException(
                    "zone: " + tops.size() + " SOA records (expected: 1)");
        }
        soa = tops.getFirst();
        for (DnsRecord record : records) {
            if (!record.name().isWithin(soa.name())) {
                throw new IllegalArgumentException(
                        "zone: " + record.name() + " (expected: within " + soa.name() + ")");
            }
            add(record);
            for (DnsName name = record.name(); name != null; name = name.parent()) {
                if (!existing.add(name) || name.equals(soa.name())) {
                    break;
                }
            }
        }
    }

    /// @throws IllegalArgumentException when it is of another class, or an alias has other records
    private void add(DnsRecord record) {
        if (!record.recordClass().equals(RecordClass.IN)) {
            throw new IllegalArgumentException(
                    "zone: "
                            + record.name()
                            + ": class "
                            + record.recordClass()
                            + " (expected: IN)");
        }
        List<DnsRecord> node = nodes.computeIfAbsent(record.name(), _ -> new ArrayList<>());
        if (node.stream().anyMatch(other -> other.data().equals(record.data()))) {
            return; // RFC 2181, 5: a set has no duplicates
        }
        node.add(record);
        long aliases = node.stream().filter(r -> r.data() instanceof Cname).count();
        long others = node.stream().filter(r -> !SIGNING.contains(r.type())).count();
        if (aliases > 0 && others > 1) {
            throw new IllegalArgumentException(
                    "zone: " + record.name() + ": CNAME and other data (expected: CNAME alone)");
        }
    }

    DnsName origin() {
        return soa.name();
    }

    int size() {
        return nodes.values().stream().mapToInt(List::size).sum();
    }

    private static final class Answer {
        final List<DnsRecord> answers = new ArrayList<>();
        final List<DnsRecord> authorities = new ArrayList<>();
        final List<DnsRecord> additionals = new ArrayList<>();
        ResponseCode code = ResponseCode.NOERROR;
        boolean authoritative = true;
    }

    DnsMessage answer(DnsMessage query) {
        if (!query.opcode().equals(Opcode.QUERY)) {
            return query.response(ResponseCode.NOTIMP, List.of());
        }
        if (query.questions().size() != 1) {
            return query.response(ResponseCode.FORMERR, List.of());
        }
        Tsig tsig = signature(query);
        if (tsig != null) {
            return unknownKey(query, tsig);
        }
        DnsQuestion question = query.questions().getFirst();
        ResponseCode meta = meta(question.type());
        if (meta != null) {
            return query.response(meta, List.of());
        }
        if (!question.name().isWithin(soa.name())
                || !question.recordClass().equals(RecordClass.IN)
                || question.type().equals(RecordType.AXFR)
                || question.type().equals(RecordType.IXFR)) {
            return query.response(ResponseCode.REFUSED, List.of());
        }
        Answer answer = new Answer();
        Set<DnsName> seen = new HashSet<>();
        DnsName name = question.name();
        while (name != null && seen.add(name) && seen.size() <= MAX_ALIASES) {
            name = step(name, question.type(), answer);
        }
        DnsMessage response = query.response(answer.code, List.of());
        return response.flags(response.flags().authoritative(answer.authoritative))
                .sections(answer.answers, answer.authorities, answer.additionals);
    }

    private static @Nullable Tsig signature(DnsMessage query) {
        List<DnsRecord> last = query.additionals();
        return !last.isEmpty() && last.getLast().data() instanceof Tsig tsig ? tsig : null;
    }

    /// RFC 8945, 5.2.1 and 5.3.2: of keys, this server knows none. An unsigned answer would be of
    /// no use to a client that signs.
    private static DnsMessage unknownKey(DnsMessage query, Tsig tsig) {
        Tsig error =
                new Tsig(
                        tsig.algorithm(),
                        tsig.time(),
                        tsig.fudge(),
                        Octets.EMPTY,
                        query.id(),
                        ResponseCode.BADKEY,
                        Octets.EMPTY);
        DnsName key = query.additionals().getLast().name();
        DnsRecord record = new DnsRecord(key, RecordClass.ANY, 0, error);
        return query.response(ResponseCode.NOTAUTH, List.of())
                .sections(List.of(), List.of(), List.of(record));
    }

    /// The code for types that no record has (RFC 6895, 3.1); null for others, and for those of
    /// questions that are known.
    private static @Nullable ResponseCode meta(RecordType type) {
        return switch (type.number()) {
            case 41, 128, 249, 250 -> ResponseCode.FORMERR; // OPT, NXNAME, TKEY, TSIG
            case 253, 254 -> ResponseCode.NOTIMP; // MAILB, MAILA
            default -> null;
        };
    }

    /// Answers for `name`.
    ///
    /// @return the name to go on with behind an alias; null at the end
    private @Nullable DnsName step(DnsName name, RecordType type, Answer answer) {
        if (!name.isWithin(soa.name())) {
            return null; // the client asks others
        }
        DnsName cut = delegation(name, type);
        if (cut != null) {
            refer(cut, answer);
            return null;
        }
        DnsRecord dname = dname(name);
        if (dname != null) {
            DnsName made = rename(name, dname, answer);
            return takesAlias(type) ? null : made;
        }
        List<DnsRecord> node = nodes.get(name);
        if (node == null && !existing.contains(name)) {
            DnsName source = wildcard(name);
            if (source == null) {
                answer.code = ResponseCode.NXDOMAIN;
                negative(answer);
                return null;
            }
            node = nodes.get(source);
        }
        List<DnsRecord> found = new ArrayList<>();
        for (DnsRecord record : node == null ? List.<DnsRecord>of() : node) {
            DnsRecord here = new DnsRecord(name, record.ttl(), record.data());
            if (record.data() instanceof Cname alias && !takesAlias(type)) {
                answer.answers.add(here);
                return alias.target();
            }
            if (record.type().equals(type) || type.equals(RecordType.ANY)) {
                found.add(here);
            }
        }
        if (found.isEmpty()) {
            negative(answer);
        }
        answer.answers.addAll(found);
        found.forEach(record -> addresses(record, answer));
        return null;
    }

    /// Tells if an alias itself is an answer: it is of the type (RFC 1034, 4.3.2, 3a).
    private static boolean takesAlias(RecordType type) {
        return type.equals(RecordType.CNAME) || type.equals(RecordType.ANY);
    }

    /// The uppermost name below the apex that has NS records: what is there is another zone's.
    private @Nullable DnsName delegation(DnsName name, RecordType type) {
        DnsName cut = null;
        for (DnsName at = name; at != null && !at.equals(soa.name()); at = at.parent()) {
            // RFC 4035, 3.1.4.1: the DS record is on this side.
            if (has(at, RecordType.NS) && !(at.equals(name) && type.equals(RecordType.DS))) {
                cut = at;
            }
        }
        return cut;
    }

    private boolean has(DnsName name, RecordType type) {
        return nodes.getOrDefault(name, List.of()).stream().anyMatch(r -> r.type().equals(type));
    }

    private void refer(DnsName cut, Answer answer) {
        answer.authoritative = !answer.answers.isEmpty();
        for (DnsRecord record : nodes.getOrDefault(cut, List.of())) {
            if (record.data() instanceof Ns) {
                answer.authorities.add(record);
                addresses(record, answer);
            }
        }
    }

    private @Nullable DnsRecord dname(DnsName name) {
        for (DnsName at = name.parent(); at != null; at = at.parent()) {
            for (DnsRecord record : nodes.getOrDefault(at, List.of())) {
                if (record.data() instanceof Dname) {
                    return record;
                }
            }
        }
        return null;
    }

    private static @Nullable DnsName rename(DnsName name, DnsRecord record, Answer answer) {
        DnsName target = ((Dname) record.data()).target();
        List<Octets> labels = new ArrayList<>(name.labels());
        List<Octets> renamed =
                new ArrayList<>(labels.subList(0, labels.size() - record.name().labelCount()));
        renamed.addAll(target.labels());
        answer.answers.add(record);
        try {
            DnsName made = DnsName.of(renamed);
            answer.answers.add(new DnsRecord(name, record.ttl(), new Cname(made)));
            return made;
        } catch (IllegalArgumentException _) {
            answer.code = ResponseCode.YXDOMAIN; // RFC 6672, 2.2: too long
            return null;
        }
    }

    /// The name `*` below the closest name that exists, if it does itself (RFC 4592, 3.3.1): it may
    /// be between others, and have no records.
    private @Nullable DnsName wildcard(DnsName name) {
        for (DnsName at = name.parent(); at != null; at = at.parent()) {
            if (existing.contains(at)) {
                DnsName source = WILDCARD.append(at);
                return existing.contains(source) ? source : null;
            }
        }
        return null;
    }

    /// RFC 2308, 3: how long that may be kept is said by the SOA record.
    private void negative(Answer answer) {
        Soa data = (Soa) soa.data();
        int ttl = (int) Math.min(soa.ttl(), data.minimum());
        answer.authorities.add(new DnsRecord(soa.name(), ttl, data));
    }

    /// Adds the addresses that will be asked for next.
    private void addresses(DnsRecord of, Answer answer) {
        DnsName host =
                switch (of.data()) {
                    case Ns ns -> ns.server();
                    case Mx mx -> mx.exchange();
                    case Srv srv -> srv.target();
                    default -> null;
                };
        if (host != null) {
            for (DnsRecord record : nodes.getOrDefault(host, List.of())) {
                boolean address =
                        record.type().equals(RecordType.A) || record.type().equals(RecordType.AAAA);
                if (address && !answer.additionals.contains(record)) {
                    answer.additionals.add(record);
                }
            }
        }
    }

    /// Tells if a query is for the whole zone, or for what has changed in it. A signed one is not:
    /// an unsigned transfer would be of no use to its client.
    boolean isTransfer(DnsMessage query) {
        return query.opcode().equals(Opcode.QUERY)
                && query.questions().size() == 1
                && TRANSFERS.contains(query.questions().getFirst().type())
                && query.questions().getFirst().recordClass().equals(RecordClass.IN)
                && query.questions().getFirst().name().equals(soa.name())
                && signature(query) == null;
    }

    /// The whole zone, in messages (RFC 5936): it begins and ends with the SOA record. Who has its
    /// serial or a newer one, and asks for differences, gets the SOA record alone (RFC 1995, 2).
    List<DnsMessage> transfer(DnsMessage query) {
        List<DnsRecord> all = new ArrayList<>();
        all.add(soa);
        boolean known =
                query.questions().getFirst().type().equals(RecordType.IXFR)
                        && query.authorities().stream().anyMatch(this::isAsNew);
        if (known) {
            return List.of(authoritative(query, all));
        }
        nodes.values().forEach(node -> node.stream().filter(r -> r != soa).forEach(all::add));
        all.add(soa);
        List<DnsMessage> messages = new ArrayList<>();
        for (int i = 0; i < all.size(); i += RECORDS_PER_MESSAGE) {
            int end = Math.min(i + RECORDS_PER_MESSAGE, all.size());
            messages.add(authoritative(query, all.subList(i, end)));
        }
        return messages;
    }

    /// Tells if a record is an SOA record with the serial of this zone, or one behind it by the
    /// arithmetic of serials (RFC 1982).
    private boolean isAsNew(DnsRecord theirs) {
        return theirs.data() instanceof Soa other
                && (int) (other.serial() - ((Soa) soa.data()).serial()) >= 0;
    }

    private static DnsMessage authoritative(DnsMessage query, List<DnsRecord> answers) {
        DnsMessage response = query.response(ResponseCode.NOERROR, answers);
        return response.flags(response.flags().authoritative(true));
    }
}
