package io.weft.transport.udt.machine;

/// The last ACKs that were sent, until their ACK2 tells the round-trip time.
final class AckHistory {
    private static final int SIZE = 1024;

    private final long[] times = new long[SIZE];
    private final long[] acknowledged = new long[SIZE];
    private final int[] numbers = new int[SIZE];

    /// @param number of the ACK itself, from 1
    void sent(int number, long ack, long now) {
        int at = number & (SIZE - 1);
        numbers[at] = number;
        acknowledged[at] = ack;
        times[at] = now;
    }

    /// Tells if the ACK with this number is known and was not answered before.
    boolean knows(int number) {
        return number > 0 && numbers[number & (SIZE - 1)] == number;
    }

    long time(int number) {
        return times[number & (SIZE - 1)];
    }

    long ack(int number) {
        return acknowledged[number & (SIZE - 1)];
    }

    /// Forgets the ACK, whose ACK2 has come.
    void answered(int number) {
        numbers[number & (SIZE - 1)] = 0;
    }
}
