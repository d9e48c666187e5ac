package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Dname;
import io.weft.codec.dns.rdata.Soa;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The part of a response that answers its question: from the name that was asked, along aliases,
/// to records of the type. Whatever else is in the response does not count, however it got there:
/// other names, other classes, the authority section but for the SOA record of a negative answer,
/// and all additional records.
///
/// @param end the name behind the last alias
/// @param aliases in the order in which they are followed
/// @param records of `end` that were asked for
/// @param ttl seconds: the least of aliases and records, of a negative answer also of its SOA
///     record; 0 for a negative answer without one (RFC 2308, 5)
/// @param outcome what is at `end`
record Chain(
        DnsName end, List<DnsRecord> aliases, List<DnsRecord> records, int ttl, Outcome outcome) {
    enum Outcome {
        FOUND,
        /// No records of the type at `end`.
        NO_DATA,
        /// `end` does not exist.
        NO_NAME,
        /// The response does not say what is at `end`, which has to be asked for.
        UNTOLD,
        /// Aliases in a circle, or too many.
        CIRCLE,
        /// The server neither has the name nor asks others.
        LAME,
        /// A DNAME makes a name that is too long (RFC 6672, 2.2).
        TOO_LONG
    }

    /// @param within the domain that the server is asked for: records of names outside of it are
    ///     not believed
    /// @param most aliases to follow
    static Chain of(DnsQuestion question, DnsMessage response, DnsName within, int most) {
        List<DnsRecord> aliases = new ArrayList<>();
        Set<DnsName> seen = Set.of();
        DnsName name = question.name();
        int ttl = Integer.MAX_VALUE;
        while (name.isWithin(within)) {
            List<DnsRecord> records = records(question, response, name);
            if (!records.isEmpty()) {
                for (DnsRecord record : records) {
                    ttl = Math.min(ttl, record.ttl());
                }
                return new Chain(name, aliases, records, ttl, Outcome.FOUND);
            }
            DnsRecord alias = alias(question, response, name, within);
            if (alias == null) {
                return negative(question, response, name, aliases, ttl, within);
            }
            if (seen.isEmpty()) {
                seen = new HashSet<>();
            }
            if (!seen.add(name) || aliases.size() == most) {
                return new Chain(name, aliases, List.of(), 0, Outcome.CIRCLE);
            }
            aliases.add(alias);
            ttl = Math.min(ttl, alias.ttl());
            DnsName target = target(name, alias);
            if (target == null) {
                return new Chain(name, aliases, List.of(), 0, Outcome.TOO_LONG);
            }
            name = target;
        }
        return new Chain(name, aliases, List.of(), ttl, Outcome.UNTOLD);
    }

    /// Tells if the outcome may be [Outcome#LAME].
    static boolean mayBeLame(DnsMessage response) {
        return !response.flags().isRecursionAvailable() && !response.flags().isAuthoritative();
    }

    private static List<DnsRecord> records(DnsQuestion question, DnsMessage response, DnsName of) {
        List<DnsRecord> records = new ArrayList<>();
        boolean any = question.type().equals(RecordType.ANY);
        for (DnsRecord record : response.answers()) {
            if ((any || record.type().equals(question.type()))
                    && record.recordClass().equals(question.recordClass())
                    && record.name().equals(of)) {
                records.add(record);
            }
        }
        return records;
    }

    /// The CNAME of the name, else the DNAME nearest above it.
    private static @Nullable DnsRecord alias(
            DnsQuestion question, DnsMessage response, DnsName name, DnsName within) {
        DnsRecord best = null;
        for (DnsRecord record : response.answers()) {
            if (!record.recordClass().equals(question.recordClass())
                    || !record.name().isWithin(within)) { // a DNAME may be far above
                continue;
            }
            if (record.data() instanceof Cname && record.name().equals(name)) {
                // RFC 6672, 3.1: servers send the CNAME that a DNAME means beside it. It is worth
                // as much as one of its own.
                return record;
            }
            if (record.data() instanceof Dname
                    && name.isWithin(record.name())
                    && !name.equals(record.name())
                    && (best == null || record.name().isWithin(best.name()))) {
                best = record;
            }
        }
        return best;
    }

    /// Null when it is too long.
    private static @Nullable DnsName target(DnsName name, DnsRecord alias) {
        if (alias.data() instanceof Cname cname) {
            return cname.target();
        }
        DnsName target = ((Dname) alias.data()).target();
        List<Octets> labels = new ArrayList<>(name.labels());
        int keep = labels.size() - alias.name().labelCount();
        List<Octets> all = new ArrayList<>(labels.subList(0, keep));
        all.addAll(target.labels());
        try {
            return DnsName.of(all);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static Chain negative(
            DnsQuestion question,
            DnsMessage response,
            DnsName name,
            List<DnsRecord> aliases,
            int ttl,
            DnsName within) {
        int negative = -1;
        boolean referral = false;
        for (DnsRecord record : response.authorities()) {
            if (!record.recordClass().equals(question.recordClass())) {
                continue;
            }
            // RFC 2308, 2: the SOA record is that of the zone of the name.
            if (record.data() instanceof Soa soa
                    && name.isWithin(record.name())
                    && (record.name().isWithin(within) || within.isWithin(record.name()))) {
                negative = (int) Math.min(record.ttl(), soa.minimum());
            } else if (record.type().equals(RecordType.NS)) {
                referral = true;
            }
        }
        if (response.code().equals(ResponseCode.NXDOMAIN)) {
            int least = Math.min(ttl, Math.max(negative, 0));
            return new Chain(name, aliases, List.of(), least, Outcome.NO_NAME);
        }
        if (negative >= 0) {
            int least = Math.min(ttl, negative);
            return new Chain(name, aliases, List.of(), least, Outcome.NO_DATA);
        }
        if (!aliases.isEmpty()) {
            return new Chain(name, aliases, List.of(), ttl, Outcome.UNTOLD);
        }
        boolean lame = referral && mayBeLame(response);
        return new Chain(name, aliases, List.of(), 0, lame ? Outcome.LAME : Outcome.NO_DATA);
    }
}
