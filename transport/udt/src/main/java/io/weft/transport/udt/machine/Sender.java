package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;

/// The sending half of a connection: what is in flight, what was lost, and when the next packet may
/// go.
final class Sender {
    /// Packets that are due within this time go together, as timers are no finer.
    private static final long QUANTUM = 1_000_000;

    /// Packets of one call; then others have their turn.
    private static final int MAX_BURST = 256;

    private static final long LEAST_TIMEOUT = 100_000_000;

    /// Lateness of the loop that is caught up with: pauses of a busy machine, but no sleep. The
    /// window bounds what goes at once.
    private static final long MAX_LATENESS = 100_000_000;

    /// Time-outs after which the time until the next one no longer grows.
    private static final int MAX_BACKOFF = 16;

    /// Packets at the front that a time-out sends again, besides the last: that one makes the
    /// receiver report what else it misses.
    private static final int RESENT = 64;

    private final Connection connection;
    private final RoundTrip roundTrip;
    private final SendBuffer buffer;
    private final LossList losses = new LossList();
    private final RateControl rate;

    /// First number for which the receiver has no room.
    private long flowEnd;

    private int deliveryRate = 16;
    private int capacity = 1;
    private long sendAt;

    /// The rate alone kept the last packets from going, so that a late timer is no idle time.
    private boolean paced;

    private long timeoutAt;
    private int timeouts;
    private long lastAck2At;
    private int lastAck2;
    private long packets;
    private long repeated;
    private long dropped;

    Sender(Connection connection, Terms terms, RoundTrip roundTrip, RateControl rate, long now) {
        this.connection = connection;
        this.roundTrip = roundTrip;
        this.rate = rate;
        buffer = new SendBuffer(terms.sequence());
        flowEnd = (long) terms.sequence() + terms.peerWindow();
        sendAt = now;
        lastAck2At = now - RateControl.SYN_NANOS;
    }

    /// Gives up everything.
    void clear() {
        losses.removeBelow(buffer.next());
        buffer.clear();
    }

    SendBuffer buffer() {
        return buffer;
    }

    long packets() {
        return packets;
    }

    long repeated() {
        return repeated;
    }

    long dropped() {
        return dropped;
    }

    RateControl rate() {
        return rate;
    }

    int deliveryRate() {
        return deliveryRate;
    }

    int capacity() {
        return capacity;
    }

    // ---- what the peer says ----

    /// An ACK has come; its body has one word (a light one), or at least four.
    void acknowledged(Buffer packet, long now, PacketSink sink) {
        long ack = Sequence.unwrap(Packets.word(packet, 0), buffer.unacknowledged());
        int words = Packets.bodyLength(packet) / 4;
        // An ACK of what was never sent is forged or broken: it must not move the window.
        if (ack > buffer.next() || (words > 1 && words < 4)) {
            return;
        }
        boolean light = words == 1;
        if (!light) {
            answer(Packets.info(packet), now, sink);
            if (ack >= buffer.unacknowledged()) {
                flowEnd = ack + Math.clamp(Packets.word(packet, 3), 1, Terms.MAX_WINDOW);
            }
        }
        if (ack <= buffer.unacknowledged()) {
            return;
        }
        buffer.acknowledged(ack);
        losses.removeBelow(ack);
        timeouts = 0;
        restartTimeout(now);
        if (!light) {
            estimate(packet, words);
            rate.acknowledged(
                    ack, now, deliveryRate, capacity, roundTrip.time(), (int) (flowEnd - ack));
        }
    }

    /// An ACK2, for one in an interval at the least, and for an ACK that comes again.
    private void answer(int number, long now, PacketSink sink) {
        if (now - lastAck2At >= RateControl.SYN_NANOS || number == lastAck2) {
            lastAck2At = now;
            lastAck2 = number;
            connection.control(sink, Packets.ACK2, number, 0, now);
        }
    }

    private void estimate(Buffer packet, int words) {
        roundTrip.sample(Packets.word(packet, 1));
        if (words >= 6) {
            int arriving = Packets.word(packet, 4);
            int carried = Packets.word(packet, 5);
            if (arriving > 0) {
                deliveryRate = (int) ((7L * deliveryRate + arriving) / 8);
            }
            if (carried > 0) {
                capacity = (int) ((7L * capacity + carried) / 8);
            }
        }
    }

    /// A NAK has come. All of it is checked before any is believed.
    void reported(Buffer packet) {
        int words = Packets.bodyLength(packet) / 4;
        if (words == 0 || !isSane(packet, words)) {
            return;
        }
        long first = Sequence.unwrap(Packets.word(packet, 0), buffer.unacknowledged());
        rate.lost(first, buffer.next() - 1, deliveryRate, roundTrip.time());
        for (int i = 0; i < words; i++) {
            int word = Packets.word(packet, i);
            long from = Sequence.unwrap(word, buffer.unacknowledged());
            long to =
                    word < 0
                            ? Sequence.unwrap(Packets.word(packet, ++i), buffer.unacknowledged())
                            : from;
            if (to >= buffer.unacknowledged()) {
                losses.add(Math.max(from, buffer.unacknowledged()), to);
            }
        }
    }

