package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final Candidates candidates = new Candidates();

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
}
