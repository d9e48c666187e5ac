package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;

/// The receiving half of a connection: what has come, what is missing, and what the peer is to be
/// told of it.
final class Receiver {
    /// Packets after which a light ACK goes out although none is due.
    private static final int LIGHT_ACK = 64;

    private final Connection connection;
    private final RoundTrip roundTrip;
    private final int window;
    private final int payload;
    private final int longest;
    private final Delivery delivery;
    private final Slots slots;
    private final GapList gaps = new GapList();
    private final AckHistory history = new AckHistory();
    private final Arrivals arrivals;
    private long last;

    /// Greatest number that found no room.
    private long refused;

    private int ackNumber;
    private long ackSent;
    private long ackConfirmed;
    private long ackAt;
    private long ackSentAt;
    private long ratesSentAt;
    private int lightAcks;
    private int sinceAck;
    private boolean roomTold = true;
    private long packets;
    private long duplicates;
    private long missed;

    Receiver(Connection connection, Terms terms, RoundTrip roundTrip, Delivery delivery, long now) {
        this.connection = connection;
        this.roundTrip = roundTrip;
        this.delivery = delivery;
        window = terms.window();
        payload = terms.payload();
        longest = terms.ownPayload();
        long first = terms.peerSequence();
        slots = new Slots(first);
        arrivals = new Arrivals(now);
        last = first - 1;
        refused = last;
        ackSent = first;
        ackConfirmed = first;
        ackAt = now + RateControl.SYN_NANOS;
        ackSentAt = now;
        ratesSentAt = now - RateControl.SYN_NANOS;
    }

    long packets() {
        return packets;
    }

    long duplicates() {
        return duplicates;
    }

    long missed() {
        return missed;
    }

    /// Tells if something is missing that the peer has sent, be it for want of room.
    boolean hasGaps() {
        return !gaps.isEmpty() || refused > last;
    }

    /// Returns the first number that is missing.
    private long ack() {
        return gaps.isEmpty() ? last + 1 : gaps.first();
    }

    /// Returns the first number for which there is no room.
    private long end() {
        return slots.base() + Math.max(window - (delivery.held() + payload - 1) / payload, 0);
    }

    /// Returns the packets for which there is room behind what is acknowledged.
    private int room() {
        return (int) Math.max(end() - ack(), 0);
    }

    // ---- packets ----

    /// A packet of data has come.
    void received(Buffer packet, long now, PacketSink sink) {
        int length = Packets.bodyLength(packet);
        if (length > longest) {
            return; // the window counts packets: longer ones would hold more memory than it says
        }
        long sequence = Sequence.unwrap(Packets.sequence(packet), slots.base());
        long offset = sequence - slots.base();
        packets++;
        if (offset < 0 || slots.state(sequence) != Slots.State.EMPTY) {
            duplicates++;
            return;
        }
        if (sequence >= end()) {
            // Remembered only if it may be the next one: what is further away is forged.
            if (offset < window) {
                refused = Math.max(refused, sequence);
                roomTold = false;
            }
            return;
        }
        arrivals.arrived(sequence, now);
        boolean direct = sequence == slots.base() && delivery.isDirect(length);
        boolean stored =
                direct ? delivery.pass(slots, packet, length) : store(packet, length, sequence);
        if (!stored) {
            return; // for want of memory: it counts as lost
        }
        if (sequence > last) {
            if (sequence > last + 1) {
                miss(last + 1, sequence - 1, now, sink);
            }
            last = sequence;
        } else {
            gaps.remove(sequence, sequence);
        }
        delivery.deliver(slots, sequence);
        sinceAck++;
        if (length != payload) {
            ackAt = now; // the end of a message, mostly: its sender waits
        }
    }

    /// False without memory.
    private boolean store(Buffer packet, int length, long sequence) {
        try {
            Buffer copy = BufferAllocator.pooled().allocate(length);
            try {
                copy.setBytes(0, packet, packet.readOffset() + Packets.HEADER, length);
                copy.writeOffset(length);
                slots.reach(sequence);
            } catch (Throwable t) {
                copy.release();
                throw t;
            }
            slots.put(sequence, Packets.info(packet), copy);
            return true;
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return false;
        }
    }

    private void miss(long first, long end, long now, PacketSink sink) {
        missed += end - first + 1;
        gaps.add(first, end, now + 2 * patience());
        Buffer to = connection.control(sink, Packets.NAK, 0, first == end ? 4 : 8, now);
        int _ = GapList.write(to, first, end);
    }

