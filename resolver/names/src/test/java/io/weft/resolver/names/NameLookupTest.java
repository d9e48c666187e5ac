package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameLookupTest {
    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver names = new ScriptedResolver();

    private NameLookup lookup(AddressFamilies families) {
        return new NameLookup(names, families);
    }

    private static List<InetAddress> addresses(String... literals) {
        return java.util.Arrays.stream(literals).map(InetAddress::ofLiteral).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4_ONLY, 192.0.2.1",
        "IPV6_ONLY, 2001:db8::1",
        "IPV4_PREFERRED, 192.0.2.1",
        "IPV6_PREFERRED, 2001:db8::1"
    })
    void oneAddressIsOfTheFamilyThatIsPreferred(AddressFamilies families, String expected) {
        names.host("a").finds("192.0.2.1").finds("2001:db8::1").ends();
        assertThat(lookup(families).resolve("a", loop).now())
                .isEqualTo(InetAddress.ofLiteral(expected));
    }

    @Test
    void allAddressesComeOnceEach() {
        names.host("a").finds("192.0.2.1", "192.0.2.2").finds("2001:db8::1", "192.0.2.1").ends();
        assertThat(lookup(AddressFamilies.IPV6_PREFERRED).resolveAll("a", loop).now())
                .isEqualTo(addresses("2001:db8::1", "192.0.2.1", "192.0.2.2"));
    }

    @Test
    void otherFamilyIsNoAddress() {
        names.answers("a", "192.0.2.1");
        assertThat(lookup(AddressFamilies.IPV6_ONLY).resolve("a", loop).cause())
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("a: no address (IPV6_ONLY)");
    }

    @Test
    void addressesAreTakenWhereSomeCouldNotBeHad() {
        names.host("a").finds("192.0.2.1").fails(new IOException("no AAAA"));
        assertThat(lookup(AddressFamilies.IPV6_PREFERRED).resolveAll("a", loop).now())
                .isEqualTo(addresses("192.0.2.1"));
    }

    @Test
    void failureIsThatOfTheResolver() {
        names.host("a").fails(new IOException("no server"));
        assertThat(lookup(AddressFamilies.IPV4_ONLY).resolveAll("a", loop).cause())
                .hasMessage("no server");
    }

    @Test
    void cancelGivesTheSearchUp() {
        names.host("a").at(Duration.ofSeconds(1)).ends();
        Future<InetAddress> one = lookup(AddressFamilies.IPV4_ONLY).resolve("a", loop);
        assertThat(one.cancel()).isTrue();
        assertThat(names.cancelled()).isEqualTo(1);
    }

    @Test
    void timeOfAScriptBeyondTheClocksRangeNeverComes() {
        names.host("a").at(Duration.ofDays(200_000)).finds("192.0.2.1").ends();
        Future<InetAddress> search = lookup(AddressFamilies.IPV4_ONLY).resolve("a", loop);
        assertThat(search.isDone()).isFalse();
    }
}
