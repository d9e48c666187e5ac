package io.weft.channel;

/// Queues of one loop that no channel needs at the moment: most channels have nothing to send most
/// of the time, and a queue is a fifth of an idle channel. Loop only.
final class SpareQueues {
    /// More than these are garbage when many channels have sent everything at once.
    private static final int MAX = 256;

    private final OutboundQueue[] queues = new OutboundQueue[MAX];
    private int count;

    /// Lends an empty queue.
    OutboundQueue take() {
        if (count == 0) {
            return new OutboundQueue();
        }
        OutboundQueue last = queues[--count];
        queues[count] = OutboundQueue.NONE; // the one that is lent may grow, and is not kept alive
        return last;
    }

    /// Takes back a queue that is empty and that nobody refers to any longer.
    void giveBack(OutboundQueue queue) {
        if (count < MAX) {
            queues[count++] = queue;
        }
    }

    /// The number of queues that wait for a channel.
    int count() {
        return count;
    }
}
