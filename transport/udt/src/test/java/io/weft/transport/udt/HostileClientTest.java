package io.weft.transport.udt;

import static io.weft.transport.udt.RawClient.MESSAGES;
import static io.weft.transport.udt.RawClient.STREAM;
import static io.weft.transport.udt.RawClient.isControl;
import static io.weft.transport.udt.RawClient.isHandshake;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.udt.machine.Packets;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A server on a real socket, and clients that break each rule of the protocol in turn. It stays
/// able to serve, and what it keeps for them is bounded.
@Timeout(300)
class HostileClientTest {
    private static final int FIRST = 1000;

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final AtomicInteger accepted = new AtomicInteger();

    @AfterEach
    void nothingIsLeft() {
        group.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private InetSocketAddress listen(UdtLimits limits, UdtMode mode, boolean reads) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        UdtAddress at = mode == UdtMode.MESSAGE ? UdtAddress.messages(any) : UdtAddress.of(any);
        ServerChannel server =
                new ServerBootstrap(group)
                        .childOption(ChannelOption.AUTO_READ, reads)
                        .childHandler(
                                channel -> {
                                    accepted.incrementAndGet();
                                    channel.pipeline().addLast(new Echo());
                                })
                        .bind(at.with(limits))
                        .join();
        return ((UdtAddress) server.localAddress()).socket();
    }

    private InetSocketAddress listen() {
        return listen(UdtLimits.DEFAULT, UdtMode.STREAM, true);
    }

    /// The connection goes on as if nothing had been sent before.
    private static void assertEchoes(RawClient client, String before) throws IOException {
        int next = client.sequence + (before.isEmpty() ? 0 : 1);
        client.assertHears(before + "and on", () -> client.data(next, 2, "and on"));
    }

    // ---- handshakes ----

