package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.Future;
import io.weft.loop.ManualExecutor;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemResolverTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final List<ResolvedAddress> found = new ArrayList<>();

    private Future<Void> resolve(String host) {
        return NameResolver.system().resolve(host, 80, executor, found::addAll);
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
    void strictLiteralsNeedNoSystem(String literal) {
        assertThat(resolve(literal).isSuccess()).isTrue();
        assertThat(found).containsExactly(new ResolvedAddress(InetAddress.ofLiteral(literal), 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.1", "2130706433", "0177.0.0.1", "0x7f.1", "[::1]", "1.2.3.4."})
    void otherFormsOfAddressesAreUnknownNames(String text) {
        assertThat(resolve(text).cause())
                .isInstanceOf(UnknownHostException.class)
                .hasMessage(text + " (expected: a name or a strict address)");
        assertThat(found).isEmpty();
    }
}