    /// Ranges ascend, end with the packet, and name nothing that was not sent.
    private boolean isSane(Buffer packet, int words) {
        for (int i = 0; i < words; i++) {
            int word = Packets.word(packet, i);
            long from = Sequence.unwrap(word, buffer.unacknowledged());
            long to = from;
            if (word < 0) {
                if (++i == words || Packets.word(packet, i) < 0) {
                    return false;
                }
                to = Sequence.unwrap(Packets.word(packet, i), buffer.unacknowledged());
            }
            if (to < from || to >= buffer.next()) {
                return false;
            }
        }
        return true;
    }

    void warned() {
        rate.warned(buffer.next() - 1);
    }

    // ---- time ----

    private void restartTimeout(long now) {
        long wait =
                Math.max(roundTrip.patienceNanos() + RateControl.SYN_NANOS, LEAST_TIMEOUT)
                        * (1 + timeouts);
        timeoutAt = now + wait;
    }

    /// Returns when there is something to do, `Long.MAX_VALUE` away at the least if never.
    ///
    /// @param ready whether packets can be sent
    long untilDue(long now, boolean ready) {
        long until = buffer.inFlight() > 0 ? timeoutAt - now : Long.MAX_VALUE;
        return ready && maySend() ? Math.min(until, sendAt - now) : until;
    }

    private boolean maySend() {
        return !losses.isEmpty() || mayAdvance();
    }

    private boolean mayAdvance() {
        return buffer.hasWaiting() && buffer.inFlight() < rate.window() && buffer.next() < flowEnd;
    }

    /// Nothing was acknowledged for long: sends some of it again.
    void checkTimeout(long now) {
        if (buffer.inFlight() == 0 || timeoutAt - now > 0) {
            return;
        }
        timeouts = Math.min(timeouts + 1, MAX_BACKOFF);
        restartTimeout(now);
        if (losses.isEmpty()) {
            long first = buffer.unacknowledged();
            losses.add(first, Math.min(first + RESENT, buffer.next()) - 1);
            losses.add(buffer.next() - 1, buffer.next() - 1);
        }
        rate.timedOut(deliveryRate, roundTrip.time());
    }

    /// Sends what is due.
    void transmit(long now, PacketSink sink) {
        if (buffer.hasWaiting()) {
            buffer.dropExpired(now);
        }
        if (!maySend()) {
            paced = false;
            return;
        }
        // Timers are late, on some engines by a millisecond: what was due meanwhile catches up.
        long earliest = paced ? now - MAX_LATENESS : now;
        if (sendAt - earliest < 0) {
            sendAt = earliest;
        }
        paced = true;
        for (int i = 0; i < MAX_BURST && sendAt - now < QUANTUM; i++) {
            if (!maySend() || !sink.isReady()) {
                paced = false;
                return;
            }
            long sequence = losses.isEmpty() ? advance(now, sink) : repeat(now, sink);
            // Of a pair that probes the path, the second goes right behind the first.
            if ((sequence & 0xF) != 0) {
                sendAt += (long) (rate.period() * 1_000);
            }
        }
    }

    private long advance(long now, PacketSink sink) {
        if (buffer.inFlight() == 0) {
            restartTimeout(now);
        }
        long sequence = buffer.next();
        write(sequence, buffer.sendNext(), now, sink);
        buffer.dropExpired(now);
        return sequence;
    }

    private long repeat(long now, PacketSink sink) {
        long sequence = losses.removeFirst();
        SendUnit unit = buffer.get(sequence);
        if (unit.payload() != null && !unit.isExpired(now)) {
            repeated++;
            write(sequence, unit, now, sink);
        } else {
            dropMessage(sequence, now, sink);
        }
        return sequence;
    }

    private void dropMessage(long sequence, long now, PacketSink sink) {
        long first = buffer.firstOfMessage(sequence);
        long last = buffer.lastOfMessage(sequence);
        if (buffer.get(sequence).payload() != null) {
            dropped++;
        }
        int message = buffer.get(sequence).message();
        buffer.drop(first, last);
        losses.remove(first, last);
        Buffer to = connection.control(sink, Packets.DROP_REQUEST, message, 8, now);
        to.writeInt(Sequence.wire(first)).writeInt(Sequence.wire(last));
    }

    private void write(long sequence, SendUnit unit, long now, PacketSink sink) {
        packets++;
        Buffer payload = unit.payload();
        if (payload == null) {
            throw new IllegalStateException("unit: dropped (expected: with its payload)");
        }
        connection.data(sink, Sequence.wire(sequence), unit.word(), payload, now);
    }
}
