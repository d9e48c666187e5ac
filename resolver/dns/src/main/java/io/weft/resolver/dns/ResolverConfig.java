package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Servers and rules of a resolver, as `resolv.conf` has them; see [ResolvConf].
///
/// @param servers in the order of preference, those of any name that no domain is for
/// @param domains servers of their own of certain domains, the longest name that fits counts
/// @param search domains that short names are completed with, in order
/// @param ndots dots that a name must have to be tried as it is first, 0 to 15
/// @param timeout of one attempt at one server
/// @param attempts rounds through all servers
/// @param rotate whether each question begins with another server
/// @param singleRequest whether A is asked before AAAA, not beside it, for servers that lose one of
///     two
/// @param edns whether queries have EDNS (RFC 6891), which servers that do not know it are spared
///     in any case
/// @param trustAd whether [DnsAnswer#authentic] is believed, as the way to the servers is safe
/// @param useTcp whether UDP is left out
public record ResolverConfig(
        List<DnsServer> servers,
        List<DomainServers> domains,
        List<DnsName> search,
        int ndots,
        Duration timeout,
        int attempts,
        boolean rotate,
        boolean singleRequest,
        boolean edns,
        boolean trustAd,
        boolean useTcp) {
    /// Servers of a domain and all names below it.
    ///
    /// Records of other domains in their answers are not believed.
    public record DomainServers(DnsName domain, List<DnsServer> servers) {
        /// @throws IllegalArgumentException without a server
        public DomainServers {
            servers = List.copyOf(servers);
            if (servers.isEmpty()) {
                throw new IllegalArgumentException("servers: none (expected: at least 1)");
            }
        }
    }

    /// No servers, and the rules that libc has by default, but with EDNS.
    public static final ResolverConfig DEFAULT =
            new ResolverConfig(
                    List.of(),
                    List.of(),
                    List.of(),
                    1,
                    Duration.ofSeconds(5),
                    2,
                    false,
                    false,
                    true,
                    false,
                    false);

    /// @throws IllegalArgumentException when one is out of its range
    public ResolverConfig {
        servers = List.copyOf(servers);
        domains = List.copyOf(domains);
        search = List.copyOf(search);
        if (ndots < 0 || ndots > 15) {
            throw new IllegalArgumentException("ndots: " + ndots + " (expected: 0 to 15)");
        }
        if (attempts < 1 || attempts > 10) {
            throw new IllegalArgumentException("attempts: " + attempts + " (expected: 1 to 10)");
        }
        // Saturates, so that one beyond the range of a long is refused like any other.
        if (TimeUnit.MILLISECONDS.convert(timeout) < 1 || timeout.toSeconds() > 60) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: 1 ms to 60 s)");
        }
        if (servers.size() > 64 || domains.size() > 256 || search.size() > 64) {
            throw new IllegalArgumentException(
                    "servers, domains, search: "
                            + servers.size()
                            + ", "
                            + domains.size()
                            + ", "
                            + search.size()
                            + " (expected: at most 64, 256, 64)");
        }
    }

    public ResolverConfig servers(List<DnsServer> all) {
        return new ResolverConfig(
                all,
                domains,
                search,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig domains(List<DomainServers> all) {
        return new ResolverConfig(
                servers,
                all,
                search,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig search(List<DnsName> all) {
        return new ResolverConfig(
                servers,
                domains,
                all,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig ndots(int dots) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                dots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig timeout(Duration ofAttempt) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                ofAttempt,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig attempts(int rounds) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                timeout,
                rounds,
                rotate,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig rotate(boolean on) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                timeout,
                attempts,
                on,
                singleRequest,
                edns,
                trustAd,
                useTcp);
    }

    public ResolverConfig singleRequest(boolean on) {
        return new ResolverConfig(
                servers, domains, search, ndots, timeout, attempts, rotate, on, edns, trustAd,
                useTcp);
    }

    public ResolverConfig edns(boolean on) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                on,
                trustAd,
                useTcp);
    }

    public ResolverConfig trustAd(boolean on) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                on,
                useTcp);
    }

    public ResolverConfig useTcp(boolean on) {
        return new ResolverConfig(
                servers,
                domains,
                search,
                ndots,
                timeout,
                attempts,
                rotate,
                singleRequest,
                edns,
                trustAd,
                on);
    }
}
