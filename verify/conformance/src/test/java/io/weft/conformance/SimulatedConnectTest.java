package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.loop.Future;
import io.weft.resolver.names.CachingResolver;
import io.weft.resolver.names.LiteralResolver;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ScriptedResolver;
import io.weft.resolver.names.SpecialNamesResolver;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connects by name on the simulated network, through the default resolver: networks of which one
/// family is dark, closed or slow.
class SimulatedConnectTest {
    private static final String NAME = "service.example";
    private static final String SIX = "2001:db8::1";
    private static final String OTHER_SIX = "2001:db8::2";
    private static final String FOUR = "192.0.2.1";
    private static final int PORT = 443;

    private final Simulation sim =
            new Simulation(
                    Long.getLong("io.weft.test.seed", 1),
                    Faults.none().latency(Duration.ofMillis(20), Duration.ofMillis(20)));
    private final SimHost client = sim.host("client");
    private final SimHost six = sim.host("six").alias(InetAddress.ofLiteral(SIX));
    private final SimHost otherSix = sim.host("other six").alias(InetAddress.ofLiteral(OTHER_SIX));
    private final SimHost four = sim.host("four").alias(InetAddress.ofLiteral(FOUR));
    private final ScriptedResolver dns = new ScriptedResolver();
    private final NameResolver names =
            new LiteralResolver(new SpecialNamesResolver(new CachingResolver(dns)));
    private final Bootstrap bootstrap =
            new Bootstrap(client.group(1)).handler(_ -> {}).resolver(names);

    @AfterEach
    void end() {
        sim.close();
        assertThat(client.descriptors()).isZero();
    }

    private void serve(SimHost... hosts) {
        for (SimHost host : hosts) {
            sim.await(
                    new ServerBootstrap(host.group(1))
                            .childHandler(_ -> {})
                            .bind(host.address(PORT)));
        }
    }

    /// Connects, and returns the address that has won, with the milliseconds that it took.
    private String connect() {
        Duration begun = sim.elapsed();
        Channel channel = sim.await(bootstrap.connect(NAME, PORT));
        long millis = sim.elapsed().minus(begun).toMillis();
        InetSocketAddress to = (InetSocketAddress) channel.remoteAddress();
        assertThat(client.descriptors()).as("the losers are closed").isEqualTo(1);
        channel.close();
        sim.run(Duration.ofSeconds(10));
        return to.getAddress().getHostAddress() + " after " + millis + " ms";
    }

    private Throwable failure() {
        Future<Channel> connecting = bootstrap.connect(NAME, PORT);
        assertThat(sim.runUntil(connecting::isDone, Duration.ofMinutes(1))).isTrue();
        return connecting.cause();
    }

    @Test
    void ipv6IsTakenWhereItWorks() {
        serve(six, four);
        dns.answers(NAME, FOUR, SIX);
        assertThat(connect()).isEqualTo("2001:db8:0:0:0:0:0:1 after 40 ms");
    }

    @Test
    void darkIpv6CostsOneDelay() {
        serve(six, four);
        sim.network().partition(client, six);
        dns.answers(NAME, SIX, FOUR);
        assertThat(connect()).isEqualTo("192.0.2.1 after 290 ms");
    }

    @Test
    void closedIpv6CostsItsRefusal() {
        serve(four);
        dns.answers(NAME, SIX, FOUR);
        assertThat(connect()).isEqualTo("192.0.2.1 after 80 ms");
    }

    @Test
    void severalDarkAddressesCostOneDelayBecauseFamiliesAlternate() {
        serve(six, otherSix, four);
        sim.network().partition(client, six);
        sim.network().partition(client, otherSix);
        dns.answers(NAME, SIX, OTHER_SIX, FOUR);
        assertThat(connect()).isEqualTo("192.0.2.1 after 290 ms");
    }

    @Test
    void lateAaaaCostsTheResolutionDelayAtMost() {
        serve(six, four);
        dns.host(NAME).finds(FOUR).at(Duration.ofSeconds(5)).finds(SIX).ends();
        assertThat(connect()).isEqualTo("192.0.2.1 after 90 ms");
    }

    @Test
    void aaaaWithinTheResolutionDelayIsPreferred() {
        serve(six, four);
        dns.host(NAME).finds(FOUR).at(Duration.ofMillis(30)).finds(SIX).ends();
        assertThat(connect()).isEqualTo("2001:db8:0:0:0:0:0:1 after 70 ms");
    }

    @Test
    void answerIsKeptForTheNextConnect() {
        serve(six, four);
        dns.host(NAME)
                .at(Duration.ofMillis(100))
                .finds(Duration.ofMinutes(5), SIX)
                .at(Duration.ofMillis(120))
                .finds(Duration.ofMinutes(5), FOUR)
                .ends();
        assertThat(connect()).isEqualTo("2001:db8:0:0:0:0:0:1 after 140 ms");
        sim.network().partition(client, six);
        assertThat(connect()).isEqualTo("192.0.2.1 after 290 ms");
        assertThat(dns.asked()).hasSize(1);
    }

    @Test
    void errorNamesAllThatWereTried() {
        dns.answers(NAME, SIX, FOUR);
        assertThat(failure())
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("connect to service.example:443: 2 addresses tried:")
                .hasMessageContaining("[2001:db8::1]:443: ")
                .hasMessageContaining("192.0.2.1:443: ");
        assertThat(client.descriptors()).isZero();
    }

    @Test
    void networkThatIsAllDarkTimesOut() {
        serve(six, four);
        sim.network().partition(client, six);
        sim.network().partition(client, four);
        dns.answers(NAME, SIX, FOUR);
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(3));
        assertThat(failure())
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageEndingWith("[2001:db8::1]:443: no answer; 192.0.2.1:443: no answer");
        assertThat(client.descriptors()).isZero();
    }

    @Test
    void cancelClosesAllAttempts() {
        serve(six, four);
        sim.network().partition(client, six);
        sim.network().partition(client, four);
        dns.answers(NAME, SIX, FOUR);
        Future<Channel> connecting = bootstrap.connect(NAME, PORT);
        sim.run(Duration.ofSeconds(1));
        assertThat(client.descriptors()).isEqualTo(2);
        assertThat(connecting.cancel()).isTrue();
        sim.run(Duration.ofMillis(1));
        assertThat(client.descriptors()).isZero();
        assertThat(catchThrowable(connecting::join)).isNotNull();
    }

    @Test
    void descriptorsThatRunOutFailAnAttemptOnly() {
        serve(six, four);
        sim.network().partition(client, six);
        client.descriptorLimit(1);
        dns.answers(NAME, SIX, FOUR);
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(2));
        assertThat(failure())
                .hasMessageContaining("192.0.2.1:443: ")
                .hasMessageContaining("Too many open files");
        assertThat(client.descriptors()).isZero();
    }
}
