package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import io.weft.engine.ChannelOption;
import io.weft.engine.Gather;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;

/// One direction of a connection: what was sent and has not arrived, in order. It carries bytes,
/// the end, and resets.
final class Wire {
    private static final long USER_TIMEOUT = Duration.ofMinutes(15).toNanos();
    private static final int NARROW = 64;
    private static final byte[] END = {};

    private final SimConnection connection;
    private final Simulation simulation;
    private final SimStream sender;
    private final SimStream receiver;

    /// Has arrived at a network that does not let it through.
    private final ArrayDeque<byte[]> stalled = new ArrayDeque<>();

    /// Time that each byte takes, in nanoseconds, above the latency.
    private long nanosAByte;

    private long lastArrival;
    private int capacity;

    /// Sent and not yet read by the receiver's program.
    private int occupied;

    private long arrived;
    private long resetAfter = Long.MAX_VALUE;
    private long stallAfter = Long.MAX_VALUE;
    private int pieces = Integer.MAX_VALUE;

    /// Moves on when what is under way is lost.
    private int epoch;

    private int stalls;
    private boolean resetSent;
    private boolean creditPlanned;

    Wire(SimConnection connection, SimStream sender, SimStream receiver) {
        this.connection = connection;
        this.simulation = connection.simulation();
        this.sender = sender;
        this.receiver = receiver;
        SimHost host = sender.host();
        nanosAByte = host.strikes(Fault.SLOW) ? simulation.dice().nextLong(2_000, 500_000) : 0;
        capacity =
                host.strikes(Fault.NARROW)
                        ? NARROW + simulation.dice().nextInt(1_000)
                        : sender.options().size(ChannelOption.SO_SNDBUF)
                                + receiver.options().size(ChannelOption.SO_RCVBUF);
    }

    // ---- the script ----

    void resetAfter(long bytes) {
        resetAfter = bytes;
        if (arrived >= bytes) {
            connection.reset();
        }
    }

    void stallAfter(long bytes) {
        stallAfter = bytes;
    }

    void pieces(int bytes) {
        pieces = bytes;
    }

    void window(int bytes) {
        capacity = bytes;
    }

    long arrived() {
        return arrived;
    }

    // ---- the sender ----

    int room() {
        return Math.max(0, capacity - occupied);
    }

    /// Carries the first `length` bytes of `buffers`, for which there is room.
    void send(Gather buffers, int length) {
        byte[] bytes = copy(buffers, length);
        occupied += length;
        if (sender.host().strikes(Fault.RESET)) {
            resetAfter = Math.min(resetAfter, arrived + simulation.dice().nextInt(occupied + 1));
        }
        put(bytes);
        if (resetAfter <= arrived) {
            connection.reset();
        }
    }

    private static byte[] copy(Gather buffers, int length) {
        byte[] bytes = new byte[length];
        int at = 0;
        for (int i = 0; at < length; i++) {
            Buffer buffer = buffers.buffer(i);
            int count = Math.min(length - at, buffer.readableBytes());
            buffer.getBytes(buffer.readOffset(), bytes, at, count);
            at += count;
        }
        return bytes;
    }

    void end() {
        put(END);
    }

    private void put(byte[] bytes) {
        long now = simulation.now();
        long arrival = Math.max(lastArrival, now + simulation.latency());
        lastArrival = arrival + bytes.length * nanosAByte;
        int sentIn = epoch;
        simulation.after(
                lastArrival - now,
                () -> {
                    if (sentIn == epoch) {
                        arrive(bytes);
                    }
                });
    }

    /// The sender has closed with a reset, or has got bytes when it was closed.
    void reset() {
        if (resetSent) {
            return;
        }
        resetSent = true;
        if (sender.host().strikes(Fault.RESET_OVERTAKES)) {
            epoch++;
            stalled.clear();
            simulation.after(simulation.latency(), this::resetArrives);
        } else {
            long now = simulation.now();
            lastArrival = Math.max(lastArrival, now + simulation.latency());
            simulation.after(lastArrival - now, this::resetArrives);
        }
    }

    private void resetArrives() {
        if (isDown() || !stalled.isEmpty()) {
            resetSent = false; // lost: the receiver hears of it when it sends something
            return;
        }
        breakReceiver();
    }

    void breakReceiver() {
        receiver.broken(
                new SocketException("Connection reset by peer"),
                receiver.host().strikes(Fault.RESET_OVERTAKES));
    }

    // ---- the network ----

    private boolean isDown() {
        return simulation.network().isDown(sender.host(), receiver.host());
    }

    private void arrive(byte[] bytes) {
        if (arrived >= resetAfter) {
            return; // it was reset
        }
        if (!stalled.isEmpty() || isDown() || arrived >= stallAfter) {
            stall(bytes);
            return;
        }
        if (bytes.length == 0) {
            simulation.note(Trace.Kind.END, connection.id(), 0);
            receiver.endArrived();
            return;
        }
        byte[] rest = bytes;
        for (int sentIn = epoch; rest.length > 0 && sentIn == epoch; ) {
            long most = Math.min(pieces, Math.min(resetAfter, stallAfter) - arrived);
            if (most <= 0) {
                if (arrived < resetAfter) {
                    stall(rest);
                }
                return;
            }
            int length = (int) Math.min(rest.length, most);
            deliver(length == rest.length ? rest : Arrays.copyOf(rest, length));
            rest = Arrays.copyOfRange(rest, length, rest.length);
        }
    }

    private void deliver(byte[] bytes) {
        arrived += bytes.length;
        simulation.note(Trace.Kind.ARRIVE, connection.id(), bytes.length);
        receiver.arrived(bytes);
        if (arrived >= resetAfter) {
            connection.reset();
        }
    }

    private void stall(byte[] bytes) {
        if (stalled.isEmpty()) {
            int stall = ++stalls;
            simulation.network().stalled(this);
            simulation.after(
                    USER_TIMEOUT,
                    () -> {
                        if (stall == stalls && !stalled.isEmpty()) {
                            epoch++;
                            stalled.clear();
                            sender.broken(new SocketException("Connection timed out"), false);
                        }
                    });
        }
        stalled.add(bytes);
    }

    /// Lets stalled bytes go on, if nothing else stops them.
    void resume() {
        ArrayDeque<byte[]> waiting = new ArrayDeque<>(stalled);
        stalled.clear();
        waiting.forEach(this::arrive);
    }

    // ---- the receiver ----

    /// The receiver's program has read `bytes` bytes.
    void consumed(int bytes) {
        occupied -= bytes;
        if (sender.waitsForRoom() && !creditPlanned) {
            creditPlanned = true;
            simulation.after(
                    simulation.latency(),
                    () -> {
                        creditPlanned = false;
                        sender.roomMade();
                    });
        }
    }
}
