package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static io.weft.transport.sctp.Rig.loopback;
import static io.weft.transport.sctp.Rig.onLoop;
import static io.weft.transport.sctp.Rig.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Associations over an interface that loses packets; in the machine of `dev/sctp.sh` only, whose
/// loopback interface nothing else uses.
@EnabledIfSystemProperty(named = "io.weft.test.machine", matches = "true")
@Timeout(300)
class SctpLossTest {
    private static final int MESSAGES = 400;
    private static final int STREAMS = 8;

    private final Rig rig = new Rig("epoll");

    @BeforeEach
    void loseSome() throws Exception {
        String _ = tc("qdisc", "add", "dev", "lo", "root", "netem", "loss", "5%", "delay", "1ms");
    }

    @AfterEach
    void close() throws Exception {
        String counts = tc("-s", "qdisc", "show", "dev", "lo");
        String _ = tc("qdisc", "del", "dev", "lo", "root");
        rig.close();
        Matcher dropped = Pattern.compile("dropped (\\d+)").matcher(counts);
        assertThat(dropped.find()).as(counts).isTrue();
        assertThat(Integer.parseInt(dropped.group(1))).as(counts).isPositive();
    }

    private static String tc(String... words) throws Exception {
        String[] command = new String[words.length + 1];
        command[0] = "tc";
        System.arraycopy(words, 0, command, 1, words.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    /// The kernel's own least time is a second a loss at the end of what is in flight.
    private static void hasten(Channel channel) {
        Duration least = Duration.ofMillis(50);
        set(
                channel,
                SctpOption.RETRANSMISSION,
                new SctpRetransmission(least, least, Duration.ofSeconds(1)));
    }

    @Test
    void everyMessageArrivesOnceAndInTheOrderOfItsStream() throws Exception {
        Rig.Side client = rig.connect(rig.listen(SctpAddress.messages(loopback(1, 0))));
        Channel server = rig.accepted().channel();
        hasten(client.channel());
        hasten(server);
        var _ = onLoop(server, () -> server.pipeline().addFirst("echo", new EchoHandler()));

        for (int i = 0; i < MESSAGES; i++) {
            String text = i + ":" + "x".repeat(i * 37 % 3000);
            client.channel().writeAndFlush(SctpMessage.of(ascii(text), i % STREAMS, i));
        }

        Map<Integer, Integer> next = new HashMap<>();
        for (int i = 0; i < MESSAGES; i++) {
            Heard.Text answer = client.heard().message();
            int stream = answer.message().stream();
            int number = next.getOrDefault(stream, stream);
            next.put(stream, number + STREAMS);
            assertThat(answer.text()).isEqualTo(number + ":" + "x".repeat(number * 37 % 3000));
            assertThat(answer.message().protocolId()).isEqualTo(number);
        }
    }
}
