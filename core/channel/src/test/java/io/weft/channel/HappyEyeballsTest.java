package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.SourceAddresses;
import io.weft.engine.SourceAddresses.Local;
import io.weft.engine.SourceAddresses.Unreachable;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import io.weft.resolver.names.AddressSelection;
import io.weft.resolver.names.DestinationOrder;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The cases of RFC 8305 in virtual time. A line of the log is an attempt with the time at which it
/// began.
class HappyEyeballsTest {
    private static final String SIX = "2001:db8::1";
    private static final String OTHER_SIX = "2001:db8::2";
    private static final String FOUR = "192.0.2.1";
    private static final String OTHER_FOUR = "192.0.2.2";

    private final ManualClock clock = new ManualClock();
    private final Network network = new Network();
    private final ManualEventLoop loop = new ManualEventLoop("test", network, clock);
    private @Nullable Promise<Void> search;
    private NameResolver.@Nullable Answers answers;
    private @Nullable Future<Channel> connecting;

    @AfterEach
    void nothingIsLeftOpen() {
        loop.close();
        assertThat(network.peers).allMatch(peer -> peer.closed);
    }

    private final class Network implements Engine {
        final List<String> log = new ArrayList<>();
        final List<EmbeddedPeer> peers = new ArrayList<>();
        SourceAddresses sources = SourceAddresses.UNKNOWN;

        @Override
        public StreamHandle connect(
                SocketAddress address, ChannelOptions options, StreamEvents events) {
            InetAddress to = ((InetSocketAddress) address).getAddress();
            log.add(clock.nanoTime() / 1_000_000 + " ms " + text(to));
            EmbeddedPeer peer = new EmbeddedPeer();
            peers.add(peer);
            return peer.handle(events);
        }

        private String text(InetAddress address) {
            StringBuilder text = new StringBuilder();
            io.weft.loop.IpAddresses.append(text, address.getAddress());
            return text.toString();
        }

        @Override
        public SourceAddresses sourceAddresses() {
            return sources;
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
        connect(bootstrap -> bootstrap);
    }

    private void connect(UnaryOperator<Bootstrap> change) {
        Promise<Void> begun = loop.eventLoop().newPromise();
        search = begun;
        connecting =
                change.apply(
                                new Bootstrap(EventLoopGroup.of(loop))
                                        .handler(_ -> {})
                                        .resolver(
                                                (_, _, _, to) -> {
                                                    answers = to;
                                                    return begun;
                                                }))
                        .connect("example.test", 443);
        loop.runPending();
    }

    private static List<ResolvedAddress> addresses(String... literals) {
        return Arrays.stream(literals)
                .map(text -> new ResolvedAddress(InetAddress.ofLiteral(text), 443))
                .toList();
    }

    private NameResolver.Answers answers() {
        assertThat(answers).isNotNull();
        return answers;
    }

    private Future<Channel> connecting() {
        assertThat(connecting).isNotNull();
        return connecting;
    }

    private void find(String... literals) {
        answers().found(addresses(literals));
        loop.runPending();
    }

    private void complete(StandardProtocolFamily family) {
        answers().complete(family);
        loop.runPending();
    }

    private void end() {
        assertThat(search).isNotNull();
        search.trySuccess(null);
        loop.runPending();
    }

    private void fail(Throwable cause) {
        assertThat(search).isNotNull();
        search.tryFailure(cause);
        loop.runPending();
    }

    private void pass(long millis) {
        loop.advance(Duration.ofMillis(millis));
    }

    private void refuse(int attempt) {
        network.peers.get(attempt).events().failed(new ConnectException("Connection refused"));
        loop.runPending();
    }

    private void accept(int attempt) {
        network.peers.get(attempt).events().connected();
        loop.runPending();
    }

    private List<String> log() {
        return network.log;
    }

    // ---- section 3: AAAA and A come apart ----

