package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.ManualExecutor;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts of addresses, and names that are never asked for.
class SpecialNamesTest {
    private final ManualExecutor loop = new ManualExecutor();
    private final ScriptedResolver upstream =
            new ScriptedResolver()
                    .answers("www.example", "192.0.2.1")
                    .answers("xn--bcher-kva.example", "192.0.2.2")
                    .answers("a_b.example", "192.0.2.3")
                    .answers("localhost.example", "192.0.2.4")
                    .answers("notlocalhost", "192.0.2.5")
                    .answers("www.example.", "192.0.2.6");
    private final NameResolver resolver = new LiteralResolver(new SpecialNamesResolver(upstream));

    private Asked ask(String host) {
        return new Asked(resolver, host, loop);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1",
        "::, 0:0:0:0:0:0:0:0",
        "::ffff:192.0.2.1, 192.0.2.1",
        "2001:DB8::192.0.2.1, 2001:db8:0:0:0:0:c000:201"
    })
    void literalsAreTheirOwnAddresses(String literal, String address) {
        assertThat(ask(literal).addresses()).isEqualTo(address);
        assertThat(upstream.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.1",
                "2130706433",
                "0x7f000001",
                "0177.0.0.1",
                "127.0.0.1.",
                "1.2.3.4.5",
                "256.1.1.1",
                "www.example.1",
                "[::1]",
                "::1::",
                "12345::",
                "a:b",
                "www.example:80",
                "\uff11\uff12\uff17.0.0.1",
                "127\u30020\u30020\u30021"
            })
    void otherFormsOfAddressesAreNobodys(String text) {
        Asked asked = ask(text);
        assertThat(asked.search.cause()).isInstanceOf(UnknownHostException.class);
        assertThat(upstream.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.LocalHost."})
    void localhostIsTheLoopback(String name) {
        assertThat(ask(name).addresses()).isEqualTo("0:0:0:0:0:0:0:1 127.0.0.1");
        assertThat(upstream.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"invalid", "a.invalid", "A.INVALID.", "onion", "expyuzz4wqqyqhjn.onion"})
    void reservedNamesAreNobodys(String name) {
        assertThat(ask(name).failure()).isEqualTo(name + " (expected: not a special-use name)");
        assertThat(upstream.asked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "WWW.Example, 192.0.2.1",
        "B\u00dcCHER.example, 192.0.2.2",
        "a_b.example, 192.0.2.3",
        "localhost.example, 192.0.2.4",
        "notlocalhost, 192.0.2.5"
    })
    void otherNamesAreHandedOnInOneForm(String name, String address) {
        assertThat(ask(name).addresses()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WWW.Example.", "www.example\u3002"})
    void dotOfTheRootStays(String name) {
        assertThat(ask(name).addresses()).isEqualTo("192.0.2.6");
        assertThat(upstream.asked()).containsExactly("www.example.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", ".a", "a..b", "a b", "a\u0000b", "a\nb", "\u0007"})
    void textsThatAreNoNamesAreRefused(String text) {
        Asked asked = ask(text);
        assertThat(asked.search.cause()).isInstanceOf(UnknownHostException.class);
        assertThat(asked.failure())
                .startsWith("name: \"")
                .endsWith("(expected: labels of 1..63 characters, 253 in all)")
                .doesNotContain("\n")
                .doesNotContain("\u0000");
        assertThat(upstream.asked()).isEmpty();
    }

    @Test
    void longNamesAreRefused() {
        String label = "a".repeat(63);
        String longest = String.join(".", label, label, label, "a".repeat(61));
        upstream.answers(longest, "192.0.2.7");
        assertThat(ask(longest).addresses()).isEqualTo("192.0.2.7");
        upstream.answers(longest + ".", "192.0.2.8");
        assertThat(ask(longest + ".").addresses()).isEqualTo("192.0.2.8");
        assertThat(ask(longest + "a").search.isSuccess()).isFalse();
        assertThat(ask("a".repeat(64) + ".example").search.isSuccess()).isFalse();
        assertThat(ask("\u00fc".repeat(100_000)).failure()).hasSizeLessThan(200);
    }
}
