package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import java.util.List;

/// The answer to a question: records, or that there are none.
public sealed interface DnsAnswer {
    /// The question that was asked, with the complete name.
    DnsQuestion question();

    /// The name at the end of the aliases, which records are of, or would be.
    DnsName canonicalName();

    /// CNAME and DNAME records on the way to [#canonicalName], in order.
    List<DnsRecord> aliases();

    /// The records of the type that was asked for; none in a negative answer.
    List<DnsRecord> records();

    /// Seconds for which the answer, with its aliases, may be kept; 0: not at all.
    int ttl();

    /// Tells if the server says that it has checked the signatures; false unless
    /// [ResolverConfig#trustAd].
    boolean authentic();

    /// Records of the type.
    ///
    /// @param records at least one
    record Found(
            DnsQuestion question,
            DnsName canonicalName,
            List<DnsRecord> aliases,
            List<DnsRecord> records,
            int ttl,
            boolean authentic)
            implements DnsAnswer {
        public Found {
            aliases = List.copyOf(aliases);
            records = List.copyOf(records);
        }
    }

    /// The name exists, but not with records of the type (RFC 2308, 2.2).
    record NoData(
            DnsQuestion question,
            DnsName canonicalName,
            List<DnsRecord> aliases,
            int ttl,
            boolean authentic)
            implements DnsAnswer {
        public NoData {
            aliases = List.copyOf(aliases);
        }

        @Override
        public List<DnsRecord> records() {
            return List.of();
        }
    }

    /// The name does not exist, and so no name below it does (RFC 8020).
    record NoName(
            DnsQuestion question,
            DnsName canonicalName,
            List<DnsRecord> aliases,
            int ttl,
            boolean authentic)
            implements DnsAnswer {
        public NoName {
            aliases = List.copyOf(aliases);
        }

        @Override
        public List<DnsRecord> records() {
            return List.of();
        }
    }
}