    @Test
    void positiveAaaaFirstIsTriedAtOnce() {
        connect();
        pass(10);
        find(SIX);
        assertThat(log()).containsExactly("10 ms " + SIX);
        pass(5);
        find(FOUR);
        end();
        pass(300);
        assertThat(log()).containsExactly("10 ms " + SIX, "260 ms " + FOUR);
    }

    @Test
    void positiveAFirstWaitsForAaaa() {
        connect();
        pass(10);
        find(FOUR);
        assertThat(log()).isEmpty();
        pass(20);
        find(SIX);
        end();
        assertThat(log()).containsExactly("30 ms " + SIX);
        pass(250);
        assertThat(log()).containsExactly("30 ms " + SIX, "280 ms " + FOUR);
    }

    @Test
    void withoutAaaaInTheResolutionDelayAIsTried() {
        connect();
        find(FOUR);
        pass(49);
        assertThat(log()).isEmpty();
        pass(1);
        assertThat(log()).containsExactly("50 ms " + FOUR);
    }

    @Test
    void aaaaBehindTheResolutionDelayJoinsTheAttempts() {
        connect();
        find(FOUR, OTHER_FOUR);
        pass(100);
        find(SIX);
        end();
        pass(1_000);
        assertThat(log()).containsExactly("50 ms " + FOUR, "300 ms " + SIX, "550 ms " + OTHER_FOUR);
    }

    @Test
    void negativeAaaaEndsTheWait() {
        connect();
        find(FOUR);
        pass(7);
        complete(StandardProtocolFamily.INET6);
        assertThat(log()).containsExactly("7 ms " + FOUR);
    }

    @Test
    void negativeAaaaFirstLeavesNothingToWaitFor() {
        connect();
        complete(StandardProtocolFamily.INET6);
        pass(3);
        find(FOUR);
        assertThat(log()).containsExactly("3 ms " + FOUR);
    }

    @Test
    void completeIpv4DoesNotEndTheWaitForAaaa() {
        connect();
        complete(StandardProtocolFamily.INET);
        find(FOUR);
        assertThat(log()).isEmpty();
        pass(50);
        assertThat(log()).hasSize(1);
    }

    @Test
    void failureOfTheSearchEndsTheWaitForAaaa() {
        connect();
        find(FOUR);
        pass(8);
        fail(new UnknownHostException("AAAA: timed out"));
        assertThat(log()).containsExactly("8 ms " + FOUR);
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
    }

    @Test
    void delayBeginsWithTheFirstAnswerOnly() {
        connect();
        pass(500);
        find(FOUR);
        pass(40);
        find(OTHER_FOUR);
        pass(10);
        assertThat(log()).containsExactly("550 ms " + FOUR);
    }

    @Test
    void resolutionDelayMayBeZero() {
        connect(b -> b.option(ChannelOption.CONNECT_RESOLUTION_DELAY, Duration.ZERO));
        find(FOUR);
        assertThat(log()).containsExactly("0 ms " + FOUR);
    }

    @Test
    void resolutionDelayMayBeLonger() {
        connect(b -> b.option(ChannelOption.CONNECT_RESOLUTION_DELAY, Duration.ofMillis(300)));
        find(FOUR);
        pass(299);
        assertThat(log()).isEmpty();
        pass(1);
        assertThat(log()).containsExactly("300 ms " + FOUR);
    }

    @Test
    void cancelDuringTheResolutionDelayTriesNothing() {
        connect();
        find(FOUR);
        connecting().cancel();
        pass(1_000);
        assertThat(log()).isEmpty();
        assertThat(search).matches(Promise::isCancelled);
    }

    // ---- section 4: the order ----

    @Test
    void ipv6IsTriedFirstWhateverTheOrderOfTheResolver() {
        connect();
        find(FOUR, SIX);
        end();
        assertThat(log()).containsExactly("0 ms " + SIX);
    }

    @Test
    void familiesAlternateInTheSortedList() {
        connect();
        find(FOUR, OTHER_FOUR, SIX, OTHER_SIX);
        end();
        pass(2_000);
        assertThat(log())
                .containsExactly(
                        "0 ms " + SIX,
                        "250 ms " + FOUR,
                        "500 ms " + OTHER_SIX,
                        "750 ms " + OTHER_FOUR);
    }

