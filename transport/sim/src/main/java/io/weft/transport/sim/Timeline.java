package io.weft.transport.sim;

import java.util.PriorityQueue;

/// Later actions of the network and the script, in the order of time; of those due at the same
/// time, the first planned first.
final class Timeline {
    private record Planned(long time, long order, Runnable action) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Planned> planned = new PriorityQueue<>();
    private long order;

    void at(long time, Runnable action) {
        planned.add(new Planned(time, order++, action));
    }

    /// When the next is due; `Long.MAX_VALUE` when there is none.
    long next() {
        Planned first = planned.peek();
        return first == null ? Long.MAX_VALUE : first.time;
    }

    /// Runs the first that is due at `now`.
    ///
    /// @return false when there is none
    boolean runNext(long now) {
        Planned first = planned.peek();
        if (first == null || first.time > now) {
            return false;
        }
        planned.remove();
        first.action.run();
        return true;
    }
}
