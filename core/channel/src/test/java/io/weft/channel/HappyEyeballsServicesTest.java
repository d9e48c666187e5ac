package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.ManualClock;
import io.weft.resolver.names.ScriptedResolver;
import io.weft.resolver.names.ServiceBindingResolver;
import io.weft.resolver.names.ServiceEndpoint;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Happy Eyeballs with service records (RFC 8305 with RFC 9460) in virtual time. A line of the log
/// is an attempt with the time at which it began.
class HappyEyeballsServicesTest {
    private static final String HOST = "www.example.com";
    private static final String POOL = "pool.example.net.";
    private static final String SIX = "2001:db8::1";
    private static final String FOUR = "192.0.2.1";
    private static final String OTHER_SIX = "2001:db8::2";
    private static final String OTHER_FOUR = "192.0.2.2";
    private static final List<String> H2 = List.of("h2");

    private final ManualClock clock = new ManualClock();
    private final Network network = new Network();
    private final ManualEventLoop loop = new ManualEventLoop("test", network, clock);
    private final ScriptedResolver names = new ScriptedResolver();
    private @Nullable Future<Channel> connecting;

    @AfterEach
    void nothingIsLeftOpen() {
        loop.close();
        assertThat(network.peers).allMatch(peer -> peer.closed);
    }

    private final class Network implements Engine {
        final List<String> log = new ArrayList<>();
        final List<EmbeddedPeer> peers = new ArrayList<>();

        @Override
        public StreamHandle connect(
                SocketAddress address, ChannelOptions options, StreamEvents events) {
            InetSocketAddress to = (InetSocketAddress) address;
            StringBuilder text = new StringBuilder();
            IpAddresses.append(text, to.getAddress().getAddress());
            log.add(clock.nanoTime() / 1_000_000 + " ms " + text + " " + to.getPort());
            EmbeddedPeer peer = new EmbeddedPeer();
            peers.add(peer);
            return peer.handle(events);
        }

        @Override
        public ListenHandle listen(
                SocketAddress address, ChannelOptions options, ListenEvents events) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents events) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void poll(long timeoutNanos) {}

        @Override
        public void wakeup() {}

