package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Several resolvers in turn, families, and the order of answers.
class CompositeTest {
    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver first = new ScriptedResolver();
    private final ScriptedResolver second = new ScriptedResolver();
    private final NameResolver both = CompositeResolver.of(first, second);

    @Test
    void firstThatFindsAnAddressAnswersAlone() {
        first.answers("a", "192.0.2.1");
        second.answers("a", "192.0.2.2").answers("b", "192.0.2.3");
        assertThat(new Asked(both, "a", loop).addresses()).isEqualTo("192.0.2.1");
        assertThat(new Asked(both, "b", loop).addresses()).isEqualTo("192.0.2.3");
        assertThat(second.asked()).containsExactly("b");
    }

    @Test
    void nextIsAskedWhateverTheFailure() {
        first.host("a").fails(new IOException("no server"));
        second.answers("a", "192.0.2.2");
        assertThat(new Asked(both, "a", loop).addresses()).isEqualTo("192.0.2.2");
    }

    @Test
    void searchThatFindsNothingIsAFailure() {
        first.host("a").ends();
        second.host("a").ends();
        assertThat(new Asked(both, "a", loop).failure()).isEqualTo("a: no address");
        assertThat(second.asked()).hasSize(1);
    }

    @Test
    void resolverThatThrowsIsPassedOver() {
        NameResolver broken =
                (_, _, _, _) -> {
                    throw new IllegalStateException("broken");
                };
        second.answers("a", "192.0.2.2");
        assertThat(new Asked(CompositeResolver.of(broken, second), "a", loop).addresses())
                .isEqualTo("192.0.2.2");
    }

    @Test
    void lastFailureIsToldWithTheOthers() {
        first.host("a").fails(new IOException("no server"));
        Throwable cause = new Asked(both, "a", loop).search.cause();
        assertThat(cause).isInstanceOf(UnknownHostException.class);
        assertThat(cause.getSuppressed()[0]).hasMessage("no server");
    }

    @Test
    void failureBehindAnAddressIsNotMadeUpFor() {
        first.host("a").finds("192.0.2.1").fails(new IOException("no AAAA"));
        Asked asked = new Asked(both, "a", loop);
        assertThat(asked.addresses()).isEqualTo("192.0.2.1");
        assertThat(asked.failure()).isEqualTo("no AAAA");
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void familyIsCompleteOnlyWhereTheResolverAnswers() {
        first.host("a").completes(StandardProtocolFamily.INET6).ends();
        second.host("a").at(Duration.ofMillis(1)).finds("192.0.2.2").ends();
        Asked asked = new Asked(both, "a", loop);
        assertThat(asked.told).isEmpty();
        loop.advance(Duration.ofMillis(1));
        assertThat(asked.told).containsExactly("192.0.2.2");
        first.host("b").completes(StandardProtocolFamily.INET6).finds("192.0.2.1").ends();
        assertThat(new Asked(both, "b", loop).told).containsExactly("complete INET6", "192.0.2.1");
    }

    @Test
    void cancelCancelsTheOneThatIsAsked() {
        second.host("a").at(Duration.ofSeconds(1)).ends();
        Asked asked = new Asked(both, "a", loop);
        asked.search.cancel();
        assertThat(second.cancelled()).isEqualTo(1);
        loop.advance(Duration.ofSeconds(2));
        assertThat(asked.told).isEmpty();
    }

    @Test
    void compositeNeedsAResolver() {
        assertThatThrownBy(() -> new CompositeResolver(List.of()))
                .hasMessage("resolvers: 0 (expected: at least 1)");
    }

    // ---- round robin ----

    @Test
    void roundRobinBeginsWithAnotherAddressEachTime() {
        first.answers("a", "192.0.2.1", "192.0.2.2", "192.0.2.3");
        NameResolver turning = new RoundRobinResolver(first);
        assertThat(new Asked(turning, "a", loop).addresses())
                .isEqualTo("192.0.2.1 192.0.2.2 192.0.2.3");
        assertThat(new Asked(turning, "a", loop).addresses())
                .isEqualTo("192.0.2.2 192.0.2.3 192.0.2.1");
        assertThat(new Asked(turning, "a", loop).addresses())
                .isEqualTo("192.0.2.3 192.0.2.1 192.0.2.2");
        assertThat(new Asked(turning, "a", loop).addresses()).startsWith("192.0.2.1");
    }

    @Test
    void roundRobinTurnsEachFamilyByItself() {
        first.answers("a", "2001:db8::1", "192.0.2.1", "192.0.2.2", "2001:db8::2");
        NameResolver turning = new RoundRobinResolver(first);
        new Asked(turning, "a", loop);
        assertThat(new Asked(turning, "a", loop).addresses())
                .isEqualTo("2001:db8:0:0:0:0:0:2 192.0.2.2 192.0.2.1 2001:db8:0:0:0:0:0:1");
    }

    // ---- families ----

    @ParameterizedTest
    @CsvSource({
        "IPV4_ONLY, 192.0.2.1 192.0.2.2",
        "IPV6_ONLY, 2001:db8:0:0:0:0:0:1",
        "IPV4_PREFERRED, 192.0.2.1 192.0.2.2 2001:db8:0:0:0:0:0:1",
        "IPV6_PREFERRED, 2001:db8:0:0:0:0:0:1 192.0.2.1 192.0.2.2"
    })
    void familiesAreLeftOutOrPutFirst(AddressFamilies families, String expected) {
        first.answers("a", "192.0.2.1", "2001:db8::1", "192.0.2.2");
        assertThat(new Asked(new FamilyResolver(first, families), "a", loop).addresses())
                .isEqualTo(expected);
    }

    @Test
    void connectDoesNotWaitForAFamilyThatIsLeftOut() {
        first.host("a").finds("192.0.2.1");
        assertThat(new Asked(new FamilyResolver(first, AddressFamilies.IPV4_ONLY), "a", loop).told)
                .containsExactly("complete INET6", "192.0.2.1");
    }
}