    @Test
    void firstFamilyCountPutsTheFirstFamilyAhead() {
        connect(b -> b.option(ChannelOption.CONNECT_FIRST_FAMILY_COUNT, 2));
        find(FOUR, OTHER_FOUR, SIX, OTHER_SIX);
        end();
        pass(2_000);
        assertThat(log())
                .containsExactly(
                        "0 ms " + SIX,
                        "250 ms " + OTHER_SIX,
                        "500 ms " + FOUR,
                        "750 ms " + OTHER_FOUR);
    }

    @Test
    void withoutARouteForIpv6Ipv4IsTriedFirst() {
        network.sources =
                to ->
                        to instanceof Inet6Address
                                ? new Unreachable()
                                : new Local(InetAddress.ofLiteral("192.0.2.9"), 24);
        connect();
        find(SIX, FOUR);
        end();
        pass(1_000);
        assertThat(log()).containsExactly("0 ms " + FOUR, "250 ms " + SIX);
    }

    @Test
    void historyDecidesBetweenAddressesOfOneFamily() {
        connect(
                b ->
                        b.order(
                                AddressSelection.of(SourceAddresses.UNKNOWN)
                                        .history(
                                                (x, y) ->
                                                        y.getHostAddress()
                                                                .compareTo(x.getHostAddress()))));
        find(SIX, OTHER_SIX);
        end();
        assertThat(log()).containsExactly("0 ms " + OTHER_SIX);
    }

    @Test
    void orderOfTheResolverMayStand() {
        connect(b -> b.order(DestinationOrder.asFound()));
        find(FOUR, SIX);
        end();
        assertThat(log()).containsExactly("0 ms " + FOUR);
    }

    // ---- section 5: attempts ----

    @Test
    void attemptsAreStaggered() {
        connect();
        find(SIX, FOUR);
        end();
        pass(249);
        assertThat(log()).hasSize(1);
        pass(1);
        assertThat(log()).containsExactly("0 ms " + SIX, "250 ms " + FOUR);
    }

    @Test
    void failureStartsTheNextAttemptAtOnceAndTheDelayAnew() {
        connect();
        find(SIX, OTHER_SIX, FOUR);
        end();
        pass(100);
        refuse(0);
        assertThat(log()).containsExactly("0 ms " + SIX, "100 ms " + FOUR);
        pass(249);
        assertThat(log()).hasSize(2);
        pass(1);
        assertThat(log()).endsWith("350 ms " + OTHER_SIX);
    }

    @Test
    void firstConnectionWinsAndTheOthersAreClosed() {
        connect();
        find(SIX, FOUR, OTHER_SIX);
        end();
        pass(600);
        assertThat(log()).hasSize(3);
        accept(1);
        assertThat(connecting().isSuccess()).isTrue();
        assertThat(network.peers.get(0).closed).isTrue();
        assertThat(network.peers.get(1).closed).isFalse();
        assertThat(network.peers.get(2).closed).isTrue();
        pass(10_000);
        assertThat(log()).hasSize(3);
    }

    @Test
    void earlierAttemptMayStillWin() {
        connect();
        find(SIX, FOUR);
        end();
        pass(260);
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
        assertThat(network.peers.get(1).closed).isTrue();
    }

    @Test
    void delayIsNeverBelowTenMilliseconds() {
        connect(b -> b.option(ChannelOption.CONNECT_ATTEMPT_DELAY, Duration.ZERO));
        find(SIX, FOUR);
        end();
        pass(9);
        assertThat(log()).hasSize(1);
        pass(1);
        assertThat(log()).containsExactly("0 ms " + SIX, "10 ms " + FOUR);
    }

    @Test
    void delayIsNeverAboveTwoSeconds() {
        connect(b -> b.option(ChannelOption.CONNECT_ATTEMPT_DELAY, Duration.ofHours(1)));
        find(SIX, FOUR);
        end();
        pass(1_999);
        assertThat(log()).hasSize(1);
        pass(1);
        assertThat(log()).containsExactly("0 ms " + SIX, "2000 ms " + FOUR);
    }