    @Test
    void aCookieIsWorthNothingToAnother() throws IOException {
        InetSocketAddress at = listen();
        try (RawClient client = new RawClient(at, STREAM, 77, FIRST);
                RawClient otherPort = new RawClient(at, STREAM, 77, FIRST);
                RawClient otherId = new RawClient(at, STREAM, 78, FIRST);
                RawClient otherStart = new RawClient(at, STREAM, 77, FIRST + 1)) {
            int cookie = client.cookie();
            for (RawClient thief : new RawClient[] {otherPort, otherId, otherStart}) {
                thief.handshake(-1, cookie);
                int _ = thief.cookie(); // comes behind the answer that does not come
            }
            client.handshake(-1, cookie ^ 2);
            int again = client.cookie();
            assertThat(again).isEqualTo(cookie);
            assertThat(accepted).hasValue(0);
            client.handshake(-1, cookie);
            client.peer = client.await(p -> isHandshake(p) && p.getInt(36) == -1).getInt(40);
            assertEchoes(client, "");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 8192", "75, 8192", "-1, 8192", "1500, 0", "1500, -1", "-2147483648, 1"})
    void aHandshakeWithoutRoomIsNotAnswered(int segment, int window) throws IOException {
        InetSocketAddress at = listen();
        try (RawClient client = new RawClient(at, STREAM, 77, FIRST)) {
            client.handshake(1, 0, segment, window);
            client.handshake(-1, 0, segment, window);
            ByteBuffer first = client.cookieAnswer();
            assertThat(first.getInt(28)).as("segment of the answer").isEqualTo(1500);
            assertThat(accepted).hasValue(0);
        }
    }

    @Test
    void hugeOffersAreCutToOwnLimits() throws IOException {
        InetSocketAddress at = listen();
        try (RawClient client = new RawClient(at, STREAM, 77, FIRST)) {
            client.handshake(-1, client.cookie(), Integer.MAX_VALUE, Integer.MAX_VALUE);
            ByteBuffer answer = client.await(p -> isHandshake(p) && p.getInt(36) == -1);
            assertThat(answer.getInt(28)).isEqualTo(1500);
            client.peer = answer.getInt(40);
            assertEchoes(client, "");
        }
    }

    @Test
    void handshakesThatComeAgainMakeOneConnection() throws IOException {
        InetSocketAddress at = listen();
        try (RawClient client = RawClient.connected(at, STREAM, FIRST)) {
            int cookie = client.cookie();
            Set<Integer> ids = new HashSet<>();
            for (int i = 0; i < 1_000; i++) {
                client.handshake(-1, cookie);
                ByteBuffer answer = client.await(p -> isHandshake(p) && p.getInt(36) == -1);
                ids.add(answer.getInt(40));
            }
            assertThat(ids).containsExactly(client.peer);
            assertThat(accepted).hasValue(1);
            assertEchoes(client, "");
        }
    }

    /// Each of them has a cookie of its own, as one who lies about nothing but its intent.
    @Test
    void connectionsOfOneClientAreCounted() throws IOException {
        UdtLimits limits = UdtLimits.DEFAULT.withConnections(8).withSilence(Duration.ofDays(1));
        connectForty(listen(limits, UdtMode.STREAM, true));
        assertThat(accepted).hasValue(8);
    }

    private static void connectForty(InetSocketAddress at) throws IOException {
        for (int id = 1; id <= 40; id++) {
            try (RawClient client = new RawClient(at, STREAM, id, FIRST)) {
                client.handshake(-1, client.cookie());
                int _ = client.cookie();
            }
        }
    }

    @Test
    void connectionsThatAreSilentMakeRoom() throws IOException {
        Duration silence = Duration.ofSeconds(1);
        UdtLimits limits = UdtLimits.DEFAULT.withConnections(8).withSilence(silence);
        InetSocketAddress at = listen(limits, UdtMode.STREAM, true);
        connectForty(at);
        assertThat(accepted).hasValueGreaterThanOrEqualTo(8);
        try (RawClient client = new RawClient(at, STREAM, 99, FIRST)) {
            int cookie = client.cookie();
            client.handshake(-1, cookie);
            client.socket.setSoTimeout(100);
            while (client.peer == 0) {
                try {
                    client.peer = client.await(p -> p.getInt(36) == -1).getInt(40);
                } catch (SocketTimeoutException e) {
                    client.handshake(-1, cookie);
                }
            }
            client.socket.setSoTimeout(60_000);
            assertEchoes(client, "");
        }
    }

    // ---- control packets of the peer ----

    private static RawClient withOneInFlight(InetSocketAddress at) throws IOException {
        RawClient client = RawClient.connected(at, STREAM, FIRST);
        client.data(FIRST, 1, "hello ");
        client.hear();
        return client;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1000, 1 << 29, (1 << 30) - 1, 1 << 30, Integer.MAX_VALUE})
    void anAckBeyondWhatWasSentReleasesNothing(int ahead) throws IOException {
        try (RawClient client = withOneInFlight(listen())) {
            int ack = FIRST + ahead & 0x7FFF_FFFF;
            client.control(Packets.ACK, 1, ack);
            client.control(Packets.ACK, 2, ack, 1, 1, 8192, 1 << 30, 1 << 30);
            ByteBuffer _ = client.await(p -> p.getInt(0) == FIRST); // it is sent again
            assertEchoes(client, "hello ");
        }
    }

    @Test
    void lossReportsThatCannotBeAreIgnored() throws IOException {
        try (RawClient client = withOneInFlight(listen())) {
            int range = 1 << 31;
            int[][] reports = {
                {range | FIRST + 9, FIRST},
                {range | FIRST, FIRST - 1 + (1 << 30)},
                {range, 0x7FFF_FFFF},
                {range | FIRST},
                {FIRST + 1},
                {FIRST - (1 << 30)},
                new int[360],
                {}
            };
            for (int i = 0; i < 500; i++) {
                client.control(Packets.NAK, 0, reports[i % reports.length]);
            }
            assertEchoes(client, "hello ");
        }
    }

    @Test
    void answersToNoAckAreIgnored() throws IOException {
        try (RawClient client = withOneInFlight(listen())) {
            for (int number : new int[] {0, -1, 2, 1024, 1025, 1 << 30, Integer.MIN_VALUE}) {
                client.control(Packets.ACK2, number);
            }
            assertEchoes(client, "hello ");
        }
    }

    @Test
    void warningsOfCongestionStopNoSender() throws IOException {
        try (RawClient client = withOneInFlight(listen())) {
            for (int i = 0; i < 2_000; i++) {
                client.control(Packets.CONGESTION_WARNING, 0);
            }
            assertEchoes(client, "hello ");
        }
    }

    @Test
    void aWindowOfNoneIsProbed() throws IOException {
        try (RawClient client = withOneInFlight(listen())) {
            client.control(Packets.ACK, 1, FIRST + 1, 1, 1, 0, 0, 0);
            client.control(Packets.ACK, 2, FIRST + 1, 1, 1, -1, -1, -1);
            assertEchoes(client, "hello ");
        }
    }

    @Test
    void noOtherAddressEndsAConnection() throws Exception {
        InetSocketAddress at = listen();
        try (RawClient client = withOneInFlight(at);
                DatagramSocket forger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int info : new int[] {0, 1}) {
                ByteBuffer shutdown = ByteBuffer.allocate(16);
                shutdown.putInt(0x8000_0000 | Packets.SHUTDOWN << 16).putInt(info).putInt(0);
                shutdown.putInt(client.peer);
                forger.send(new DatagramPacket(shutdown.array(), 16, at));
            }
            assertEchoes(client, "hello ");
        }
    }