        @Override
        public void close() {}
    }

    private void connect() {
        connecting =
                new Bootstrap(EventLoopGroup.of(loop))
                        .handler(_ -> {})
                        .resolver(new ServiceBindingResolver(names, Set.of("h2", "http/1.1")))
                        .connect(HOST, 443);
        loop.runPending();
    }

    private Future<Channel> connecting() {
        return Objects.requireNonNull(connecting);
    }

    private static ServiceEndpoint place(String host, int port, String... hints) {
        return new ServiceEndpoint(
                host, port, H2, Stream.of(hints).map(InetAddress::ofLiteral).toList());
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private void pass(long millis) {
        loop.advance(millis(millis));
    }

    private void refuse(int attempt) {
        network.peers.get(attempt).events().failed(new ConnectException("Connection refused"));
        loop.runPending();
    }

    private void accept(int attempt) {
        network.peers.get(attempt).events().connected();
        loop.runPending();
    }

    @Test
    void hintsAreTriedBeforeAddressesAreKnown() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, SIX, FOUR));
        names.host(HOST).at(millis(400)).finds(SIX, FOUR).ends();
        connect();
        pass(10);
        assertThat(network.log).containsExactly("10 ms " + SIX + " 443");
        pass(250);
        assertThat(network.log).hasSize(2).last().isEqualTo("260 ms " + FOUR + " 443");
        pass(1_000);
        assertThat(network.log).as("each address once").hasSize(2);
        accept(1);
        assertThat(connecting().isSuccess()).isTrue();
    }

    @Test
    void hintsOfIpv4WaitForAaaa() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, FOUR));
        names.host(HOST).at(millis(30)).finds(SIX).at(millis(300)).finds(FOUR).ends();
        connect();
        pass(29);
        assertThat(network.log).isEmpty();
        pass(1);
        assertThat(network.log).containsExactly("30 ms " + SIX + " 443");
    }

    @Test
    void hintsOfIpv4AreTriedBehindTheResolutionDelay() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, FOUR));
        names.host(HOST).at(Duration.ofSeconds(3)).finds(SIX, FOUR).ends();
        connect();
        pass(60);
        assertThat(network.log).containsExactly("60 ms " + FOUR + " 443");
    }

    @Test
    void negativeAaaaEndsTheWaitOfHints() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, FOUR));
        names.host(HOST)
                .at(millis(20))
                .completes(StandardProtocolFamily.INET6)
                .at(millis(300))
                .finds(FOUR)
                .ends();
        connect();
        pass(20);
        assertThat(network.log).containsExactly("20 ms " + FOUR + " 443");
    }

    @Test
    void wrongHintsAreNotTriedOnceTheAddressesAreKnown() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, SIX, FOUR));
        names.host(HOST).at(millis(100)).finds(OTHER_SIX, OTHER_FOUR).ends();
        connect();
        pass(2_000);
        assertThat(network.log)
                .containsExactly(
                        "10 ms " + SIX + " 443",
                        "260 ms " + OTHER_FOUR + " 443",
                        "510 ms " + OTHER_SIX + " 443");
    }

    @Test
    void attemptAtAWrongHintMayStillWin() {
        names.serves(HOST, 443, millis(10), place(HOST + ".", 443, SIX));
        names.host(HOST).at(millis(100)).finds(OTHER_SIX).ends();
        connect();
        pass(100);
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
    }

    @Test
    void addressesWaitForRecords() {
        names.serves(HOST, 443, millis(40), place(POOL, 8443))
                .answers(HOST, SIX)
                .answers(POOL, OTHER_SIX);
        connect();
        pass(39);
        assertThat(network.log).isEmpty();
        pass(1);
        assertThat(network.log).containsExactly("40 ms " + OTHER_SIX + " 8443");
    }

    @Test
    void slowRecordsCostTheResolutionDelayAtMost() {
        names.serves(HOST, 443, Duration.ofSeconds(5), place(POOL, 8443)).answers(HOST, SIX);
        connect();
        pass(50);
        assertThat(network.log).containsExactly("50 ms " + SIX + " 443");
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
    }

    @Test
    void recordsThatComeDuringAttemptsJoinThem() {
        names.serves(HOST, 443, millis(120), place(POOL, 8443))
                .answers(HOST, SIX, FOUR)
                .answers(POOL, OTHER_SIX);
        connect();
        pass(1_000);
        assertThat(network.log)
                .containsExactly(
                        "50 ms " + SIX + " 443",
                        "300 ms " + OTHER_SIX + " 8443",
                        "550 ms " + FOUR + " 443");
    }

    @Test
    void allOfTheBetterPlaceComesBeforeTheWorse() {
        names.serves(HOST, 443, Duration.ZERO, place("a.", 1), place("b.", 2))
                .answers("a.", FOUR, OTHER_FOUR)
                .answers("b.", SIX, OTHER_SIX)
                .answers(HOST, SIX);
        connect();
        pass(3_000);
        assertThat(network.log)
                .containsExactly(
                        "0 ms " + FOUR + " 1",
                        "250 ms " + OTHER_FOUR + " 1",
                        "500 ms " + SIX + " 2",
                        "750 ms " + OTHER_SIX + " 2",
                        "1000 ms " + SIX + " 443");
    }

    @Test
    void familiesAlternateWithinAPlace() {
        names.serves(HOST, 443, Duration.ZERO, place("a.", 1), place("b.", 2))
                .answers("a.", SIX, OTHER_SIX, FOUR)
                .answers("b.", OTHER_FOUR)
                .answers(HOST);
        connect();
        pass(3_000);
        assertThat(network.log)
                .containsExactly(
                        "0 ms " + SIX + " 1",
                        "250 ms " + FOUR + " 1",
                        "500 ms " + OTHER_SIX + " 1",
                        "750 ms " + OTHER_FOUR + " 2");
    }

    @Test
    void refusedPlacesLeadToTheHostItselfAtOnce() {
        names.serves(HOST, 443, Duration.ZERO, place(POOL, 8443))
                .answers(POOL, OTHER_SIX)
                .answers(HOST, SIX);
        connect();
        refuse(0);
        assertThat(network.log)
                .containsExactly("0 ms " + OTHER_SIX + " 8443", "0 ms " + SIX + " 443");
        refuse(1);
        assertThat(connecting().cause())
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("443");
    }

    @Test
    void cancelEndsAttemptsAndSearches() {
        names.serves(HOST, 443, millis(10), place(POOL, 8443, SIX));
        names.host(HOST).at(Duration.ofHours(1)).finds(SIX).ends();
        names.host(POOL).at(Duration.ofHours(1)).finds(SIX).ends();
        connect();
        pass(20);
        connecting().cancel();
        loop.runPending();
        pass(5_000);
        assertThat(network.log).hasSize(1);
        assertThat(names.cancelled()).isEqualTo(2);
    }
}
