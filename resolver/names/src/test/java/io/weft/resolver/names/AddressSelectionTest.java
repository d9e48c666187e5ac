package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.SourceAddresses;
import io.weft.engine.SourceAddresses.Local;
import io.weft.engine.SourceAddresses.Mobility;
import io.weft.engine.SourceAddresses.Unreachable;
import io.weft.resolver.names.SourceSelection.Candidate;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of RFC 6724, section 10, and each rule of section 6.
class AddressSelectionTest {
    private static final int PREFIX = 64;

    /// A local address as the examples write them: `2001:db8:1::2 (care-of)`.
    private static Candidate candidate(String text) {
        String[] parts = text.strip().split(" ", -1);
        InetAddress address = InetAddress.ofLiteral(parts[0]);
        List<String> states = List.of(parts).subList(1, parts.length);
        Mobility mobility =
                states.contains("(care-of)")
                        ? Mobility.CARE_OF
                        : states.contains("(home)") ? Mobility.HOME : Mobility.HOME_AND_CARE_OF;
        int prefix = address.getAddress().length == 4 ? 24 : PREFIX;
        return new Candidate(
                new Local(address, prefix, states.contains("(deprecated)"), mobility, false),
                states.contains("(temporary)"));
    }

    private static SourceSelection sources(String list, PolicyTable table) {
        return new SourceSelection(
                Arrays.stream(list.split(" or ", -1)).map(AddressSelectionTest::candidate).toList(),
                table);
    }

    private static List<ResolvedAddress> addresses(String list) {
        return Arrays.stream(list.split(" or | then ", -1))
                .map(text -> new ResolvedAddress(InetAddress.ofLiteral(text.strip()), 1))
                .toList();
    }

