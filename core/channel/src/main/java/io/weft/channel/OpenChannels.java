package io.weft.channel;

import io.weft.eventloop.EventLoop;
import io.weft.eventloop.LoopResource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All channels and listeners that are open on one loop, and connects by name that have no outcome.
/// Loop only.
final class OpenChannels implements LoopResource {
    private final Lingering lingering;
    private final SpareQueues queues = new SpareQueues();
    private @Nullable Channel firstChannel;
    private @Nullable ServerChannel firstListener;

    /// Made with the first.
    private @Nullable Set<ConnectRace> races;

    private OpenChannels(EventLoop loop) {
        lingering = new Lingering(loop);
    }

    static OpenChannels of(EventLoop loop) {
        return loop.engine().resource(OpenChannels.class, OpenChannels::new);
    }

    /// The channels that wait for their peer's end, which have sent everything.
    Lingering lingering() {
        return lingering;
    }

    SpareQueues queues() {
        return queues;
    }

    @Override
    public boolean isEmpty() {
        return firstChannel == null && firstListener == null;
    }

    @Override
    public void closeAll() {
        for (ServerChannel s = firstListener; s != null; ) {
            ServerChannel next = s.nextListener;
            s.close();
            s = next;
        }
        if (races != null) {
            List.copyOf(races).forEach(ConnectRace::giveUp);
        }
        for (Channel c = firstChannel; c != null; ) {
            Channel next = c.nextOpen;
            c.close();
            c = next;
        }
    }

    @Override
    public void abortAll() {
        try {
            for (Channel c = firstChannel; c != null; ) {
                Channel next = c.nextOpen;
                c.life().endNow();
                c = next;
            }
        } finally {
            lingering.end();
        }
    }

    /// The channels that `limit` counts.
    List<Channel> countedBy(ConnectionLimit limit) {
        List<Channel> counted = new ArrayList<>();
        for (Channel c = firstChannel; c != null; c = c.nextOpen) {
            if (c.life().isCountedBy(limit)) {
                counted.add(c);
            }
        }
        return counted;
    }

    void opened(Channel channel) {
        channel.nextOpen = firstChannel;
        if (firstChannel != null) {
            firstChannel.prevOpen = channel;
        }
        firstChannel = channel;
    }

    void closed(Channel channel) {
        if (channel.prevOpen != null) {
            channel.prevOpen.nextOpen = channel.nextOpen;
        } else if (firstChannel == channel) {
            firstChannel = channel.nextOpen;
        }
        if (channel.nextOpen != null) {
            channel.nextOpen.prevOpen = channel.prevOpen;
        }
        // nextOpen stays: somebody may be walking the list through this channel.
        channel.prevOpen = null;
    }

    void opened(ServerChannel listener) {
        listener.nextListener = firstListener;
        firstListener = listener;
    }

    void closed(ServerChannel listener) {
        if (firstListener == listener) {
            firstListener = listener.nextListener;
            return;
        }
        for (ServerChannel s = firstListener; s != null; s = s.nextListener) {
            if (s.nextListener == listener) {
                s.nextListener = listener.nextListener;
                return;
            }
        }
    }

    void began(ConnectRace race) {
        if (races == null) {
            races = new LinkedHashSet<>();
        }
        races.add(race);
    }

    void ended(ConnectRace race) {
        if (races != null) {
            races.remove(race);
        }
    }

    /// Queues of one loop that no channel needs at the moment: most channels have nothing to send
    /// most of the time, and a queue is a fifth of an idle channel. Loop only.
    static final class SpareQueues {
        /// More than these are garbage when many channels have sent everything at once.
        private static final int MAX = 256;

        private OutboundQueue[] queues = new OutboundQueue[2]; // grows: some loops have one channel
        private int count;

        /// Lends an empty queue.
        OutboundQueue take() {
            if (count == 0) {
                return new OutboundQueue();
            }
            OutboundQueue last = queues[--count];
            queues[count] = OutboundQueue.NONE; // so that the one that is lent is not kept alive
            return last;
        }

        /// Takes back a queue that is empty and that nobody refers to any longer.
        void giveBack(OutboundQueue queue) {
            if (count == MAX) {
                return;
            }
            if (count == queues.length) {
                queues = Arrays.copyOf(queues, 2 * count);
            }
            queues[count++] = queue;
        }

        /// The number of queues that wait for a channel.
        int count() {
            return count;
        }
    }
}
