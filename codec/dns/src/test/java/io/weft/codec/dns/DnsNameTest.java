package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "a.",
                "example.com.",
                "*.example.com.",
                "_sip._tcp.example.",
                "a\\.b.example.",
                "\\000\\255\\032.x.",
                "\\@\\$\\;\\(\\)\\\"\\\\.x."
            })
    void textIsWrittenAsItWasRead(String text) {
        assertThat(DnsName.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                ".a",
                "a..b",
                "a..",
                "a b",
                "a\\",
                "a\\1",
                "a\\12",
                "a\\256",
                "é",
                "a\tb",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void badNamesAreRefused(String text) {
        assertThatThrownBy(() -> DnsName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void limitsAreThoseOfRfc1035() {
        String label = "a".repeat(63);
        String most = (label + ".").repeat(3) + "a".repeat(61);
        assertThat(DnsName.parse(most).length()).isEqualTo(255);
        assertThatThrownBy(() -> DnsName.parse(most + "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DnsName.parse(label + "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(DnsName.parse("a.".repeat(127)).labelCount()).isEqualTo(127);
        assertThatThrownBy(() -> DnsName.parse("a.".repeat(128)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DnsName.parse("a").append(DnsName.parse(most)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// RFC 4343: ASCII letters alone have no case.
    @Test
    void equalityIgnoresTheCaseOfAsciiLetters() {
        DnsName name = DnsName.parse("Foo.Example.COM");
        assertThat(name).isEqualTo(DnsName.parse("foo.example.com."));
        assertThat(name.hashCode()).isEqualTo(DnsName.parse("fOO.eXAMPLE.com").hashCode());
        assertThat(name.equalsExactly(DnsName.parse("foo.example.com"))).isFalse();
        assertThat(name.toLowerCase()).hasToString("foo.example.com.");
        assertThat(DnsName.parse("\\192")).isNotEqualTo(DnsName.parse("\\224"));
        assertThat(DnsName.parse("[")).isNotEqualTo(DnsName.parse("{"));
        assertThat(DnsName.parse("@x".replace("@", "\\@"))).isNotEqualTo(DnsName.parse("`x"));
    }

    /// RFC 4034, 6.1.
    @Test
    void orderIsCanonical() {
        List<DnsName> ordered =
                List.of(
                        DnsName.parse("example."),
                        DnsName.parse("a.example."),
                        DnsName.parse("yljkjljk.a.example."),
                        DnsName.parse("Z.a.example."),
                        DnsName.parse("zABC.a.EXAMPLE."),
                        DnsName.parse("z.example."),
                        DnsName.parse("\\001.z.example."),
                        DnsName.parse("*.z.example."),
                        DnsName.parse("\\200.z.example."));
        List<DnsName> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(1));
        Collections.sort(shuffled);
        assertThat(shuffled).isEqualTo(ordered);
    }

    @Test
    void relativeNamesGoOnWithTheOrigin() {
        DnsName origin = DnsName.parse("example.com.");
        assertThat(DnsName.parse("www", origin)).hasToString("www.example.com.");
        assertThat(DnsName.parse("www.", origin)).hasToString("www.");
        assertThat(DnsName.parse("@", origin)).isEqualTo(origin);
        assertThat(DnsName.parse("a\\.", origin)).hasToString("a\\..example.com.");
    }

    @Test
    void namesKnowTheirPlaceInTheTree() {
        DnsName name = DnsName.parse("a.b.example.");
        assertThat(name.isWithin(DnsName.parse("B.example."))).isTrue();
        assertThat(name.isWithin(name)).isTrue();
        assertThat(name.isWithin(DnsName.ROOT)).isTrue();
        assertThat(name.isWithin(DnsName.parse("x.a.b.example."))).isFalse();
        assertThat(DnsName.parse("ab.example").isWithin(DnsName.parse("b.example"))).isFalse();
        assertThat(name.parent()).isEqualTo(DnsName.parse("b.example."));
        assertThat(DnsName.ROOT.parent()).isNull();
        assertThat(DnsName.parse("*.a").isWildcard()).isTrue();
        assertThat(name.labels()).extracting(Octets::text).containsExactly("a", "b", "example");
        assertThat(DnsName.of(name.labels())).isEqualTo(name);
        assertThat(DnsName.parse("x.y").append(DnsName.parse("z"))).hasToString("x.y.z.");
    }

    @Test
    void caseOfLettersIsChosenFromTheLeft() {
        DnsName name = DnsName.parse("aB\\097.\\255-1.xyz.");
        boolean[] upper = {false};
        DnsName other = name.withCase(() -> upper[0] = !upper[0]);
        assertThat(other).hasToString("AbA.\\255-1.xYz.").isEqualTo(name);
        assertThat(DnsName.parse("a.@[`{.").withCase(() -> true)).hasToString("A.\\@[`{.");
        assertThat(DnsName.ROOT.withCase(() -> true)).isEqualTo(DnsName.ROOT);
    }

    @Test
    void namesThatAreNoIdnaAreTold() {
        assertThatThrownBy(() -> DnsName.ofUnicode("ü..b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("name: ü..b: ");
        assertThatThrownBy(() -> DnsName.ofUnicode("a..b"))
                .hasMessage("label octets: 0 (expected: 1 to 63)");
        assertThatThrownBy(() -> DnsName.ofUnicode("a".repeat(64)))
                .hasMessage("label octets: 64 (expected: 1 to 63)");
        assertThat(DnsName.ofUnicode("a\\.b.C")).isEqualTo(DnsName.parse("a\\.b.c"));
    }

    @Test
    void namesOfOtherScriptsAreIdna() {
        DnsName name = DnsName.ofUnicode("bücher.example.");
        assertThat(name).hasToString("xn--bcher-kva.example.");
        assertThat(name.toUnicode()).isEqualTo("bücher.example.");
    }

    @Test
    void lettersThatAreYoungerThanIdnaAreTakenAsTheyAre() {
        DnsName name = DnsName.ofUnicode("\ud83e\udd9e.example.");
        assertThat(name).hasToString("xn--ut9h.example.");
        assertThat(name.toUnicode()).isEqualTo("\ud83e\udd9e.example.");
    }
}