    @Test
    void errorNamesAllAttempts() {
        connect();
        find(SIX, FOUR);
        end();
        refuse(0);
        refuse(1);
        assertThat(connecting().cause())
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "connect to example.test:443: 2 addresses tried:"
                                + " [2001:db8::1]:443: Connection refused;"
                                + " 192.0.2.1:443: Connection refused");
    }

    @Test
    void failureOfOneFamilyOfTheSearchIsToldWithTheAttempts() {
        connect();
        find(SIX);
        refuse(0);
        assertThat(connecting().isDone()).isFalse();
        fail(new UnknownHostException("A: refused"));
        assertThat(connecting().cause())
                .hasMessage("Connection refused")
                .satisfies(
                        e ->
                                assertThat(e.getSuppressed()[0])
                                        .isInstanceOf(UnknownHostException.class));
    }

    @Test
    void timeoutNamesAttemptsThatDoNotAnswer() {
        connect(b -> b.option(ChannelOption.CONNECT_TIMEOUT, Duration.ofMillis(400)));
        find(SIX, FOUR, OTHER_SIX);
        end();
        pass(100);
        refuse(0);
        pass(300);
        assertThat(connecting().cause())
                .hasMessage(
                        "connect to example.test:443 timed out after PT0.4S, 3 addresses tried:"
                                + " [2001:db8::1]:443: Connection refused;"
                                + " 192.0.2.1:443: no answer; [2001:db8::2]:443: no answer");
    }

    // ---- section 6: answers that change ----

    @Test
    void addressesThatAreAddedAreSortedIn() {
        connect();
        find(FOUR, SIX);
        pass(260); // SIX, then FOUR
        find("2001:db8::3", OTHER_FOUR);
        pass(500);
        assertThat(log())
                .containsExactly(
                        "0 ms " + SIX,
                        "250 ms " + FOUR,
                        "500 ms 2001:db8::3",
                        "750 ms " + OTHER_FOUR);
    }

    @Test
    void addressesThatAreAddedWhenAllAreTriedAreTriedAfterTheDelay() {
        connect();
        find(SIX);
        pass(100);
        find(FOUR);
        pass(149);
        assertThat(log()).hasSize(1);
        pass(1);
        assertThat(log()).containsExactly("0 ms " + SIX, "250 ms " + FOUR);
    }

    @Test
    void addressesThatAreRemovedAreNotTried() {
        connect();
        find(SIX, OTHER_SIX, FOUR);
        answers().removed(addresses(OTHER_SIX, FOUR));
        end();
        pass(5_000);
        assertThat(log()).containsExactly("0 ms " + SIX);
        refuse(0);
        assertThat(connecting().isDone()).isTrue();
    }

    @Test
    void addressesAfterOnesThatWereRemovedAreTriedAfterTheirOwnWait() {
        connect();
        find(FOUR);
        answers().removed(addresses(FOUR));
        pass(1_000);
        find(OTHER_FOUR);
        pass(49);
        assertThat(log()).isEmpty();
        pass(1);
        assertThat(log()).containsExactly("1050 ms " + OTHER_FOUR);
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
    }

    @Test
    void attemptAtAnAddressThatIsRemovedGoesOn() {
        connect();
        find(SIX, FOUR);
        answers().removed(addresses(SIX));
        assertThat(network.peers.getFirst().closed).isFalse();
        accept(0);
        assertThat(connecting().isSuccess()).isTrue();
    }

    // ---- section 7.1: addresses instead of names ----

    @Test
    void literalsNeedNoWait() {
        Future<Channel> literal =
                new Bootstrap(EventLoopGroup.of(loop)).handler(_ -> {}).connect(FOUR, 443);
        loop.runPending();
        assertThat(log()).containsExactly("0 ms " + FOUR);
        assertThat(literal.cancel()).isTrue();
        loop.runPending();
    }
}
