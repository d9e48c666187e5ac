package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.Datagram;
import io.weft.handler.codec.DatagramDecoderHandler;
import io.weft.handler.codec.DatagramEncoderHandler;
import io.weft.handler.codec.Envelope;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Codecs of datagrams over UDP.
@EveryTransport
class DatagramCodecTest {
    private static final int MAX_LINE = 20;

    private final Rig rig;
    private final List<RuntimeException> dropped = new CopyOnWriteArrayList<>();
    private final List<Envelope<?>> answers = new CopyOnWriteArrayList<>();

    DatagramCodecTest(String transport) throws IOException {
        Assumptions.assumeFalse(transport.equals("local"), "streams only");
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private final class Keep implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            answers.add((Envelope<?>) message);
        }
    }

    /// Answers whoever asks, in capitals.
    private static final class Shout implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Envelope<?> asked = (Envelope<?>) message;
            String loud = asked.message().toString().toUpperCase(Locale.ROOT);
            ctx.writeAndFlush(new Envelope<>(loud, asked.address()));
        }
    }

    private DatagramBootstrap lines(ChannelHandler last) {
        return new DatagramBootstrap(rig.group)
                .handler(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new DatagramDecoderHandler<>(
                                                        () ->
                                                                new LineDecoder(MAX_LINE)
                                                                        .then(new StringDecoder()),
                                                        (_, why) -> dropped.add(why)))
                                        .addLast(
                                                new DatagramEncoderHandler<>(
                                                        String.class, new LineEncoder()))
                                        .addLast(last));
    }

    private static SocketAddress address(Channel channel) {
        return channel.eventLoop().submit(channel::localAddress).join();
    }

    @Test
    void messagesTravelInDatagramsAndAnswersGoToTheirSenders() {
        SocketAddress server = address(lines(new Shout()).bind(Rig.ANY_PORT).join());
        Channel connected = lines(new Keep()).connect(server).join();
        Channel bound = lines(new Keep()).bind(Rig.ANY_PORT).join();
        connected.writeAndFlush("to my peer");
        Rig.awaitTrue("an answer", () -> answers.size() == 1);
        bound.writeAndFlush(new Envelope<>("to this one", server));
        Rig.awaitTrue("two answers", () -> answers.size() == 2);
        assertThat(answers)
                .containsExactly(
                        new Envelope<>("TO MY PEER", server),
                        new Envelope<>("TO THIS ONE", server));
        assertThat(dropped).isEmpty();
    }

    @Test
    void whatIsNoMessageIsDroppedAndTheNextIsNot() {
        SocketAddress server = address(lines(new Shout()).bind(Rig.ANY_PORT).join());
        Channel raw =
                new DatagramBootstrap(rig.group)
                        .handler(ch -> ch.pipeline().addLast(new Ignore()))
                        .connect(server)
                        .join();
        for (String text : List.of("no end", "one\ntwo\n", "x".repeat(MAX_LINE + 1) + "\n")) {
            raw.writeAndFlush(Rig.buffer(text));
        }
        Rig.awaitTrue("three that are dropped", () -> dropped.size() == 3);
        Channel client = lines(new Keep()).connect(server).join();
        client.writeAndFlush("still there?");
        Rig.awaitTrue("an answer", () -> answers.size() == 1);
        assertThat(answers).containsExactly(new Envelope<>("STILL THERE?", server));
        assertThat(dropped)
                .extracting(RuntimeException::getClass)
                .containsExactly(
                        PrematureEndException.class,
                        CorruptedFrameException.class,
                        LimitExceededException.class);
    }

    private static final class Ignore implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Datagram) message).close();
        }
    }
}
