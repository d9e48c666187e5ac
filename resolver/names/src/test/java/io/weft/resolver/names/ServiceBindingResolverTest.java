package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Places of origins in virtual time (RFC 9460, 3 and 7.3).
class ServiceBindingResolverTest {
    private static final String HOST = "www.example.com";
    private static final String POOL = "pool.example.net.";
    private static final String SIX = "2001:db8::1";
    private static final String FOUR = "192.0.2.1";
    private static final String OTHER_SIX = "2001:db8::2";
    private static final String OTHER_FOUR = "192.0.2.2";

    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver names = new ScriptedResolver();
    private final NameResolver resolver =
            new ServiceBindingResolver(names, Set.of("h2", "http/1.1"));

    /// A search with what it told: addresses with port and rank, those taken back with a minus.
    private final class Heard implements NameResolver.Answers {
        final List<String> told = new ArrayList<>();
        final Future<Void> search = resolver.resolve(HOST, 443, loop, this);

        private String text(ResolvedAddress address) {
            StringBuilder text = new StringBuilder();
            io.weft.loop.IpAddresses.append(text, address.address().getAddress());
            return text + " " + address.port() + " #" + address.rank();
        }

        @Override
        public void found(List<ResolvedAddress> addresses) {
            addresses.forEach(address -> told.add(text(address)));
        }

        @Override
        public void removed(List<ResolvedAddress> addresses) {
            addresses.forEach(address -> told.add("-" + text(address)));
        }

        @Override
        public void complete(StandardProtocolFamily family) {
            told.add(family.name());
        }

        /// The addresses only.
        Stream<String> addresses() {
            return told.stream().filter(line -> !line.startsWith("INET"));
        }
    }

    private static ServiceEndpoint place(
            String host, int port, List<String> protocols, String... hints) {
        return new ServiceEndpoint(
                host, port, protocols, Stream.of(hints).map(InetAddress::ofLiteral).toList());
    }

