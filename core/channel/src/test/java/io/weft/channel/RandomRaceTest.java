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
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Connects by name whose answers and attempts end at random: the rules that hold for all of them.
class RandomRaceTest {
    private static final int RUNS = 500;

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    /// One connect, with what it is up to.
    private final class Run implements Engine {
        final ManualClock clock = new ManualClock();
        final ManualEventLoop loop = new ManualEventLoop("test", this, clock);
        final List<NameResolver.Answers> answers = new ArrayList<>();
        final Set<InetAddress> withdrawn = new HashSet<>();
        final Set<InetAddress> tried = new HashSet<>();
        final List<EmbeddedPeer> running = new ArrayList<>();
        final List<EmbeddedPeer> all = new ArrayList<>();
        final Promise<Void> search = loop.eventLoop().newPromise();
        final List<String> broken = new ArrayList<>();
        long lastBegan = Long.MIN_VALUE;
        boolean failedSince;
        boolean accepted;
        final Future<Channel> connecting =
                new Bootstrap(EventLoopGroup.of(loop))
                        .handler(_ -> {})
                        .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(10))
                        .option(
                                ChannelOption.CONNECT_ATTEMPT_DELAY,
                                Duration.ofMillis(random.nextInt(400)))
                        .option(ChannelOption.CONNECT_FIRST_FAMILY_COUNT, random.nextInt(4))
                        .resolver(
                                (_, _, _, to) -> {
                                    answers.add(to);
                                    return search;
                                })
                        .connect("example.test", 80);

        @Override
        public StreamHandle connect(
                SocketAddress address, ChannelOptions options, StreamEvents events)
                throws IOException {
            InetAddress to = ((InetSocketAddress) address).getAddress();
            long now = clock.nanoTime() / 1_000_000;
            // Thrown from here, it would be one more failed attempt.
            if (connecting.isDone()) {
                broken.add("tried when it was over");
            }
            if (!tried.add(to)) {
                broken.add("tried twice");
            }
            if (withdrawn.contains(to)) {
                broken.add("tried when it was gone");
            }
            if (lastBegan != Long.MIN_VALUE && now - lastBegan < 10 && !failedSince) {
                broken.add("tried too soon");
            }
            lastBegan = now;
            failedSince = false;
            if (random.nextInt(10) == 0) {
                failedSince = true;
                throw new IOException("no descriptor");
            }
            EmbeddedPeer peer = new EmbeddedPeer();
            running.add(peer);
            all.add(peer);
            return peer.handle(events);
        }

        private List<ResolvedAddress> some() {
            List<ResolvedAddress> some = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                String prefix = random.nextBoolean() ? "192.0.2." : "2001:db8::";
                some.add(
                        new ResolvedAddress(
                                InetAddress.ofLiteral(prefix + (1 + random.nextInt(9))), 80));
            }
            return some;
        }

        void step() {
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    List<ResolvedAddress> some = some();
                    if (!search.isDone()) {
                        some.forEach(address -> withdrawn.remove(address.address()));
                        answers.getFirst().found(some);
                    }
                }
                case 2 -> {
                    List<ResolvedAddress> some = some();
                    if (!search.isDone()) {
                        answers.getFirst().removed(some);
                        some.forEach(address -> withdrawn.add(address.address()));
                    }
                }
                case 3 -> {
                    if (!search.isDone()) {
                        answers.getFirst()
                                .complete(
                                        random.nextBoolean()
                                                ? StandardProtocolFamily.INET
                                                : StandardProtocolFamily.INET6);
                    }
                }
                case 4 -> {
                    if (!running.isEmpty()) {
                        failedSince = true;
                        EmbeddedPeer peer = running.remove(random.nextInt(running.size()));
                        peer.events().failed(new ConnectException("refused"));
                    }
                }
                case 5 -> {
                    if (random.nextInt(4) == 0 && !running.isEmpty() && !connecting.isDone()) {
                        accepted = true;
                        running.remove(random.nextInt(running.size())).events().connected();
                    }
                }
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        boolean _ =
                                random.nextBoolean()
                                        ? search.trySuccess(null)
                                        : search.tryFailure(new IOException("no server"));
                    }
                }
                default -> loop.advance(Duration.ofMillis(random.nextInt(300)));
            }
            loop.runPending();
        }

        void check() {
            loop.runPending();
            for (int i = 0; i < 60 && !connecting.isDone(); i++) {
                step();
            }
            loop.advance(Duration.ofSeconds(10));
            assertThat(broken).isEmpty();
            assertThat(connecting.isDone()).as("over in time").isTrue();
            assertThat(connecting.isSuccess()).isEqualTo(accepted);
            assertThat(search.isDone()).as("no search is left").isTrue();
            assertThat(all.stream().filter(peer -> !peer.closed).count())
                    .as("open")
                    .isEqualTo(accepted ? 1 : 0);
            loop.close();
            assertThat(all).allMatch(peer -> peer.closed);
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

    @Test
    void rulesHoldWhateverHappens() {
        int connected = 0;
        for (int i = 0; i < RUNS; i++) {
            Run run = new Run();
            run.check();
            connected += run.accepted ? 1 : 0;
        }
        assertThat(connected).isBetween(RUNS / 20, RUNS);
    }
}