    /// Both orders of the list give the same: the rules decide, not rule 10.
    private static void assertSorted(
            PolicyTable table, String candidates, String destinations, String result) {
        AddressSelection selection = AddressSelection.of(sources(candidates, table)).policy(table);
        List<ResolvedAddress> found = addresses(destinations);
        assertThat(selection.sort(found)).isEqualTo(addresses(result));
        assertThat(selection.sort(found.reversed())).isEqualTo(addresses(result));
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1::1, 2001:db8:3::1 or fe80::1, 2001:db8:3::1", // appropriate scope
        "ff05::1, 2001:db8:3::1 or fe80::1, 2001:db8:3::1", // appropriate scope
        "2001:db8:1::1, 2001:db8:1::1 (deprecated) or 2001:db8:2::1, 2001:db8:1::1", // same
        "fe80::1, fe80::2 (deprecated) or 2001:db8:1::1, fe80::2", // appropriate scope
        "2001:db8:1::1, 2001:db8:1::2 or 2001:db8:3::2, 2001:db8:1::2", // longest prefix
        "2001:db8:1::1, 2001:db8:1::2 (care-of) or 2001:db8:3::2 (home), 2001:db8:3::2", // home
        "2002:c633:6401::1, 2002:c633:6401::d5e3:7953:13eb:22e8 (temporary) or 2001:db8:1::2,"
                + " 2002:c633:6401::d5e3:7953:13eb:22e8", // matching label
        "2001:db8:1::d5e3:0:0:1, 2001:db8:1::2 or 2001:db8:1::d5e3:7953:13eb:22e8 (temporary),"
                + " 2001:db8:1::d5e3:7953:13eb:22e8", // temporary
        "2001:db8:1::1, 2001:db8:1::2 (deprecated) or 2001:db8:3::2, 2001:db8:3::2",
        "198.51.100.1, 2001:db8:1::2 or 10.0.0.1 or 169.254.1.1, 10.0.0.1"
    })
    void sourcesAreChosenAsInSection101(String destination, String candidates, String result) {
        InetAddress to = InetAddress.ofLiteral(destination);
        for (String order : List.of(candidates, reversed(candidates))) {
            assertThat(sources(order, PolicyTable.DEFAULT).of(to))
                    .isInstanceOfSatisfying(
                            Local.class,
                            local ->
                                    assertThat(local.address())
                                            .isEqualTo(InetAddress.ofLiteral(result)));
        }
    }

    private static String reversed(String list) {
        List<String> parts = List.of(list.split(" or ", -1));
        return String.join(" or ", parts.reversed());
    }

    @ParameterizedTest
    @CsvSource({
        // matching scope
        "2001:db8:1::2 or fe80::1 or 169.254.13.78, 2001:db8:1::1 or 198.51.100.121,"
                + " 2001:db8:1::1 then 198.51.100.121",
        "fe80::1 or 198.51.100.117, 2001:db8:1::1 or 198.51.100.121,"
                + " 198.51.100.121 then 2001:db8:1::1",
        // higher precedence
        "2001:db8:1::2 or fe80::1 or 10.1.2.4, 2001:db8:1::1 or 10.1.2.3,"
                + " 2001:db8:1::1 then 10.1.2.3",
        // smaller scope
        "2001:db8:1::2 or fe80::2, 2001:db8:1::1 or fe80::1, fe80::1 then 2001:db8:1::1",
        // home address
        "2001:db8:1::2 (care-of) or 2001:db8:3::1 (home) or fe80::2 (care-of),"
                + " 2001:db8:1::1 or fe80::1, 2001:db8:1::1 then fe80::1",
        // deprecated address
        "2001:db8:1::2 or fe80::2 (deprecated), 2001:db8:1::1 or fe80::1,"
                + " 2001:db8:1::1 then fe80::1",
        // longest matching prefix
        "2001:db8:1::2 or 2001:db8:3f44::2 or fe80::2, 2001:db8:1::1 or 2001:db8:3ffe::1,"
                + " 2001:db8:1::1 then 2001:db8:3ffe::1",
        // matching label
        "2002:c633:6401::2 or fe80::2, 2002:c633:6401::1 or 2001:db8:1::1,"
                + " 2002:c633:6401::1 then 2001:db8:1::1",
        // higher precedence
        "2002:c633:6401::2 or 2001:db8:1::2 or fe80::2, 2002:c633:6401::1 or 2001:db8:1::1,"
                + " 2001:db8:1::1 then 2002:c633:6401::1"
    })
    void destinationsAreOrderedAsInSection102(String sources, String found, String result) {
        assertSorted(PolicyTable.DEFAULT, sources, found, result);
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::2 or fe80::1 or 169.254.13.78, 2001:db8::1 or 198.51.100.121,"
                + " 2001:db8::1 then 198.51.100.121, 2001:db8::1 then 198.51.100.121",
        "fe80::1 or 198.51.100.117, 2001:db8::1 or 198.51.100.121,"
                + " 198.51.100.121 then 2001:db8::1, 198.51.100.121 then 2001:db8::1",
        "2001:db8::2 or fe80::1 or 10.1.2.4, 2001:db8::1 or 10.1.2.3,"
                + " 2001:db8::1 then 10.1.2.3, 10.1.2.3 then 2001:db8::1"
    })
    void ipv4IsPreferredAsInSection103(
            String sources, String found, String byDefault, String changed) {
        assertSorted(PolicyTable.DEFAULT, sources, found, byDefault);
        assertSorted(PolicyTable.IPV4_FIRST, sources, found, changed);
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::2 or fe80::2, fe80::1 then 2001:db8::1, 2001:db8::1 then fe80::1",
        "2001:db8::2 (deprecated) or fe80::2, fe80::1 then 2001:db8::1,"
                + " fe80::1 then 2001:db8::1"
    })
    void linkLocalAddressesComeLaterAsInSection104(
            String sources, String byDefault, String changed) {
        PolicyTable table = PolicyTable.DEFAULT.with("fe80::/10", 33, 1);
        assertSorted(PolicyTable.DEFAULT, sources, "2001:db8::1 or fe80::1", byDefault);
        assertSorted(table, sources, "2001:db8::1 or fe80::1", changed);
    }

    @Test
    void multihomedSiteIsConfiguredAsInSection105() {
        PolicyTable table =
                PolicyTable.DEFAULT
                        .with("2001:db8:1aaa::/48", 43, 6)
                        .with("2001:db8:1bbb::/48", 43, 6);
        String site = "2001:db8:1aaa::a or 2001:db8:70aa::a or fe80::a";
        String other = "2001:db8:1bbb::b or 2001:db8:70bb::b";
        assertSorted(PolicyTable.DEFAULT, site, other, "2001:db8:70bb::b then 2001:db8:1bbb::b");
        assertSorted(table, site, other, "2001:db8:1bbb::b then 2001:db8:70bb::b");
    }

    @Test
    void uniqueLocalAddressesArePreferredAsInSection106() {
        PolicyTable table = PolicyTable.DEFAULT.with("fd11:1111:1111::/48", 45, 14);
        String sources = "2001:db8:1::2 or fd11:1111:1111:1::2 or fe80::2";
        String found = "2001:db8:2::2 or fd11:1111:1111:2::2";
        assertSorted(PolicyTable.DEFAULT, sources, found, "2001:db8:2::2 then fd11:1111:1111:2::2");
        assertSorted(table, sources, found, "fd11:1111:1111:2::2 then 2001:db8:2::2");
    }

    @Test
    void sixToFourComesBehindIpv4AsInSection107() {
        String sources = "2002:c633:6401::2 or 198.51.100.1";
        String found = "2002:c633:6433::1 or 198.51.100.51";
        assertSorted(PolicyTable.DEFAULT, sources, found, "198.51.100.51 then 2002:c633:6433::1");
        assertSorted(
                PolicyTable.DEFAULT.with("2002::/16", 37, 2),
                sources,
                found,
                "2002:c633:6433::1 then 198.51.100.51");
    }

    @Test
    void addressesWithoutARouteComeLast() { // rule 1
        assertSorted(
                PolicyTable.DEFAULT,
                "10.0.0.1",
                "2001:db8::1 or 10.1.1.1",
                "10.1.1.1 then 2001:db8::1");
        assertThat(AddressSelection.of(_ -> new Unreachable()).sort(addresses("10.0.0.2 or ::1")))
                .isEqualTo(addresses("::1 or 10.0.0.2"));
    }

    @Test
    void nativeTransportIsPreferred() { // rule 7
        InetAddress tunnelled = InetAddress.ofLiteral("2001:db8::1");
        SourceAddresses sources =
                destination ->
                        new Local(
                                InetAddress.ofLiteral("2001:db8::f"),
                                0,
                                false,
                                Mobility.HOME_AND_CARE_OF,
                                destination.equals(tunnelled));
        assertThat(AddressSelection.of(sources).sort(addresses("2001:db8::1 or 2001:db8::2")))
                .isEqualTo(addresses("2001:db8::2 or 2001:db8::1"));
    }

    @Test
    void historyCountsBeforeTheLongestPrefix() { // RFC 8305 4
        SourceSelection sources = sources("2001:db8:1::2 or 2001:db8:3f44::2", PolicyTable.DEFAULT);
        Comparator<InetAddress> known =
                Comparator.comparingInt(a -> a.getHostAddress().contains("3ffe") ? 0 : 1);
        assertThat(
                        AddressSelection.of(sources)
                                .history(known)
                                .sort(addresses("2001:db8:1::1 or 2001:db8:3ffe::1")))
                .isEqualTo(addresses("2001:db8:3ffe::1 or 2001:db8:1::1"));
    }

    @Test
    void equalsKeepTheirOrder() { // rule 10
        String found = "198.51.100.9 or 198.51.100.3 or 198.51.100.7";
        assertThat(AddressSelection.of(SourceAddresses.UNKNOWN).sort(addresses(found)))
                .isEqualTo(addresses(found));
    }

    @Test
    void unknownSourcesLeavePrecedenceAndScope() {
        assertThat(
                        AddressSelection.of(SourceAddresses.UNKNOWN)
                                .sort(addresses("198.51.100.9 or 2001:db8::1 or fe80::1 or ::1")))
                .isEqualTo(addresses("::1 or fe80::1 or 2001:db8::1 or 198.51.100.9"));
    }

    @Test
    void historyThatContradictsItselfBreaksNothing() {
        String found =
                IntStream.rangeClosed(1, 200)
                        .mapToObj(i -> "198.51.100." + i)
                        .collect(Collectors.joining(" or "));
        AddressSelection selection =
                AddressSelection.of(SourceAddresses.UNKNOWN).history((_, _) -> -1);
        assertThat(selection.sort(addresses(found)))
                .containsExactlyInAnyOrderElementsOf(addresses(found));
    }

    @Test
    void fewRoutesAreAskedForMany() {
        int[] asked = {0};
        SourceAddresses counting =
                _ -> {
                    asked[0]++;
                    return new Unreachable();
                };
        String found =
                Stream.iterate(1, i -> i + 1)
                        .limit(200)
                        .map(i -> "198.51.100." + i)
                        .collect(Collectors.joining(" or "));
        assertThat(AddressSelection.of(counting).sort(addresses(found))).hasSize(200);
        assertThat(asked[0]).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({
        "::1, 50, 0",
        "2001:db8::1, 40, 1",
        "10.0.0.1, 35, 4",
        "127.0.0.1, 35, 4",
        "2002::1, 30, 2",
        "2001::1, 5, 5",
        "fd00::1, 3, 13",
        "::2, 1, 3",
        "fec0::1, 1, 11",
        "3ffe::1, 1, 12"
    })
    void policyTableIsThatOfSection21(String address, int precedence, int label) {
        InetAddress of = InetAddress.ofLiteral(address);
        assertThat(PolicyTable.DEFAULT.precedence(of)).isEqualTo(precedence);
        assertThat(PolicyTable.DEFAULT.label(of)).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::", "2001:db8::/129", "10.0.0.0/8", "2001:db8::/x", "''", "/1"})
    void prefixesAreChecked(String prefix) {
        assertThatThrownBy(() -> PolicyTable.DEFAULT.with(prefix, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefix: " + prefix + " (expected: an IPv6 address / 0..128)");
    }
}
