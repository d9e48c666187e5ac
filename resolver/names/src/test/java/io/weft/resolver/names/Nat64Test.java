package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.SourceAddresses;
import io.weft.engine.SourceAddresses.Unreachable;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 8305, section 7, with prefixes by RFC 6052 and their discovery by RFC 7050.
class Nat64Test {
    private static final String SIX = "2001:db8:0:0:0:0:0:1";

    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver dns =
            new ScriptedResolver().answers("ipv4only.arpa.", "64:ff9b::c000:aa", "192.0.0.170");
    private final NameResolver resolver =
            new Nat64Resolver(new LiteralResolver(dns), _ -> new Unreachable());

    private Asked ask(String host) {
        return new Asked(resolver, host, loop);
    }

    @Test
    void literalsAreReachedThroughTheTranslator() { // 7.1
        Asked asked = ask("198.51.100.1");
        assertThat(asked.addresses()).isEqualTo("198.51.100.1 64:ff9b:0:0:0:0:c633:6401");
        assertThat(asked.search.isSuccess()).isTrue();
    }

    /// None of these leaves the host or the link.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1"})
    void localAddressesAreNotTranslated(String local) {
        Asked asked = ask(local);
        assertThat(asked.addresses()).isEqualTo(local);
        assertThat(asked.search.isSuccess()).isTrue();
        assertThat(dns.asked()).isEmpty();
    }

    /// RFC 6052, 3.1.
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "172.16.0.1", "192.168.0.1"})
    void privateAddressesAreTranslatedByPrefixesOfTheNetworkOnly(String address) {
        Asked asked = ask(address);
        assertThat(asked.addresses()).isEqualTo(address);
        assertThat(asked.search.isSuccess()).isTrue();
        dns.answers("ipv4only.arpa.", "2001:db8::c000:aa");
        assertThat(ask(address).addresses()).startsWith(address + " 2001:db8:");
    }

    @Test
    void hostWithoutIpv6IsReachedThroughTheTranslator() {
        dns.answers("a", "198.51.100.1", "198.51.100.2");
        assertThat(ask("a").told)
                .containsExactly(
                        "198.51.100.1 198.51.100.2",
                        "64:ff9b:0:0:0:0:c633:6401 64:ff9b:0:0:0:0:c633:6402");
    }

    @Test
    void brokenIpv6IsGivenTwoSeconds() { // 7.2
        dns.answers("a", SIX, "198.51.100.1");
        Asked asked = ask("a");
        assertThat(asked.addresses()).isEqualTo(SIX + " 198.51.100.1");
        loop.advance(Duration.ofMillis(1_999));
        assertThat(asked.told).hasSize(1);
        assertThat(asked.search.isDone()).isFalse();
        loop.advance(Duration.ofMillis(1));
        assertThat(asked.told).last().isEqualTo("64:ff9b:0:0:0:0:c633:6401");
        assertThat(asked.search.isSuccess()).isTrue();
    }

    @Test
    void connectThatHasWonAsksForNoPrefix() {
        dns.answers("a", SIX, "198.51.100.1");
        Asked asked = ask("a");
        asked.search.cancel();
        loop.advance(Duration.ofSeconds(3));
        assertThat(dns.asked()).containsExactly("a");
        assertThat(asked.told).hasSize(1);
    }

    @Test
    void hostWithIpv6OnlyNeedsNoTranslator() {
        dns.answers("a", SIX);
        assertThat(ask("a").search.isSuccess()).isTrue();
        assertThat(dns.asked()).containsExactly("a");
    }

    @Test
    void networkWithoutATranslatorChangesNothing() {
        dns.host("ipv4only.arpa.").isAbsent(Duration.ofSeconds(1));
        Asked asked = ask("198.51.100.1");
        assertThat(asked.addresses()).isEqualTo("198.51.100.1");
        assertThat(asked.search.isSuccess()).isTrue();
    }

    @Test
    void failureOfTheSearchStays() {
        dns.host("a").finds("198.51.100.1").fails(new IOException("no AAAA"));
        Asked asked = ask("a");
        assertThat(asked.told).hasSize(2);
        assertThat(asked.failure()).isEqualTo("no AAAA");
        assertThat(ask("unknown").failure()).isEqualTo("unknown: not in the script");
    }

    @Test
    void networkWithIpv4IsLeftAlone() {
        NameResolver both = new Nat64Resolver(new LiteralResolver(dns), SourceAddresses.UNKNOWN);
        assertThat(new Asked(both, "198.51.100.1", loop).addresses()).isEqualTo("198.51.100.1");
        assertThat(dns.asked()).isEmpty();
    }

    /// RFC 6052, 2.4: 192.0.2.33 under each length, and the same form of `ipv4only.arpa`.
    @ParameterizedTest
    @CsvSource({
        "2001:db8:c000:aa::, 2001:db8:c000:221::",
        "2001:db8:1c0:0:aa::, 2001:db8:1c0:2:21::",
        "2001:db8:122:c000:0:aa00::, 2001:db8:122:c000:2:2100::",
        "2001:db8:122:3c0:0:aa::, 2001:db8:122:3c0:0:221::",
        "2001:db8:122:344:c0:0:aa00::, 2001:db8:122:344:c0:2:2100::",
        "2001:db8:122:344::192.0.0.170, 2001:db8:122:344::192.0.2.33",
        "64:ff9b::192.0.0.171, 64:ff9b::192.0.2.33"
    })
    void prefixesOfAllLengthsAreFound(String discovered, String synthesized) {
        Nat64Prefix prefix = Nat64Prefix.of((Inet6Address) InetAddress.ofLiteral(discovered));
        assertThat(prefix).isNotNull();
        assertThat(prefix.synthesize((Inet4Address) InetAddress.ofLiteral("192.0.2.33")))
                .isEqualTo(InetAddress.ofLiteral(synthesized));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001:db8::1", "::", "64:ff9b::192.0.0.172", "64:ff9b::192.0.2.170"})
    void addressesWithoutTheWellKnownOnesHaveNoPrefix(String address) {
        assertThat(Nat64Prefix.of((Inet6Address) InetAddress.ofLiteral(address))).isNull();
    }

    @Test
    void wellKnownPrefixIsThatOfTheRfc() {
        assertThat(Nat64Prefix.of((Inet6Address) InetAddress.ofLiteral("64:ff9b::c000:aa")))
                .isEqualTo(Nat64Prefix.WELL_KNOWN)
                .hasToString("0064ff9b0000000000000000/96")
                .hasSameHashCodeAs(Nat64Prefix.WELL_KNOWN);
    }
}