    private long patience() {
        return Math.max(roundTrip.patienceNanos(), RateControl.SYN_NANOS);
    }

    /// The sender gives a message up.
    void dropped(Buffer packet) {
        if (Packets.bodyLength(packet) < 8 || !delivery.isOfMessages()) {
            return;
        }
        long first = Sequence.unwrap(Packets.word(packet, 0), slots.base());
        long end = Sequence.unwrap(Packets.word(packet, 1), slots.base());
        if (first > end || end < slots.base() || end - slots.base() >= window) {
            return; // of the past, or forged
        }
        if (first > last + 1 || end - first >= delivery.most()) {
            // Before any loop: what is ahead comes again, and no message is so long.
            return;
        }
        int message = Packets.info(packet) & Packets.MAX_MESSAGE;
        slots.reach(end);
        for (long i = Math.max(first, slots.base()); i <= end; i++) {
            boolean other =
                    slots.state(i) == Slots.State.FULL
                            && (slots.word(i) & Packets.MAX_MESSAGE) != message;
            if (!other) {
                slots.done(i);
            }
        }
        gaps.remove(first, end);
        last = Math.max(last, end);
        delivery.deliver(slots, slots.base());
    }

    /// An ACK2 has come.
    void confirmed(int number, long now) {
        if (history.knows(number)) {
            roundTrip.sample((now - history.time(number)) / 1_000);
            ackConfirmed = Math.max(ackConfirmed, history.ack(number));
            history.answered(number);
        }
    }

    // ---- time ----

    /// Returns when there is something to tell the peer.
    long untilDue(long now) {
        long until = Long.MAX_VALUE;
        if (hasNews()) {
            until = Math.max(ackAt - now, 0);
        } else if (ackSent > ackConfirmed) {
            until = Math.max(ackSentAt + patience() - now, 0);
        }
        return gaps.isEmpty() ? until : Math.min(until, gaps.due() - now);
    }

    /// Tells if the peer has not been told of something, or of room that has been made.
    private boolean hasNews() {
        return ack() > ackSent || (!roomTold && room() > window / 4);
    }

    /// Tells the peer what is due.
    void report(long now, PacketSink sink) {
        if (!roomTold && room() > window / 4) {
            tellRoom(now, sink);
        }
        boolean due = ack() > ackSent && ackAt - now <= 0;
        boolean again = ackSent > ackConfirmed && ackSentAt + patience() - now <= 0;
        if (due || again) {
            acknowledge(now, sink);
        } else if (sinceAck >= LIGHT_ACK * (lightAcks + 1)) {
            lightAcks++;
            connection.control(sink, Packets.ACK, 0, 4, now).writeInt(Sequence.wire(ack()));
        }
        if (!gaps.isEmpty()) {
            reportGaps(now, sink);
        }
    }

    /// Asks again for packets that found no room, now that there is some.
    private void tellRoom(long now, PacketSink sink) {
        roomTold = true;
        if (refused > last) {
            long end = Math.min(refused, end() - 1);
            if (end > last) {
                miss(last + 1, end, now, sink);
                last = end;
            }
        }
        acknowledge(now, sink);
    }

    private void acknowledge(long now, PacketSink sink) {
        ackSent = ack();
        ackSentAt = now;
        ackAt = now + RateControl.SYN_NANOS;
        sinceAck = 0;
        lightAcks = 0;
        ackNumber = ackNumber == Sequence.MAX ? 1 : ackNumber + 1;
        boolean rates = now - ratesSentAt >= RateControl.SYN_NANOS;
        // At least 2: a window of none would need a probe of its own.
        int room = Math.max(room(), 2);
        roomTold = room > 2;
        Buffer to = connection.control(sink, Packets.ACK, ackNumber, rates ? 24 : 16, now);
        to.writeInt(Sequence.wire(ackSent));
        to.writeInt((int) roundTrip.time()).writeInt((int) roundTrip.variation());
        to.writeInt(room);
        if (rates) {
            ratesSentAt = now;
            to.writeInt(arrivals.rate()).writeInt(arrivals.capacity());
        }
        history.sent(ackNumber, ackSent, now);
    }

    private void reportGaps(long now, PacketSink sink) {
        int words = gaps.dueWords(now, payload / 4);
        if (words > 0) {
            Buffer to = connection.control(sink, Packets.NAK, 0, words * 4, now);
            gaps.report(to, words, now, patience());
        }
    }

    void clear() {
        slots.clear();
        delivery.clear();
    }
}
