package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attack class: a client reaches through the proxy what listens on its machine alone.
class DestinationsTest {
    private static Destinations of(String host, String... args) {
        Extras extras = Extras.take(args, "", Destinations.DENY, Destinations.PERMIT);
        return Destinations.of(Options.parse(0, "--host", host), extras);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "0.0.0.0",
                "169.254.169.254",
                "::1",
                "::",
                "::ffff:127.0.0.1",
                "fe80::1"
            })
    void proxyForOthersDoesNotReachItsOwnMachineOrLink(String address) {
        InetAddress local = InetAddress.ofLiteral(address);
        assertThat(of("0.0.0.0").permits(local)).isFalse();
        assertThat(of("::").permits(local)).isFalse();
        assertThat(of("127.0.0.1").permits(local)).isTrue();
    }

    @Test
    void permittedBlocksAreReachedAndDeniedOnesNever() {
        Destinations some = of("0.0.0.0", "--permit-to", "127.0.0.0/8", "--deny-to", "127.0.0.2");
        assertThat(some.permits(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
        assertThat(some.permits(InetAddress.ofLiteral("127.0.0.2"))).isFalse();
        assertThat(some.permits(InetAddress.ofLiteral("169.254.169.254"))).isFalse();
        assertThat(some.permits(InetAddress.ofLiteral("192.0.2.1"))).isTrue();
    }

    @Test
    void connectionsFromAnyoneAreExpectedUnlessDenied() {
        for (String any : new String[] {"0.0.0.0", "::"}) {
            InetAddress anyone = InetAddress.ofLiteral(any);
            assertThat(of("0.0.0.0").expects(anyone)).isTrue();
            assertThat(of("0.0.0.0", "--deny-to", any).expects(anyone)).isFalse();
        }
        assertThat(of("0.0.0.0").expects(InetAddress.ofLiteral("127.0.0.1"))).isFalse();
        assertThat(of("0.0.0.0").expects(InetAddress.ofLiteral("192.0.2.1"))).isTrue();
    }
}