    // ---- data ----

    @Test
    void sequenceNumbersWrapAround() throws IOException {
        InetSocketAddress at = listen();
        try (RawClient client = RawClient.connected(at, STREAM, Integer.MAX_VALUE - 1)) {
            for (int i = 4; i >= 0; i--) { // backwards, so that all but one wait
                client.data(client.sequence + i, 1 + i, "packet " + i + ";");
            }
            client.assertHears("packet 0;packet 1;packet 2;packet 3;packet 4;");
        }
    }

    @Test
    void messageNumbersWrapAround() throws IOException {
        InetSocketAddress at = listen(UdtLimits.DEFAULT, UdtMode.MESSAGE, true);
        try (RawClient client = RawClient.connected(at, MESSAGES, FIRST)) {
            int[] numbers = {Packets.MAX_MESSAGE - 1, Packets.MAX_MESSAGE, 0, 1, 1};
            for (int i = 0; i < numbers.length; i++) {
                client.data(FIRST + i, numbers[i], "m" + i + ";");
            }
            client.assertHears("m0;m1;m2;m3;m4;");
        }
    }

    @Test
    void messagesThatTheSenderGivesUpLeaveNoHole() throws IOException {
        InetSocketAddress at = listen(UdtLimits.DEFAULT, UdtMode.MESSAGE, true);
        try (RawClient client = RawClient.connected(at, MESSAGES, FIRST)) {
            client.data(FIRST, Packets.FIRST | Packets.IN_ORDER | 1, bytes("begun"));
            client.data(FIRST + 3, 2, "whole");
            client.control(Packets.DROP_REQUEST, 1, FIRST + 2, FIRST);
            client.control(Packets.DROP_REQUEST, 1, FIRST, FIRST + (1 << 30));
            client.control(Packets.DROP_REQUEST, 1, FIRST, FIRST + 2);
            client.assertHears("whole");
        }
    }

    /// Parts of a message that are empty, and an empty message, which is the end.
    @Test
    void emptyPartsMakeNoMessage() throws IOException {
        InetSocketAddress at = listen(UdtLimits.DEFAULT, UdtMode.MESSAGE, true);
        try (RawClient client = RawClient.connected(at, MESSAGES, FIRST)) {
            client.data(FIRST, 1, "first");
            client.data(FIRST + 1, Packets.FIRST | 2, new byte[0]);
            client.data(FIRST + 2, 2, new byte[0]);
            client.data(FIRST + 3, Packets.LAST | 2, new byte[0]);
            client.assertHears("first");
            ByteBuffer _ = client.await(p -> isControl(p, Packets.SHUTDOWN) || p.limit() == 16);
        }
    }

    /// The window counts packets, not only the bytes in them.
    @Test
    void messagesOfOneByteFillTheWindowToo() throws IOException {
        UdtLimits limits = UdtLimits.DEFAULT.withWindow(64);
        InetSocketAddress at = listen(limits, UdtMode.MESSAGE, false);
        try (RawClient client = RawClient.connected(at, MESSAGES, FIRST)) {
            int sent = 0;
            int taken = 0;
            for (int quiet = 0; quiet < 3 && taken < 64 * 64; ) {
                for (int i = 0; i < 32; i++, sent++) {
                    client.data(FIRST + sent, 1 + sent, "x");
                }
                int before = taken;
                client.socket.setSoTimeout(300);
                try {
                    int goal = FIRST + sent;
                    ByteBuffer ack =
                            client.await(p -> isControl(p, Packets.ACK) && p.getInt(16) == goal);
                    client.control(Packets.ACK2, ack.getInt(4));
                    taken = sent;
                } catch (SocketTimeoutException e) {
                    sent = taken; // no room: it is sent again
                }
                quiet = taken == before ? quiet + 1 : 0;
            }
            assertThat(taken).isLessThan(64 * 64);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
