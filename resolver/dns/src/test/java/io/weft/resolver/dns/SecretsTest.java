package io.weft.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsName;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Values that are hard to guess, from a seeded source here.
class SecretsTest {
    private final Secrets secrets =
            new Secrets(SimWorld.seeded(Long.getLong("io.weft.test.seed", 1)));

    /// The chi-square statistic of counts that should be equal, with 255 degrees of freedom.
    private static double chiSquare(int[] counts) {
        double expected = 0;
        for (int count : counts) {
            expected += count;
        }
        expected /= counts.length;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    @Test
    void idsAndPortsAreUniform() {
        int[] high = new int[256];
        int[] low = new int[256];
        int[] ports = new int[256];
        for (int i = 0; i < 1_000_000; i++) {
            int id = secrets.id();
            high[id >> 8]++;
            low[id & 0xFF]++;
            int port = secrets.port();
            assertThat(port >= 16_384 && port <= 65_535).isTrue();
            ports[(port - 16_384) / 192]++;
        }
        // 1 in a million is above 377.
        assertThat(chiSquare(high)).isLessThan(377);
        assertThat(chiSquare(low)).isLessThan(377);
        assertThat(chiSquare(ports)).isLessThan(377);
    }

    @Test
    void numbersBelowABoundAreUniform() {
        int[] counts = new int[256];
        for (int i = 0; i < 500_000; i++) {
            counts[secrets.below(192) * 4 / 3]++; // a bound that divides no power of two
        }
        int[] hit = java.util.Arrays.stream(counts).filter(count -> count > 0).toArray();
        assertThat(hit).hasSize(192);
        assertThat(chiSquare(hit)).isLessThan(300);
        assertThat(secrets.below(1)).isZero();
    }

    @Test
    void eachLetterIsInEitherCase() {
        DnsName name = DnsName.parse("abcdefghijklmnopqrstuvwxyz-0123456789.example.com.");
        int[] upper = new int[64];
        Set<String> spellings = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            DnsName mixed = secrets.mixed(name);
            assertThat(mixed).isEqualTo(name);
            String text = mixed.toString();
            spellings.add(text);
            for (int j = 0; j < text.length(); j++) {
                upper[j] += Character.isUpperCase(text.charAt(j)) ? 1 : 0;
            }
        }
        assertThat(spellings).hasSizeGreaterThan(9_990);
        String text = name.toString();
        for (int j = 0; j < text.length(); j++) {
            if (Character.isLetter(text.charAt(j))) {
                assertThat(upper[j]).as(text.substring(j, j + 1)).isBetween(4_700, 5_300);
            } else {
                assertThat(upper[j]).isZero();
            }
        }
    }

    @Test
    void otherOctetsOfANameStayAsTheyAre() {
        DnsName name = DnsName.parse("\\000\\255\\@\\[`{.1-2_3.");
        assertThat(secrets.mixed(name).equalsExactly(name)).isTrue();
        assertThat(secrets.mixed(DnsName.ROOT)).isEqualTo(DnsName.ROOT);
    }
}