    private void pass(long millis) {
        loop.advance(Duration.ofMillis(millis));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void withoutRecordsTheHostItselfIsTold() {
        names.answers(HOST, SIX, FOUR);
        assertThat(new Heard().addresses()).containsExactly(SIX + " 443 #0", FOUR + " 443 #0");
    }

    @Test
    void recordOfTheHostItselfTellsItsProtocols() {
        names.answers(HOST, SIX)
                .serves(HOST, 443, Duration.ZERO, place(HOST + ".", 443, List.of("h2")));
        List<ResolvedAddress> found = new ArrayList<>();
        Future<Void> search = resolver.resolve(HOST, 443, loop, found::addAll);
        assertThat(found)
                .containsExactly(
                        new ResolvedAddress(InetAddress.ofLiteral(SIX), 443, List.of("h2"), 0));
        assertThat(search.isSuccess()).isTrue();
        assertThat(names.asked()).containsExactly(HOST);
    }

    @Test
    void hostItselfIsTheLastResort() {
        names.answers(HOST, FOUR)
                .answers(POOL, OTHER_FOUR)
                .serves(HOST, 443, Duration.ZERO, place(POOL, 8443, List.of("h2")));
        Heard heard = new Heard();
        assertThat(heard.addresses()).containsExactly(OTHER_FOUR + " 8443 #0", FOUR + " 443 #1");
        assertThat(heard.search.isSuccess()).isTrue();
    }

    @Test
    void lastResortWaitsForAllPlaces() {
        names.answers(HOST, FOUR).serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of()));
        names.host(POOL).at(millis(900)).finds(OTHER_FOUR).ends();
        Heard heard = new Heard();
        pass(899);
        assertThat(heard.told).isEmpty();
        pass(1);
        assertThat(heard.addresses()).containsExactly(OTHER_FOUR + " 443 #0", FOUR + " 443 #1");
    }

    @Test
    void placesComeByTheirPriority() {
        names.answers(HOST, FOUR)
                .serves(
                        HOST,
                        443,
                        Duration.ZERO,
                        place("a.", 1, List.of("h2")),
                        place("b.", 2, List.of("h2")));
        names.host("a.").at(millis(30)).finds(SIX).ends();
        names.host("b.").at(millis(10)).finds(OTHER_SIX).ends();
        Heard heard = new Heard();
        pass(29);
        assertThat(heard.told).as("the better may come soon").isEmpty();
        pass(1);
        assertThat(heard.addresses())
                .containsExactly(SIX + " 1 #0", OTHER_SIX + " 2 #1", FOUR + " 443 #2");
    }

    @Test
    void worsePlaceIsToldWhenTheBetterIsSlow() {
        names.answers(HOST, FOUR)
                .serves(
                        HOST,
                        443,
                        Duration.ZERO,
                        place("a.", 1, List.of("h2")),
                        place("b.", 2, List.of("h2")));
        names.host("a.").at(millis(500)).finds(SIX).ends();
        names.host("b.").at(millis(10)).finds(OTHER_SIX).ends();
        Heard heard = new Heard();
        pass(49);
        assertThat(heard.told).isEmpty();
        pass(1);
        assertThat(heard.addresses()).containsExactly(OTHER_SIX + " 2 #1");
        pass(450);
        assertThat(heard.addresses())
                .containsExactly(OTHER_SIX + " 2 #1", SIX + " 1 #0", FOUR + " 443 #2");
    }

    @Test
    void recordsAreWaitedForWithinTheResolutionDelay() {
        names.answers(HOST, FOUR)
                .answers(POOL, OTHER_FOUR)
                .serves(HOST, 443, millis(40), place(POOL, 443, List.of("h2")));
        Heard heard = new Heard();
        pass(39);
        assertThat(heard.told).isEmpty();
        pass(1);
        assertThat(heard.addresses()).containsExactly(OTHER_FOUR + " 443 #0", FOUR + " 443 #1");
    }

    @Test
    void recordsBehindTheResolutionDelayJoin() {
        names.answers(HOST, FOUR)
                .answers(POOL, OTHER_FOUR)
                .serves(HOST, 443, millis(80), place(POOL, 443, List.of("h2")));
        Heard heard = new Heard();
        pass(50);
        assertThat(heard.addresses()).containsExactly(FOUR + " 443 #16");
        assertThat(heard.search.isDone()).isFalse();
        pass(30);
        assertThat(heard.addresses()).containsExactly(FOUR + " 443 #16", OTHER_FOUR + " 443 #0");
        assertThat(heard.search.isSuccess()).isTrue();
    }

    @Test
    void recordsThatNeverComeEndTheSearchTwoSecondsLater() {
        names.answers(HOST, FOUR).serves(HOST, 443, Duration.ofHours(1));
        Heard heard = new Heard();
        pass(1_999);
        assertThat(heard.search.isDone()).isFalse();
        pass(1);
        assertThat(heard.search.isSuccess()).isTrue();
        assertThat(heard.addresses()).containsExactly(FOUR + " 443 #16");
        assertThat(loop.pendingTasks()).isZero();
    }

    @Test
    void hintsCountUntilTheAddressesAreThere() {
        names.answers(HOST, FOUR)
                .serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of("h2"), SIX, FOUR));
        names.host(POOL).at(millis(70)).finds(OTHER_SIX).at(millis(90)).finds(FOUR).ends();
        Heard heard = new Heard();
        assertThat(heard.addresses()).containsExactly(SIX + " 443 #0", FOUR + " 443 #0");
        pass(70);
        assertThat(heard.addresses())
                .containsExactly(
                        SIX + " 443 #0",
                        FOUR + " 443 #0",
                        "-" + SIX + " 443 #0",
                        OTHER_SIX + " 443 #0");
        pass(20);
        assertThat(heard.addresses()).as("the hint was right").hasSize(4);
        assertThat(heard.search.isSuccess()).isTrue();
    }

    @Test
    void hintsOfAFamilyWithoutAddressesAreTakenBack() {
        names.answers(HOST, FOUR)
                .serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of("h2"), SIX));
        names.host(POOL).at(millis(70)).finds(OTHER_FOUR).ends();
        Heard heard = new Heard();
        pass(70);
        assertThat(heard.addresses())
                .containsExactly(
                        SIX + " 443 #0",
                        OTHER_FOUR + " 443 #0",
                        "-" + SIX + " 443 #0",
                        FOUR + " 443 #1");
    }

    @Test
    void hintsStandWhereTheAddressesCannotBeHad() {
        names.answers(HOST, FOUR)
                .serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of("h2"), SIX));
        names.host(POOL).at(millis(70)).fails(new UnknownHostException("no server answered"));
        Heard heard = new Heard();
        pass(70);
        assertThat(heard.addresses()).containsExactly(SIX + " 443 #0", FOUR + " 443 #1");
        assertThat(heard.search.isSuccess()).isTrue();
    }

    @Test
    void knownAddressesMakeHintsNeedless() {
        names.answers(HOST, FOUR)
                .serves(HOST, 443, millis(10), place(HOST + ".", 443, List.of("h2"), OTHER_FOUR));
        Heard heard = new Heard();
        pass(10);
        assertThat(heard.addresses()).containsExactly(FOUR + " 443 #0");
    }

    @Test
    void placeWithoutAProtocolOfTheClientIsLeftOut() {
        names.answers(HOST, FOUR)
                .answers(POOL, OTHER_FOUR)
                .serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of("h3")));
        assertThat(new Heard().addresses()).containsExactly(FOUR + " 443 #0");
        assertThat(names.asked()).doesNotContain(POOL);
    }

    @Test
    void failureOfTheRecordsMeansAsMuchAsNone() {
        names.answers(HOST, FOUR);
        NameResolver failing =
                new ServiceBindingResolver(
                        new NameResolver() {
                            @Override
                            public Future<Void> resolve(
                                    String host, int port, EventExecutor on, Answers answers) {
                                return names.resolve(host, port, on, answers);
                            }

                            @Override
                            public Future<ServiceBinding> serviceBinding(
                                    String host, int port, EventExecutor on) {
                                return Promise.failed(on, new UnknownHostException("SERVFAIL"));
                            }
                        },
                        Set.of("h2"));
        List<ResolvedAddress> found = new ArrayList<>();
        assertThat(failing.resolve(HOST, 443, loop, found::addAll).isSuccess()).isTrue();
        assertThat(found).hasSize(1);
    }

    @Test
    void hostWithoutAddressesIsServedByItsPlaces() {
        names.answers(POOL, OTHER_FOUR).serves(HOST, 443, millis(20), place(POOL, 443, List.of()));
        Heard heard = new Heard();
        pass(20);
        assertThat(heard.addresses()).containsExactly(OTHER_FOUR + " 443 #0");
        assertThat(heard.search.isSuccess()).isTrue();
    }

    @Test
    void nothingAnywhereIsAnUnknownHost() {
        names.serves(HOST, 443, millis(20), place(POOL, 443, List.of()));
        Heard heard = new Heard();
        pass(20);
        assertThat(heard.search.cause()).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void familiesAreCompleteWhenTheyAreAtAllPlaces() {
        names.serves(HOST, 443, Duration.ZERO, place(POOL, 443, List.of()));
        names.host(HOST).completes(StandardProtocolFamily.INET6).finds(FOUR).ends();
        names.host(POOL)
                .finds(OTHER_FOUR)
                .at(millis(10))
                .completes(StandardProtocolFamily.INET6)
                .at(millis(20))
                .ends();
        Heard heard = new Heard();
        assertThat(heard.told).containsExactly(OTHER_FOUR + " 443 #0");
        pass(10);
        assertThat(heard.told).containsExactly(OTHER_FOUR + " 443 #0", "INET6");
        pass(10);
        assertThat(heard.told)
                .containsExactly(OTHER_FOUR + " 443 #0", "INET6", "INET", FOUR + " 443 #1");
    }

    @Test
    void cancelGivesAllSearchesUp() {
        names.serves(HOST, 443, millis(20), place(POOL, 443, List.of()));
        names.host(HOST).at(millis(10)).finds(FOUR).at(Duration.ofHours(1)).ends();
        names.host(POOL).at(millis(200)).finds(FOUR).ends();
        Heard heard = new Heard();
        pass(60);
        heard.search.cancel();
        assertThat(names.cancelled()).isEqualTo(2);
        assertThat(loop.pendingTasks()).isZero();
    }
}
