package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/// Two machines, a link with a delay and loss between them, and a clock, all on one thread.
final class Pair implements AutoCloseable {
    static final int SEGMENT = 1500;

    /// One end of the connection, and what its application got.
    final class End implements Inbox, PacketSink {
        final Connection connection;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<String> messages = new ArrayList<>();

        /// Bytes that the application leaves where they are.
        long held;

        boolean ended;
        private Buffer open = BufferAllocator.unpooled().allocate(1);
        private int expected;

        End(Terms terms, Timing timing) {
            connection = new Connection(terms, timing, new SplittableRandom(1), this, now);
        }

        @Override
        public boolean copy(Buffer from, int index, int length) {
            byte[] copied = new byte[length];
            from.getBytes(index, copied, 0, length);
            bytes.writeBytes(copied);
            return true;
        }

        @Override
        public void bytes(Buffer buffer) {
            try (buffer) {
                copy(buffer, buffer.readOffset(), buffer.readableBytes());
            }
        }

        @Override
        public void message(Buffer message) {
            try (message) {
                messages.add(message.readString(java.nio.charset.StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public long held() {
            return held;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public Buffer packet(int length) {
            launch();
            open.release();
            open = BufferAllocator.unpooled().allocate(length);
            expected = length;
            return open;
        }

        /// The last packet is complete, as another begins or the machine has done.
        void launch() {
            if (expected > 0) {
                if (open.readableBytes() != expected) {
                    throw new AssertionError(
                            "packet: "
                                    + open.readableBytes()
                                    + " bytes (expected: "
                                    + expected
                                    + ")");
                }
                expected = 0;
                byte[] packet = new byte[open.readableBytes()];
                open.readBytes(packet);
                sent.add(packet);
                carry(this, packet);
            }
        }

        void run() {
            connection.run(now, this);
            launch();
        }

        void receive(byte[] packet) {
            try (Buffer buffer = BufferAllocator.unpooled().allocate(packet.length)) {
                buffer.writeBytes(packet);
                connection.received(buffer, now, this);
            }
            run();
        }

        void send(String text) {
            connection.offer(
                    new SendUnit(
                            buffer(text),
                            Packets.FIRST | Packets.LAST | Packets.IN_ORDER,
                            SendUnit.NEVER));
            run();
        }

        void message(String text, int pieces, boolean ordered, long deadline) {
            int size = (text.length() + pieces - 1) / pieces;
            for (int at = 0; at < text.length(); at += size) {
                int end = Math.min(at + size, text.length());
                int flags =
                        (at == 0 ? Packets.FIRST : 0)
                                | (end == text.length() ? Packets.LAST : 0)
                                | (ordered ? Packets.IN_ORDER : 0);
                connection.offer(new SendUnit(buffer(text.substring(at, end)), flags, deadline));
            }
            run();
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared by its packet
    private record Flight(long due, long order, End to, byte[] packet)
            implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            return due != other.due
                    ? Long.compare(due, other.due)
                    : Long.compare(order, other.order);
        }
    }

    /// The fate of packets on their way.
    interface Fate {
        /// Returns the number of copies that arrive.
        int copies(byte[] packet);
    }

    long now = 1_000_000_000;
    long delay = 5_000_000;

    /// Time by which timers are late.
    long lateness;

    Fate fate = _ -> 1;

    /// Packets of both ends, in order.
    final List<byte[]> sent = new ArrayList<>();

    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private long order;
    final End left;
    final End right;

    /// @param sequence where both directions begin
    Pair(boolean messages, int sequence, int window) {
        Timing timing = new Timing(1 << 20, 1_000_000_000, 10_000_000_000L, 0);
        left = new End(terms(messages, sequence, window, 1, 2), timing);
        right = new End(terms(messages, sequence, window, 2, 1), timing);
    }

    private static Terms terms(boolean messages, int sequence, int window, int own, int other) {
        return new Terms(
                messages, sequence, sequence, SEGMENT, SEGMENT, window, window, own, other, true);
    }

    static Buffer buffer(String text) {
        return BufferAllocator.unpooled().allocate(Math.max(text.length(), 1)).writeAscii(text);
    }

    private void carry(End from, byte[] packet) {
        End to = from == left ? right : left;
        for (int i = fate.copies(packet); i > 0; i--) {
            flights.add(new Flight(now + delay, order++, to, packet));
        }
    }

    /// Runs until `condition`, or for `nanos`.
    boolean runUntil(BooleanSupplier condition, long nanos) {
        long end = now + nanos;
        while (!condition.getAsBoolean()) {
            long next =
                    Math.min(
                            now + left.connection.untilDue(now, true),
                            now + right.connection.untilDue(now, true));
            Flight first = flights.peek();
            next += lateness;
            if (first != null) {
                next = Math.min(next, first.due);
            }
            if (next > end) {
                return false;
            }
            now = Math.max(next, now);
            if (first != null && first.due <= now) {
                flights.remove();
                first.to.receive(first.packet);
            } else {
                left.run();
                right.run();
            }
        }
        return true;
    }

    void run(long nanos) {
        boolean _ = runUntil(() -> false, nanos);
    }

    static byte[] control(int type, int info, int... words) {
        java.nio.ByteBuffer packet = java.nio.ByteBuffer.allocate(16 + 4 * words.length);
        packet.putInt(0x8000_0000 | (type << 16)).putInt(info).putInt(0).putInt(1);
        for (int word : words) {
            packet.putInt(word);
        }
        return packet.array();
    }

    static boolean isData(byte[] packet) {
        return packet[0] >= 0;
    }

    static boolean isControl(byte[] packet, int type) {
        return packet[0] < 0 && packet[1] == type;
    }

    @Override
    public void close() {
        for (End end : new End[] {left, right}) {
            end.connection.drop();
            end.open.release();
        }
    }
}
