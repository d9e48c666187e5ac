package io.weft.transport.udt.machine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
    private static final long SECOND = 1_000_000_000;
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);

    private static String text(int length) {
        StringBuilder text = new StringBuilder(length + 10);
        for (int i = 0; text.length() < length; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, length);
    }

    private static void send(Pair.End from, String text) {
        for (int at = 0; at < text.length(); at += 1456) {
            from.send(text.substring(at, Math.min(at + 1456, text.length())));
        }
    }

    /// The last sequence numbers before the wrap, and some others.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1_000_000_000, 0x7FFF_FFFF, 0x7FFF_FFF0, 0x7FFF_FF00, 0x4000_0000})
    void aStreamArrivesWhateverNumberItBeginsWith(int sequence) {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Pair pair = new Pair(false, sequence, 8192)) {
            pair.fate = _ -> random.nextInt(20) == 0 ? 0 : random.nextInt(30) == 0 ? 2 : 1;
            String text = text(600_000);
            send(pair.left, text);
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == text.length(), 60 * SECOND))
                    .isTrue();
            assertThat(pair.right.bytes.toString(US_ASCII)).isEqualTo(text);
            assertThat(pair.runUntil(() -> pair.left.connection.heldBytes() == 0, 10 * SECOND))
                    .isTrue();
        }
    }

    @Test
    void eachPacketIsSentOnceOverACleanPath() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            String text = text(1_456_000);
            send(pair.left, text);
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == text.length(), 60 * SECOND))
                    .isTrue();
            pair.run(2 * SECOND);
            assertThat(pair.sent.stream().filter(Pair::isData)).hasSize(1_000);
            assertThat(pair.sent.stream().filter(p -> Pair.isControl(p, Packets.NAK))).isEmpty();
        }
    }

    @Test
    void aLossIsReportedAtOnceAndSentAgainOnce() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            int[] seen = new int[1];
            pair.fate = p -> Pair.isData(p) && ++seen[0] == 3 ? 0 : 1;
            send(pair.left, text(14_560));
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == 14_560, 50_000_000)).isTrue();
            assertThat(pair.sent.stream().filter(Pair::isData)).hasSize(11);
            assertThat(pair.sent.stream().filter(p -> Pair.isControl(p, Packets.NAK))).hasSize(1);
        }
    }

    @Test
    void theLastPacketOfAllIsSentAgainWithoutAReport() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            int[] seen = new int[1];
            pair.fate = p -> Pair.isData(p) && ++seen[0] == 1 ? 0 : 1;
            send(pair.left, "alone");
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == 5, 5 * SECOND)).isTrue();
        }
    }

    @Test
    void aReceiverThatDoesNotReadStopsTheSender() {
        try (Pair pair = new Pair(false, 7, 64)) {
            pair.right.held = 40L * 1456; // room for 24 packets
            String text = text(1456 * 200);
            send(pair.left, text);
            for (int i = 0; i < 100; i++) {
                pair.run(SECOND / 10);
                pair.right.held = 40L * 1456 + pair.right.bytes.size();
            }
            assertThat(pair.right.bytes.size()).isLessThanOrEqualTo(64 * 1456);
            pair.right.held = 0;
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == text.length(), 60 * SECOND))
                    .isTrue();
            assertThat(pair.right.bytes.toString(US_ASCII)).isEqualTo(text);
        }
    }

    /// 429 packets a second, 2.3 ms apart.
    @Test
    void lateTimersDoNotLowerTheRate() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.left.connection.limit(429 * 1500);
            pair.lateness = 2_500_000;
            String text = text(1456 * 858);
            send(pair.left, text);
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == text.length(), 3 * SECOND))
                    .isTrue();
        }
    }

    /// Both ends run every 60 ms, as on a machine that is busy otherwise: 26 packets each time.
    @Test
    void pausesOfTheLoopDoNotLowerTheRate() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.left.connection.limit(429 * 1500);
            pair.lateness = 60_000_000;
            String text = text(1456 * 858);
            send(pair.left, text);
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == text.length(), 4 * SECOND))
                    .isTrue();
        }
    }

    /// A machine that wakes up does not send what it might have sent in its sleep.
    @Test
    void aSleepIsNotCaughtUpWith() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.left.connection.limit(429 * 1500);
            send(pair.left, text(1456 * 2000));
            pair.run(SECOND);
            pair.sent.clear();
            pair.now += 3 * SECOND;
            pair.run(2_000_000);
            assertThat(pair.sent.stream().filter(Pair::isData).count()).isLessThan(60);
        }
    }

    // ---- the end ----

    @Test
    void anOrderlyCloseWaitsUntilEverythingIsThere() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            SplittableRandom random = new SplittableRandom(SEED);
            pair.fate = _ -> random.nextInt(10) == 0 ? 0 : 1;
            String text = text(300_000);
            send(pair.left, text);
            pair.left.connection.close(pair.now, 60 * SECOND);
            assertThat(pair.runUntil(() -> pair.right.ended, 60 * SECOND)).isTrue();
            assertThat(pair.right.bytes.toString(US_ASCII)).isEqualTo(text);
            pair.right.connection.close(pair.now, SECOND);
            assertThat(
                            pair.runUntil(
                                    () ->
                                            pair.left.connection.isGone()
                                                    && pair.right.connection.isGone(),
                                    30 * SECOND))
                    .isTrue();
        }
    }

    @Test
    void aClosingEndThatMissesPacketsWaitsForItsTimers() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            int[] seen = new int[1];
            pair.fate = p -> Pair.isData(p) && seen[0]++ == 0 ? 0 : 1;
            send(pair.left, text(5_000));
            pair.right.send("answer");
            assertThat(pair.runUntil(pair.right.connection::hasGaps, SECOND)).isTrue();
            pair.fate = _ -> 0;
            pair.right.connection.close(pair.now, 5 * SECOND);
            pair.run(4 * SECOND);
            assertThat(pair.sent.size()).isLessThan(200);
        }
    }

    @Test
    void anAbortIsNoEnd() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.left.connection.abort(pair.now);
            assertThat(pair.runUntil(() -> pair.right.connection.failure() != null, SECOND))
                    .isTrue();
            assertThat(pair.right.connection.failure()).hasMessage("Connection reset by peer");
            assertThat(pair.right.ended).isFalse();
        }
    }

    @Test
    void lingerThatEndsBeforeAllArrivedResetsThePeer() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            send(pair.left, "arrives");
            pair.run(SECOND);
            pair.fate = p -> Pair.isData(p) ? 0 : 1;
            send(pair.left, "is lost");
            pair.left.connection.close(pair.now, 2 * SECOND);
            pair.run(3 * SECOND);
            assertThat(pair.right.bytes.toString(US_ASCII)).isEqualTo("arrives");
            assertThat(pair.right.connection.failure()).hasMessage("Connection reset by peer");
            assertThat(pair.right.ended).isFalse();
        }
    }

    /// The peer hears nothing of this end but its shutdown.
    @Test
    void closingEndThatTimesOutResetsThePeer() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.fate = p -> Pair.isControl(p, Packets.SHUTDOWN) ? 1 : 0;
            send(pair.left, "is lost");
            pair.left.connection.close(pair.now, 60 * SECOND);
            pair.run(15 * SECOND);
            assertThat(pair.left.connection.failure()).hasMessage("Connection timed out");
            assertThat(pair.sent)
                    .filteredOn(p -> Pair.isControl(p, Packets.SHUTDOWN) && p[15] == 2)
                    .isNotEmpty()
                    .allMatch(p -> p[7] == Packets.ABORTED);
        }
    }

    /// The reference implementation shuts down at the end of its linger, and does not say so.
    @Test
    void shutdownWhilePacketsFoundNoRoomIsNoEnd() {
        try (Pair pair = new Pair(false, 7, 64)) {
            pair.right.held = 64L * 1456;
            send(pair.left, text(1456 * 10));
            pair.run(SECOND);
            assertThat(pair.right.bytes.size()).isZero();
            pair.right.receive(Pair.control(Packets.SHUTDOWN, 0, 0));
            assertThat(pair.right.connection.failure()).hasMessage("Connection reset by peer");
            assertThat(pair.right.ended).isFalse();
        }
    }

    /// The application pauses, and closes its end minutes later.
    @Test
    void peerThatHasShutDownIsNotProbed() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            send(pair.left, "all");
            pair.left.connection.close(pair.now, SECOND);
            assertThat(pair.runUntil(() -> pair.right.ended, SECOND)).isTrue();
            pair.sent.clear();
            pair.run(60 * SECOND);
            assertThat(pair.right.connection.failure()).isNull();
            assertThat(pair.sent).isEmpty();
            pair.right.connection.close(pair.now, SECOND);
            assertThat(pair.runUntil(pair.right.connection::isGone, SECOND)).isTrue();
            assertThat(pair.sent).hasSize(1);
        }
    }

    @Test
    void aLostShutdownIsToldAgain() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            int[] lost = new int[1];
            pair.fate = p -> Pair.isControl(p, Packets.SHUTDOWN) && lost[0]++ == 0 ? 0 : 1;
            pair.left.connection.close(pair.now, SECOND);
            pair.run(SECOND / 10);
            pair.right.send("late");
            assertThat(pair.runUntil(() -> pair.right.ended, SECOND)).isTrue();
        }
    }

    @Test
    void aSilentPeerIsGoneAfterItsTime() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.run(100 * SECOND); // idle, with keep-alives
            assertThat(pair.left.connection.failure()).isNull();
            pair.fate = _ -> 0;
            pair.run(9 * SECOND);
            assertThat(pair.left.connection.failure()).isNull();
            pair.run(4 * SECOND);
            assertThat(pair.left.connection.failure()).hasMessage("Connection timed out");
        }
    }

    /// One whose timer begins anew with all that it hears, as the reference implementation's.
    @Test
    void aSilentPeerIsLeftInPeaceForSecondsBetweenProbes() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.run(SECOND);
            List<Long> probes = new ArrayList<>();
            pair.fate =
                    packet -> {
                        if (packet[15] == 2) { // to the right
                            probes.add(pair.now);
                        }
                        return 0;
                    };
            pair.run(9 * SECOND);
            assertThat(probes).hasSizeBetween(4, 6);
            for (int i = 3; i < probes.size(); i++) {
                assertThat(probes.get(i) - probes.get(i - 1)).isGreaterThan(2 * SECOND);
            }
        }
    }

    @Test
    void aLeapOfTheClockEndsNothing() {
        try (Pair pair = new Pair(false, 7, 8192)) {
            pair.run(SECOND);
            pair.now += 3_600 * SECOND;
            send(pair.left, "still there");
            assertThat(pair.runUntil(() -> pair.right.bytes.size() == 11, 5 * SECOND)).isTrue();
            assertThat(pair.left.connection.failure()).isNull();
        }
    }

    // ---- messages ----

    @Test
    void messagesArriveWholeAndInOrder() {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Pair pair = new Pair(true, 0x7FFF_FFF0, 8192)) {
            pair.fate = _ -> random.nextInt(10) == 0 ? 0 : random.nextInt(10) == 0 ? 2 : 1;
            for (int i = 0; i < 300; i++) {
                pair.left.message(i + text(10 + i * 4), 1 + i % 5, true, SendUnit.NEVER);
            }
            assertThat(pair.runUntil(() -> pair.right.messages.size() == 300, 60 * SECOND))
                    .isTrue();
            for (int i = 0; i < 300; i++) {
                assertThat(pair.right.messages.get(i)).isEqualTo(i + text(10 + i * 4));
            }
        }
    }

    @Test
    void withoutOrderAWholeMessageOvertakesABrokenOne() {
        try (Pair pair = new Pair(true, 7, 8192)) {
            boolean[] losing = {true};
            pair.fate = p -> losing[0] && Pair.isData(p) && sequence(p) == 8 ? 0 : 1;
            pair.left.message("first, in three", 3, false, SendUnit.NEVER);
            pair.left.message("second", 2, false, SendUnit.NEVER);
            pair.left.message("ordered", 1, true, SendUnit.NEVER);
            pair.run(SECOND / 2);
            assertThat(pair.right.messages).containsExactly("second");
            losing[0] = false;
            pair.run(5 * SECOND);
            assertThat(pair.right.messages).containsExactly("second", "first, in three", "ordered");
        }
    }

    private static int sequence(byte[] packet) {
        return java.nio.ByteBuffer.wrap(packet).getInt();
    }

    @Test
    void anExpiredMessageIsGivenUpAndThoseBehindItArrive() {
        try (Pair pair = new Pair(true, 7, 8192)) {
            pair.fate = p -> Pair.isData(p) && sequence(p) == 8 ? 0 : 1;
            pair.left.message("expires, in three", 3, true, pair.now + SECOND / 100);
            pair.left.message("stays", 1, true, SendUnit.NEVER);
            assertThat(pair.runUntil(() -> !pair.right.messages.isEmpty(), 5 * SECOND)).isTrue();
            assertThat(pair.right.messages).containsExactly("stays");
            assertThat(pair.left.connection.measures().dropped()).isEqualTo(1);
            pair.run(2 * SECOND);
            assertThat(pair.left.connection.heldBytes()).isZero();
        }
    }

    @Test
    void aMessageThatExpiresBeforeItIsSentTakesNoNumber() {
        try (Pair pair = new Pair(true, 7, 8192)) {
            for (int i = 0; i < 200; i++) { // more than the first window
                pair.left.message("message " + i, 1, true, pair.now + 1_000_000);
            }
            pair.left.message("last", 1, true, SendUnit.NEVER);
            assertThat(
                            pair.runUntil(
                                    () ->
                                            !pair.right.messages.isEmpty()
                                                    && pair.right.messages.getLast().equals("last"),
                                    5 * SECOND))
                    .isTrue();
            assertThat(pair.right.messages).hasSizeLessThan(100);
        }
    }
}
