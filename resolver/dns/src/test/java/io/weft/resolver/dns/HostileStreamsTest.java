package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Flags;
import io.weft.codec.dns.RecordType;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Future;
import io.weft.transport.sim.SimHost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers over TCP whose octets are no answers, or come when they should not.
class HostileStreamsTest {
    private static final String ADDRESS = " 60 A 192.0.2.1";

    /// Answers the query of a connection that is the given one, from 0 on.
    private interface Script {
        void asked(int connection, Channel channel, DnsMessage query);
    }

    private final SimWorld world = new SimWorld();
    private final List<Channel> connections = new ArrayList<>();
    private final List<DnsMessage> queries = new ArrayList<>();

    @AfterEach
    void close() {
        world.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private final class Server implements MessageHandler<DnsMessage> {
        private final Script script;
        private final int connection;

        Server(Script script, int connection) {
            this.script = script;
            this.connection = connection;
        }

        @Override
        public Class<DnsMessage> messageType() {
            return DnsMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, DnsMessage query) {
            queries.add(query);
            script.asked(connection, ctx.channel(), query);
        }
    }

    private DnsResolver resolver(Script script) {
        SimHost host = world.host("hostile");
        world.await(
                new ServerBootstrap(host.group(1))
                        .childHandler(
                                channel -> {
                                    int number = connections.size();
                                    connections.add(channel);
                                    channel.pipeline()
                                            .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                                            .addLast(new Server(script, number));
                                })
                        .bind(host.address(53)));
        return world.builder()
                .config(
                        ResolverConfig.DEFAULT
                                .servers(List.of(DnsServer.of(host.address(53))))
                                .attempts(1)
                                .useTcp(true))
                .build();
    }

    private static void send(Channel channel, byte... octets) {
        Buffer buffer = BufferAllocator.pooled().allocate(octets.length);
        buffer.writeBytes(octets);
        channel.writeAndFlush(buffer);
    }

    private static byte[] frame(DnsMessage message) {
        byte[] octets = SimServer.octets(message);
        byte[] framed = new byte[octets.length + 2];
        framed[0] = (byte) (octets.length >> 8);
        framed[1] = (byte) octets.length;
        System.arraycopy(octets, 0, framed, 2, octets.length);
        return framed;
    }

    private static DnsMessage good(DnsMessage query) {
        return answer(query, query.questions().getFirst().name() + ADDRESS);
    }

    private Future<DnsAnswer> ask(DnsResolver resolver, String host) {
        return resolver.resolve(name(host), RecordType.A);
    }

    private void assertAnswered(DnsResolver resolver, String host) {
        assertThat(world.await(ask(resolver, host)).records())
                .extracting(Object::toString)
                .containsExactly(host + " 60 IN A 192.0.2.1");
    }

    private void assertFails(DnsResolver resolver, ResolveException.Reason reason) {
        assertThat(world.failure(ask(resolver, "www.example.com.")))
                .isInstanceOfSatisfying(
                        ResolveException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    static Stream<Arguments> noMessages() {
        return Stream.of(
                Arguments.of("a frame of length 0", new byte[2]),
                Arguments.of("10,000 frames of length 0", new byte[20_000]),
                Arguments.of("a frame of one octet", new byte[] {0, 1, 0}),
                Arguments.of("a header of counts that lie", lies()),
                Arguments.of(
                        "an answer of HTTP",
                        "HTTP/1.1 400 Bad Request\r\n\r\n"
                                .repeat(1000)
                                .getBytes(StandardCharsets.US_ASCII)),
                Arguments.of("the longest frame, of 0xff", longest()));
    }

    private static byte[] lies() {
        byte[] octets = new byte[14];
        octets[1] = 12;
        java.util.Arrays.fill(octets, 6, 14, (byte) 0xFF);
        return octets;
    }

    private static byte[] longest() {
        byte[] octets = new byte[2 + 65_535];
        java.util.Arrays.fill(octets, (byte) 0xFF);
        return octets;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("noMessages")
    void octetsThatAreNoMessageEndTheConnection(String label, byte[] octets) {
        DnsResolver resolver =
                resolver(
                        (number, channel, query) ->
                                send(channel, number == 0 ? octets : frame(good(query))));
        assertFails(resolver, ResolveException.Reason.CONNECTION);
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofSeconds(4));
        assertAnswered(resolver, "www.example.com.");
        assertThat(connections).hasSize(2);
    }

    @Test
    void answerThatComesOctetByOctetIsAnAnswer() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            byte[] octets = frame(good(query));
                            for (int i = 0; i < octets.length; i++) {
                                byte octet = octets[i];
                                var _ =
                                        channel.eventLoop()
                                                .schedule(
                                                        () -> send(channel, octet),
                                                        20L * i,
                                                        TimeUnit.MILLISECONDS);
                            }
                        });
        assertAnswered(resolver, "www.example.com.");
    }

