package io.weft.transport.udt.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A test for each class of attack, by peers and by those who forge packets.
class AttackTest {
    private static final long SECOND = 1_000_000_000;
    private static final int FIRST = 0x7FFF_FF00;
    private static final Offer OFFER = new Offer(false, 1500, 8192);

    /// Answers of a [Greeter], one after the other.
    private static final class Answers implements PacketSink, AutoCloseable {
        final List<Buffer> packets = new ArrayList<>();

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public Buffer packet(int length) {
            Buffer packet = BufferAllocator.unpooled().allocate(length);
            packets.add(packet);
            return packet;
        }

        @Override
        public void close() {
            packets.forEach(Buffer::release);
        }
    }

    private static InetSocketAddress client(int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static Handshake request(int request, int cookie) {
        return new Handshake(
                4, Handshake.STREAM, 99, 1500, 8192, request, 77, cookie, client(5).getAddress());
    }

    private static Buffer packet(Handshake handshake) {
        Buffer packet = BufferAllocator.unpooled().allocate(64);
        handshake.write(packet, 0, 0);
        return packet;
    }

    private static Greeter greeter() {
        return new Greeter(OFFER, new byte[32], 0);
    }

    private static int cookie(Greeter greeter, int port, long now) {
        try (Answers answers = new Answers();
                Buffer asked = packet(request(Handshake.REGULAR, 0))) {
            assertThat(greeter.received(asked, client(port), now, answers)).isNull();
            assertThat(answers.packets).hasSize(1);
            Buffer answer = answers.packets.getFirst();
            assertThat(answer.readableBytes()).isLessThanOrEqualTo(asked.readableBytes());
            return Handshake.read(answer, client(port).getAddress()).cookie();
        }
    }

    private static Greeter.@Nullable Guest guest(Greeter greeter, int port, int cookie, long now) {
        try (Answers answers = new Answers();
                Buffer asked = packet(request(Handshake.RESPONSE, cookie))) {
            return greeter.received(asked, client(port), now, answers);
        }
    }

    // ---- handshakes ----

    @Test
    void nothingIsKeptOfAClientWithoutItsCookie() {
        Greeter greeter = greeter();
        int cookie = cookie(greeter, 5, 0);
        assertThat(guest(greeter, 5, cookie, 0)).isNotNull();
        assertThat(guest(greeter, 6, cookie, 0)).as("another port").isNull();
        assertThat(guest(greeter, 5, cookie ^ 4, 0)).as("another cookie").isNull();
        assertThat(guest(greeter, 5, cookie ^ 1, 0)).as("another capability").isNull();
        assertThat(guest(new Greeter(OFFER, new byte[] {1}, 0), 5, cookie, 0))
                .as("another secret")
                .isNull();
    }

    @Test
    void aCookieExpires() {
        Greeter greeter = greeter();
        int cookie = cookie(greeter, 5, 0);
        assertThat(guest(greeter, 5, cookie, 60 * SECOND)).isNotNull();
        assertThat(guest(greeter, 5, cookie, 120 * SECOND)).isNull();
    }

    /// An answer longer than what was asked would make a listener a weapon against others.
    @ParameterizedTest
    @ValueSource(ints = {16, 17, 48, 60, 63, 65, 100, 1472})
    void aHandshakeOfAnotherLengthIsNotAnswered(int length) {
        try (Answers answers = new Answers();
                Buffer asked = BufferAllocator.unpooled().allocate(2000);
                Buffer whole = packet(request(Handshake.REGULAR, 0))) {
            asked.writeBytes(whole).writeAscii("x".repeat(2000 - 64)).writeOffset(length);
            assertThat(greeter().received(asked, client(5), 0, answers)).isNull();
            assertThat(answers.packets).isEmpty();
        }
    }

    @Test
    void hostileValuesAreNotAnswered() {
        for (int field = 0; field < 8; field++) {
            for (int value : new int[] {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20}) {
                try (Answers answers = new Answers();
                        Buffer asked = packet(request(Handshake.REGULAR, 0))) {
                    asked.setInt(16 + 4 * field, value);
                    Greeter.Guest guest = greeter().received(asked, client(5), 0, answers);
                    assertThat(guest).isNull();
                    assertThat(answers.packets.size()).isLessThanOrEqualTo(1);
                }
            }
        }
    }

    @Test
    void aWindowAndASegmentOfAPeerHaveLimits() {
        Handshake greedy =
                new Handshake(
                        4,
                        Handshake.STREAM,
                        99,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        Handshake.RESPONSE,
                        77,
                        0,
                        client(5).getAddress());
        Terms terms = Terms.of(greedy, OFFER, 1, 2, false);
        assertThat(terms.segment()).isEqualTo(1500);
        assertThat(terms.peerWindow()).isEqualTo(1 << 20);
    }

    @Test
    void aClientHearsOnlyAnswersToItsRequest() {
        try (Answers answers = new Answers()) {
            Initiator initiator = new Initiator(false, OFFER, client(5).getAddress(), 77, 99, 0);
            initiator.run(0, answers);
            for (Handshake forged :
                    List.of(
                            request(Handshake.RESPONSE, 1).withRequest(Handshake.RENDEZVOUS),
                            new Handshake(4, 1, 98, 1500, 8192, -1, 5, 0, client(5).getAddress()),
                            new Handshake(4, 1, 99, 10, 8192, -1, 5, 0, client(5).getAddress()),
                            new Handshake(4, 1, 99, 1500, 0, -1, 5, 0, client(5).getAddress()),
                            new Handshake(
                                    4, 1, 99, 1500, 8192, -1, -5, 0, client(5).getAddress()))) {
                try (Buffer packet = packet(forged)) {
                    initiator.received(packet, client(5).getAddress(), 1, answers);
                }
                assertThat(initiator.terms()).isNull();
                assertThat(initiator.refusal()).isNull();
            }
        }
    }

    // ---- forged control packets ----

    private static Pair pairWithTenInFlight() {
        Pair pair = new Pair(false, FIRST, 8192);
        pair.fate = _ -> 0;
        for (int i = 0; i < 10; i++) {
            pair.left.send("packet " + i);
        }
        pair.run(SECOND / 20);
        return pair;
    }

    private static int inFlight(Pair pair) {
        return pair.left.connection.measures().inFlight();
    }

    @Test
    void anAckOfWhatWasNeverSentIsIgnored() {
        try (Pair pair = pairWithTenInFlight()) {
            for (int ahead : new int[] {11, 100, 1 << 29, 1 << 30, Integer.MAX_VALUE, -1}) {
                int ack = Sequence.wire(FIRST + (long) ahead);
                pair.left.receive(Pair.control(Packets.ACK, 1, ack));
                pair.left.receive(Pair.control(Packets.ACK, 1, ack, 1, 1, 100));
                pair.left.receive(Pair.control(Packets.ACK, 1, ack | (1 << 31), 1, 1, 100, 1, 1));
            }
            assertThat(inFlight(pair)).isEqualTo(10);
            pair.left.receive(Pair.control(Packets.ACK, 1, FIRST + 4, 1, 1, 100, 1, 1));
            assertThat(inFlight(pair)).isEqualTo(6);
        }
    }

    @Test
    void hostileFieldsOfAnAckHarmNothing() {
        try (Pair pair = pairWithTenInFlight()) {
            int[] values = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
            for (int value : values) {
                pair.left.receive(
                        Pair.control(Packets.ACK, value, FIRST, value, value, value, value, value));
                pair.left.receive(Pair.control(Packets.ACK, value, FIRST, value));
                pair.left.receive(Pair.control(Packets.ACK, value));
                pair.left.receive(Pair.control(Packets.ACK2, value));
            }
            pair.fate = _ -> 1;
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == 80, 60 * SECOND)).isTrue();
        }
    }

    @Test
    void aLossReportOfWhatWasNeverSentIsIgnored() {
        try (Pair pair = pairWithTenInFlight()) {
            int[][] reports = {
                {FIRST + 10},
                {FIRST | (1 << 31), FIRST + 10},
                {(FIRST + 5) | (1 << 31), FIRST + 4}, // descends
                {FIRST | (1 << 31)}, // half of a range
                {FIRST | (1 << 31), (FIRST + 3) | (1 << 31)}, // a range of ranges
                {FIRST, Sequence.wire((1L << 29) + FIRST)},
                {1 << 31, Integer.MAX_VALUE},
                {}
            };
            int before = pair.sent.size();
            for (int[] report : reports) {
                pair.left.receive(Pair.control(Packets.NAK, 0, report));
            }
            assertThat(pair.sent).hasSize(before);
            pair.left.receive(Pair.control(Packets.NAK, 0, (FIRST + 1) | (1 << 31), FIRST + 3));
            pair.run(SECOND / 100);
            assertThat(pair.sent.size()).isBetween(before + 1, before + 3);
        }
    }

    /// Each packet is waiting once at most to be sent again, however often it is reported.
    @Test
    void aFloodOfLossReportsRepeatsNoMoreThanTheRateLets() {
        try (Pair pair = pairWithTenInFlight()) {
            int before = pair.sent.size();
            for (int i = 0; i < 10_000; i++) {
                pair.left.receive(Pair.control(Packets.NAK, 0, FIRST | (1 << 31), FIRST + 9));
            }
            assertThat(pair.sent.size() - before).isLessThan(1_000);
        }
    }

    @Test
    void packetsFarAheadTakeNoMemory() {
        try (Pair pair = new Pair(false, FIRST, 64)) {
            for (int ahead : new int[] {64, 65, 1000, 1 << 20, 1 << 29, (1 << 30) - 1, 1 << 30}) {
                ByteBuffer packet = ByteBuffer.allocate(1472);
                packet.putInt(Sequence.wire(FIRST + (long) ahead)).putInt(0xE000_0001);
                pair.right.receive(packet.array());
            }
            assertThat(pair.right.connection.measures().missed()).isZero();
            pair.left.send("hello");
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == 5, SECOND)).isTrue();
        }
    }

    /// The window counts packets, and so bounds memory only if their length is bounded.
    @ParameterizedTest
    @ValueSource(ints = {Pair.SEGMENT - Packets.OUTER + 1, 9_000, 65_507})
    void packetsLongerThanOfferedAreNotKept(int length) {
        try (Pair pair = new Pair(false, FIRST, 64)) {
            for (int ahead = 63; ahead >= 0; ahead--) {
                ByteBuffer packet = ByteBuffer.allocate(length);
                packet.putInt(Sequence.wire(FIRST + (long) ahead)).putInt(0xE000_0001);
                pair.right.receive(packet.array());
            }
            assertThat(pair.right.bytes.size()).isZero();
            byte[] longest = new byte[Pair.SEGMENT - Packets.OUTER];
            ByteBuffer.wrap(longest).putInt(FIRST).putInt(0xE000_0001);
            pair.right.receive(longest);
            assertThat(pair.right.bytes.size()).isEqualTo(longest.length - Packets.HEADER);
        }
    }

    @Test
    void everySecondPacketMissingCostsNoMoreThanTheWindow() {
        try (Pair pair = new Pair(false, FIRST, 8192)) {
            for (int ahead = 1; ahead < 8192; ahead += 2) {
                ByteBuffer packet = ByteBuffer.allocate(17);
                packet.putInt(Sequence.wire(FIRST + (long) ahead)).putInt(0xE000_0001);
                pair.right.receive(packet.array());
            }
            pair.run(SECOND);
            assertThat(pair.sent).allMatch(p -> p.length <= 1472);
            assertThat(pair.right.connection.measures().missed()).isEqualTo(4096);
        }
    }

    @Test
    void dropRequestsOutsideOfTheWindowAreIgnored() {
        try (Pair pair = new Pair(true, FIRST, 64)) {
            int[][] ranges = {
                {FIRST, FIRST + 64},
                {FIRST, FIRST + 63}, // longer than a message
                {FIRST, FIRST + 62},
                {FIRST + 1, FIRST + 5}, // ahead of what has come
                {FIRST + 5, FIRST + 2},
                {FIRST, Sequence.wire((1L << 29) + FIRST)},
                {FIRST - 9, FIRST - 1},
                {FIRST}
            };
            for (int[] range : ranges) {
                pair.right.receive(Pair.control(Packets.DROP_REQUEST, 1, range));
            }
            pair.left.message("hello", 2, true, SendUnit.NEVER);
            assertThat(pair.runUntil(() -> !pair.right.messages.isEmpty(), SECOND)).isTrue();
            assertThat(pair.right.messages).containsExactly("hello");
        }
    }

    /// A message that never ends must not grow beyond its limit.
    @Test
    void aMessageWithoutAnEndFailsTheConnection() {
        try (Pair pair = new Pair(true, FIRST, 64)) {
            for (int i = 0; i < 64; i++) {
                ByteBuffer packet = ByteBuffer.allocate(1472);
                packet.putInt(Sequence.wire(FIRST + (long) i));
                packet.putInt((i == 0 ? Packets.FIRST : 0) | 1);
                pair.right.receive(packet.array());
            }
            assertThat(pair.right.connection.failure()).hasMessageContaining("message: ");
        }
    }

    @Test
    void randomPacketsBreakNothing() {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        for (int round = 0; round < 50; round++) {
            try (Pair pair = new Pair(random.nextBoolean(), FIRST, 64)) {
                for (int i = 0; i < 400; i++) {
                    byte[] packet = new byte[16 + random.nextInt(40)];
                    random.nextBytes(packet);
                    ByteBuffer words = ByteBuffer.wrap(packet);
                    if (random.nextBoolean()) {
                        words.putInt(0, 0x8000_0000 | (random.nextInt(9) << 16));
                    } else {
                        words.putInt(0, Sequence.wire(FIRST + (long) random.nextInt(-5, 70)));
                    }
                    for (int at = 16; at + 4 <= packet.length; at += 4) {
                        if (random.nextInt(3) > 0) {
                            int near = Sequence.wire(FIRST + (long) random.nextInt(-5, 70));
                            words.putInt(at, near | (random.nextInt(2) << 31));
                        }
                    }
                    pair.left.receive(packet);
                    if (random.nextInt(10) == 0) {
                        pair.left.message("m" + i, 1, random.nextBoolean(), SendUnit.NEVER);
                        pair.run(random.nextInt(20_000_000));
                    }
                }
            }
        }
    }
}
