package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import io.weft.resolver.names.Candidates;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// In virtual time; names resolve and addresses answer when the test says so.
class ConnectRaceTest {
    private final Network network = new Network();
    private final ManualEventLoop loop = new ManualEventLoop("test", network, new ManualClock());
    private final Promise<List<InetAddress>> lookup = loop.eventLoop().newPromise();
    private final List<Channel> initialized = new ArrayList<>();
    private final Future<Channel> connecting =
            new Bootstrap(EventLoopGroup.of(loop))
                    .handler(initialized::add)
                    .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(5))
                    .resolver(
                            NameResolver.of(
                                    (host, _) -> {
                                        assertThat(host).isEqualTo("example.test");
                                        return lookup;
                                    }))
                    .connect("example.test", 80);

    ConnectRaceTest() {
        loop.runPending();
    }

    @AfterEach
    void close() {
        loop.close();
        assertThat(network.open()).isZero();
    }

    /// Attempts that wait for the test.
    private static final class Network implements Engine {
        final List<String> tried = new ArrayList<>();
        private final List<EmbeddedPeer> peers = new ArrayList<>();

        @Override
        public StreamHandle connect(
                SocketAddress address, ChannelOptions options, StreamEvents events)
                throws IOException {
            InetSocketAddress to = (InetSocketAddress) address;
            tried.add(to.getAddress().getHostAddress() + " " + to.getPort());
            if (to.getAddress().isMulticastAddress()) {
                throw new IOException("not reachable at all");
            }
            EmbeddedPeer peer = new EmbeddedPeer();
            peers.add(peer);
            return peer.handle(events);
        }

        StreamEvents attempt(int index) {
            return peers.get(index).events();
        }

        boolean isGivenUp(int index) {
            return peers.get(index).closed;
        }

        long open() {
            return peers.stream().filter(peer -> !peer.closed).count();
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

    private void resolve(String... addresses) {
        lookup.setSuccess(Arrays.stream(addresses).map(ConnectRaceTest::address).toList());
        loop.runPending();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void pass(long millis) {
        loop.advance(Duration.ofMillis(millis));
    }

    @Test
    void theFirstThatAnswersIsTakenAndTheOthersAreGivenUp() {
        resolve("::1", "10.0.0.1", "10.0.0.2");
        assertThat(network.tried).containsExactly("0:0:0:0:0:0:0:1 80");
        pass(249);
        assertThat(network.tried).hasSize(1);
        pass(1);
        assertThat(network.tried).hasSize(2).last().isEqualTo("10.0.0.1 80");
        network.attempt(1).connected();
        loop.runPending();
        assertThat(connecting.isSuccess()).isTrue();
        assertThat(initialized).containsExactly(connecting.now());
        assertThat(network.isGivenUp(0)).isTrue();
        assertThat(network.isGivenUp(1)).isFalse();
        pass(10_000);
        assertThat(network.tried).hasSize(2);
    }

    @Test
    void connectsWithPatienceOfAnyLength() {
        connecting.cancel();
        Promise<List<InetAddress>> names = loop.eventLoop().newPromise();
        Future<Channel> patient =
                new Bootstrap(EventLoopGroup.of(loop))
                        .handler(initialized::add)
                        .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(Long.MAX_VALUE))
                        .resolver(NameResolver.of((_, _) -> names))
                        .connect("patient.test", 80);
        names.setSuccess(List.of(address("10.0.0.1")));
        loop.runPending();
        network.attempt(0).connected();
        loop.runPending();
        assertThat(patient.isSuccess()).isTrue();
    }

    @Test
    void theNextMayBeTriedLater() {
        connecting.cancel();
        Promise<List<InetAddress>> names = loop.eventLoop().newPromise();
        Future<Channel> patient =
                new Bootstrap(EventLoopGroup.of(loop))
                        .handler(initialized::add)
                        .option(ChannelOption.CONNECT_ATTEMPT_DELAY, Duration.ofSeconds(1))
                        .resolver(NameResolver.of((_, _) -> names))
                        .connect("patient.test", 80);
        names.setSuccess(List.of(address("10.0.0.1"), address("10.0.0.2")));
        loop.runPending();
        pass(999);
        assertThat(network.tried).containsExactly("10.0.0.1 80");
        pass(1);
        assertThat(network.tried).containsExactly("10.0.0.1 80", "10.0.0.2 80");
        network.attempt(1).connected();
        loop.runPending();
        assertThat(patient.isSuccess()).isTrue();
    }

    @Test
    void aFailureTriesTheNextAtOnce() {
        resolve("10.0.0.1", "224.0.0.1", "10.0.0.2");
        network.attempt(0).failed(new ConnectException("refused"));
        loop.runPending();
        assertThat(network.tried).containsExactly("10.0.0.1 80", "224.0.0.1 80", "10.0.0.2 80");
        network.attempt(1).connected();
        loop.runPending();
        assertThat(connecting.isSuccess()).isTrue();
    }

    @Test
    void whenAllFailTheErrorNamesAllAttempts() {
        resolve("10.0.0.1", "10.0.0.2");
        pass(250);
        network.attempt(1).failed(new ConnectException("second address"));
        loop.runPending();
        assertThat(connecting.isDone()).isFalse();
        var last = new ConnectException("first address");
        network.attempt(0).failed(last);
        loop.runPending();
        assertThat(connecting.cause())
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "connect to example.test:80: 2 addresses tried:"
                                + " 10.0.0.1:80: first address; 10.0.0.2:80: second address")
                .hasCause(last)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(initialized).isEmpty();
    }

    @Test
    void theErrorTellsTheSameAddressOfTwoLinksApart() {
        resolve("fe80::1%7", "fe80::1%8");
        network.attempt(0).failed(new ConnectException("one"));
        loop.runPending();
        network.attempt(1).failed(new ConnectException("two"));
        loop.runPending();
        assertThat(connecting.cause())
                .hasMessageContaining("[fe80::1%7]:80: one")
                .hasMessageContaining("[fe80::1%8]:80: two");
    }

    @Test
    void theTimeoutIsForTheWholeTheLookupIncluded() {
        pass(4_000);
        resolve("10.0.0.1", "10.0.0.2");
        pass(999);
        assertThat(network.open()).isEqualTo(2);
        pass(1);
        assertThat(connecting.cause())
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage(
                        "connect to example.test:80 timed out after PT5S, 2 addresses tried:"
                                + " 10.0.0.1:80: no answer; 10.0.0.2:80: no answer");
        assertThat(network.open()).isZero();
    }

    @Test
    void aLookupThatTakesTooLongIsGivenUp() {
        pass(5_000);
        assertThat(connecting.cause()).isInstanceOf(SocketTimeoutException.class);
        assertThat(lookup.isCancelled()).isTrue();
    }

    @Test
    void aLookupThatFailsIsTold() {
        lookup.setFailure(new UnknownHostException("example.test"));
        loop.runPending();
        assertThat(connecting.cause()).isInstanceOf(UnknownHostException.class);
        assertThat(network.tried).isEmpty();
    }

    @Test
    void aNameWithoutAnAddressIsUnknown() {
        resolve();
        assertThat(connecting.cause()).hasMessage("example.test: no address");
    }

    @Test
    void whoGivesUpStopsItAll() {
        resolve("10.0.0.1", "10.0.0.2", "10.0.0.3");
        pass(250);
        assertThat(connecting.cancel()).isTrue();
        loop.runPending();
        assertThat(network.open()).isZero();
        pass(10_000);
        assertThat(network.tried).hasSize(2);
    }

    @Test
    void aLoopThatEndsTriesNoOtherAddress() {
        resolve("10.0.0.1", "10.0.0.2", "10.0.0.3");
        Future<Void> _ = loop.eventLoop().shutdownGracefully();
        loop.runPending();
        assertThat(connecting.cause()).isInstanceOf(RejectedExecutionException.class);
        assertThat(network.tried).containsExactly("10.0.0.1 80");
        assertThat(network.open()).isZero();
        assertThat(loop.eventLoop().isTerminated()).isTrue();
    }

    @Test
    void aLoopThatEndsGivesTheLookupUp() {
        Future<Void> _ = loop.eventLoop().shutdownGracefully();
        loop.runPending();
        assertThat(connecting.cause()).isInstanceOf(RejectedExecutionException.class);
        assertThat(lookup.isCancelled()).isTrue();
    }

    @Test
    void anyNumberOfAddressesMayFailAtOnce() {
        String[] unreachable = new String[20_000];
        Arrays.setAll(unreachable, i -> "224.0." + i / 250 + "." + i % 250);
        resolve(unreachable);
        assertThat(network.tried).hasSize(Candidates.MAX);
        assertThat(connecting.cause())
                .hasMessageStartingWith(
                        "connect to example.test:80: 256 addresses tried:"
                                + " 224.0.0.0:80: not reachable at all; ")
                .hasMessageEndingWith("224.0.0.16:80: not reachable at all; and 239 more")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(16));
    }

    /// Attempts that hang are bounded by the time for the whole: one each delay.
    @Test
    void addressesThatAllHangAreGivenUpTogether() {
        String[] silent = new String[1_000];
        Arrays.setAll(silent, i -> "10.0." + i / 250 + "." + i % 250);
        resolve(silent);
        pass(4_999);
        assertThat(network.open()).isEqualTo(20);
        pass(1);
        assertThat(connecting.cause())
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageStartingWith(
                        "connect to example.test:80 timed out after PT5S, 20 addresses tried: ");
        assertThat(network.open()).isZero();
    }

    /// A search whose answers come when the test says so.
    private final class Stream {
        final Promise<Void> search = loop.eventLoop().newPromise();
        private final List<NameResolver.Answers> asked = new ArrayList<>();
        final Future<Channel> connecting =
                new Bootstrap(EventLoopGroup.of(loop))
                        .handler(initialized::add)
                        .resolver(
                                (_, _, _, answers) -> {
                                    asked.add(answers);
                                    return search;
                                })
                        .connect("stream.test", 80);

        Stream() {
            loop.runPending();
        }

        void find(String... literals) {
            asked.getFirst()
                    .found(
                            Arrays.stream(literals)
                                    .map(literal -> new ResolvedAddress(address(literal), 81))
                                    .toList());
            loop.runPending();
        }

        void complete(StandardProtocolFamily family) {
            asked.getFirst().complete(family);
            loop.runPending();
        }

        void end() {
            search.setSuccess(null);
            loop.runPending();
        }
    }

    @Test
    void addressesAreTriedAsTheyAreFound() {
        Stream stream = new Stream();
        stream.find("10.0.0.1", "10.0.0.2");
        assertThat(network.tried).isEmpty();
        pass(50);
        assertThat(network.tried).containsExactly("10.0.0.1 81");
        pass(100);
        stream.find("::1");
        assertThat(network.tried).hasSize(1);
        pass(150);
        assertThat(network.tried).hasSize(2).last().isEqualTo("0:0:0:0:0:0:0:1 81");
        pass(250);
        assertThat(network.tried).hasSize(3).last().isEqualTo("10.0.0.2 81");
        network.attempt(1).connected();
        loop.runPending();
        assertThat(stream.connecting.isSuccess()).isTrue();
        assertThat(stream.search.isCancelled()).isTrue();
        connecting.cancel();
    }

    /// RFC 8305, 3: A that comes first waits for AAAA, but not for one that is known not to come.
    @Test
    void addressesOfIpv4AreTriedAtOnceWhenThereAreNoneOfIpv6() {
        Stream stream = new Stream();
        stream.complete(StandardProtocolFamily.INET6);
        stream.find("10.0.0.1");
        assertThat(network.tried).containsExactly("10.0.0.1 81");
        stream.connecting.cancel();
        connecting.cancel();
    }

    @Test
    void addressesOfIpv4ThatWaitAreTriedWhenItIsKnownThatThereAreNoneOfIpv6() {
        Stream stream = new Stream();
        stream.find("10.0.0.1");
        pass(49);
        assertThat(network.tried).isEmpty();
        stream.complete(StandardProtocolFamily.INET6);
        assertThat(network.tried).containsExactly("10.0.0.1 81");
        pass(10_000);
        assertThat(network.tried).hasSize(1);
        stream.connecting.cancel();
        connecting.cancel();
    }

    @Test
    void addressesOfIpv6ThatComeFirstDoNotWait() {
        Stream stream = new Stream();
        stream.find("::1");
        assertThat(network.tried).containsExactly("0:0:0:0:0:0:0:1 81");
        stream.connecting.cancel();
        connecting.cancel();
    }

    /// The other family's answer comes when the connection is there already.
    @Test
    void addressesThatComeAfterTheConnectionAreNotTried() {
        Stream stream = new Stream();
        stream.find("::1");
        network.attempt(0).connected();
        loop.runPending();
        stream.find("10.0.0.1");
        pass(10_000);
        assertThat(network.tried).hasSize(1);
        assertThat(stream.connecting.isSuccess()).isTrue();
        connecting.cancel();
    }

    @Test
    void whoGivesUpWhileAddressesWaitForOthersTriesNone() {
        Stream stream = new Stream();
        stream.find("10.0.0.1");
        assertThat(stream.connecting.cancel()).isTrue();
        loop.runPending();
        pass(10_000);
        assertThat(network.tried).isEmpty();
        assertThat(stream.search.isCancelled()).isTrue();
        connecting.cancel();
    }

    @Test
    void anAddressThatComesWhenAllHaveFailedIsTriedAtOnce() {
        Stream stream = new Stream();
        stream.find("10.0.0.1");
        pass(50);
        network.attempt(0).failed(new ConnectException("refused"));
        loop.runPending();
        assertThat(stream.connecting.isDone()).isFalse();
        stream.find("::1");
        assertThat(network.tried).hasSize(2);
        network.attempt(1).failed(new ConnectException("refused too"));
        loop.runPending();
        assertThat(stream.connecting.isDone()).isFalse();
        stream.end();
        assertThat(stream.connecting.cause())
                .hasMessageEndingWith("10.0.0.1:81: refused; [::1]:81: refused too");
        connecting.cancel();
    }

    @Test
    void aSearchThatFailsInPartLeavesTheAddressesThatItFound() {
        Stream stream = new Stream();
        stream.find("10.0.0.1");
        stream.search.setFailure(new UnknownHostException("no answer for IPv6"));
        loop.runPending();
        assertThat(stream.connecting.isDone()).isFalse();
        network.attempt(0).connected();
        loop.runPending();
        assertThat(stream.connecting.isSuccess()).isTrue();
        connecting.cancel();
    }
}
