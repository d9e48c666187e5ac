package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final Candidates candidates = new Candidates(DestinationOrder.asFound(), 1);

    private static List<ResolvedAddress> addresses(String... literals) {
        return Arrays.stream(literals)
                .map(
                        literal -> {
                            try {
                                return new ResolvedAddress(InetAddress.getByName(literal), 1);
                            } catch (UnknownHostException e) {
                                throw new AssertionError(e);
                            }
                        })
                .toList();
    }

    private List<ResolvedAddress> taken() {
        List<ResolvedAddress> taken = new ArrayList<>();
        for (ResolvedAddress next; (next = candidates.poll()) != null; ) {
            taken.add(next);
        }
        return taken;
    }

    @Test
    void theFamiliesAlternate() {
        candidates.add(addresses("::1", "::2", "::3", "10.0.0.1"));
        assertThat(taken()).containsExactlyElementsOf(addresses("::1", "10.0.0.1", "::2", "::3"));
        assertThat(candidates.poll()).isNull();
    }

    @Test
    void theFamilyOfTheFirstAddressBegins() {
        candidates.add(addresses("10.0.0.1", "::1", "10.0.0.2"));
        assertThat(taken()).containsExactlyElementsOf(addresses("10.0.0.1", "::1", "10.0.0.2"));
    }

    @Test
    void theFamiliesAlternateAlsoWhenOneComesLater() {
        candidates.add(addresses("10.0.0.1", "10.0.0.2", "10.0.0.3"));
        assertThat(candidates.poll()).isEqualTo(addresses("10.0.0.1").getFirst());
        candidates.add(addresses("::1"));
        assertThat(taken()).containsExactlyElementsOf(addresses("::1", "10.0.0.2", "10.0.0.3"));
    }

    @Test
    void firstFamilyMayComeSeveralTimesInARow() {
        Candidates patient = new Candidates(DestinationOrder.asFound(), 2);
        patient.add(addresses("::1", "::2", "::3", "10.0.0.1", "10.0.0.2"));
        List<ResolvedAddress> taken = new ArrayList<>();
        for (ResolvedAddress next; (next = patient.poll()) != null; ) {
            taken.add(next);
        }
        assertThat(taken)
                .containsExactlyElementsOf(addresses("::1", "::2", "10.0.0.1", "::3", "10.0.0.2"));
    }

    @Test
    void addressesThatAreFoundAgainAreTriedOnce() {
        candidates.add(addresses("10.0.0.1"));
        candidates.add(addresses("10.0.0.1", "10.0.0.2"));
        assertThat(taken()).containsExactlyElementsOf(addresses("10.0.0.1", "10.0.0.2"));
        candidates.add(addresses("10.0.0.2"));
        assertThat(candidates.isEmpty()).isTrue();
    }

    /// As routers have it.
    @Test
    void sameAddressOfTwoLinksIsTriedOnBoth() throws Exception {
        ResolvedAddress one = new ResolvedAddress(InetAddress.getByName("fe80::1%7"), 80);
        ResolvedAddress two = new ResolvedAddress(InetAddress.getByName("fe80::1%8"), 80);
        assertThat(one).isNotEqualTo(two);
        Candidates both = new Candidates(addresses -> addresses, 1);
        both.add(List.of(one, two, one));
        assertThat(both.poll()).isEqualTo(one).hasSameHashCodeAs(one);
        assertThat(both.poll()).isEqualTo(two);
        assertThat(both.poll()).isNull();
    }

    @Test
    void addressesThatAreGoneMayComeBack() {
        candidates.add(addresses("10.0.0.1", "10.0.0.2"));
        candidates.remove(addresses("10.0.0.1", "10.0.0.9"));
        candidates.add(addresses("10.0.0.1"));
        assertThat(taken()).containsExactlyElementsOf(addresses("10.0.0.2", "10.0.0.1"));
    }

    @Test
    void manyAddressesAreCutOff() {
        for (int i = 0; i < 2 * Candidates.MAX; i++) {
            candidates.add(addresses("10.0." + i / 100 + "." + i % 100));
        }
        assertThat(taken()).hasSize(Candidates.MAX);
    }

    private static ResolvedAddress ranked(String literal, int rank) {
        return new ResolvedAddress(InetAddress.ofLiteral(literal), 1, List.of(), rank);
    }

    @Test
    void ranksComeOneAfterTheOtherAndAlternateEachByItself() {
        candidates.add(
                List.of(
                        ranked("::9", 1),
                        ranked("10.0.0.9", 1),
                        ranked("::1", 0),
                        ranked("::2", 0),
                        ranked("10.0.0.1", 0)));
        assertThat(taken())
                .containsExactly(
                        ranked("::1", 0),
                        ranked("10.0.0.1", 0),
                        ranked("::2", 0),
                        ranked("::9", 1),
                        ranked("10.0.0.9", 1));
    }

    @Test
    void lowerRankThatComesLaterIsNext() {
        candidates.add(List.of(ranked("::9", 1), ranked("::8", 1)));
        assertThat(candidates.poll()).isEqualTo(ranked("::9", 1));
        candidates.add(List.of(ranked("10.0.0.1", 0)));
        assertThat(taken()).containsExactly(ranked("10.0.0.1", 0), ranked("::8", 1));
    }
}