    @Test
    void connectionThatStandsStillIsNotUsedAgain() {
        DnsResolver resolver =
                resolver(
                        (number, channel, query) -> {
                            byte[] octets = frame(good(query));
                            send(
                                    channel,
                                    number == 0 && queries.size() > 1
                                            ? java.util.Arrays.copyOf(octets, 9)
                                            : octets);
                        });
        assertAnswered(resolver, "a.example.");
        assertFails(resolver, ResolveException.Reason.TIMEOUT); // in the middle of a frame
        assertAnswered(resolver, "b.example.");
        assertThat(connections).hasSize(2);
    }

    @Test
    void queryThatTimesOutLeavesOthersOfItsConnectionTheirAnswers() {
        List<Runnable> held = new ArrayList<>();
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            if (queries.size() == 2) {
                                held.add(() -> send(channel, frame(good(query))));
                            }
                        });
        Future<DnsAnswer> lost = ask(resolver, "lost.example.");
        world.sim.run(Duration.ofSeconds(3));
        Future<DnsAnswer> slow = ask(resolver, "slow.example.");
        assertThat(world.failure(lost)).isInstanceOf(ResolveException.class);
        held.getFirst().run();
        assertThat(world.await(slow).records()).hasSize(1);
        assertThat(connections).hasSize(1);
    }

    @Test
    void answersToNobodyEndTheConnection() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            for (int i = 1; i < 40; i++) {
                                send(channel, frame(good(query).id(query.id() + i & 0xFFFF)));
                            }
                        });
        assertFails(resolver, ResolveException.Reason.CONNECTION);
    }

    @Test
    void answerToAnotherQuestionIsNotBelieved() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            DnsMessage other =
                                    DnsMessage.query(
                                            query.id(), name("evil.example."), RecordType.A);
                            send(channel, frame(answer(other, "www.example.com. 60 A 192.0.2.66")));
                            send(channel, frame(good(query)));
                        });
        assertAnswered(resolver, "www.example.com.");
    }

    @Test
    void queryIsNoAnswer() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            send(channel, frame(query));
                            send(channel, frame(good(query)));
                        });
        assertAnswered(resolver, "www.example.com.");
    }

    @Test
    void secondAnswerToAQueryIsNoAnswerToTheNext() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            send(channel, frame(good(query)));
                            send(channel, frame(good(query)));
                        });
        assertAnswered(resolver, "a.example.");
        assertAnswered(resolver, "b.example.");
        assertThat(connections).hasSize(1);
    }

    @Test
    void answersToQueriesThatWereGivenUpDoNotEndTheConnection() {
        List<Runnable> late = new ArrayList<>();
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            if (query.questions().getFirst().name().toString().startsWith("w")) {
                                late.forEach(Runnable::run);
                                late.clear();
                                send(channel, frame(good(query)));
                            } else {
                                late.add(() -> send(channel, frame(good(query))));
                            }
                        });
        for (int i = 0; i < 40; i++) {
            Future<DnsAnswer> givenUp = ask(resolver, "n" + i + ".example.");
            world.sim.run(Duration.ofMillis(10));
            givenUp.cancel();
            assertAnswered(resolver, "w" + i + ".example.");
        }
        assertThat(connections).hasSize(1);
    }

    @Test
    void answerThatIsCutOffFails() {
        DnsResolver resolver =
                resolver(
                        (_, channel, query) -> {
                            Flags flags = good(query).flags();
                            send(channel, frame(good(query).flags(flags.truncated(true))));
                        });
        assertFails(resolver, ResolveException.Reason.SERVER);
    }

    @Test
    void serverThatEndsEveryConnectionFailsTheQuery() {
        DnsResolver resolver = resolver((_, channel, _) -> channel.close());
        assertFails(resolver, ResolveException.Reason.CONNECTION);
        assertThat(connections).hasSizeLessThan(5);
    }
}
