package io.weft.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.transport.sim.CloseOrder.Event;
import io.weft.transport.sim.CloseOrder.Manner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// All orders of up to six events around the end of a connection keep what an orderly close
/// promises (design document 0018).
///
/// Orders with an event that cannot change anything any more are left out. Short orders happen in
/// all manners, long ones in one. Each reset destroys what has not been read: the most that a
/// network may do.
class CloseOrdersTest {
    private static final int LONGEST = Integer.getInteger("io.weft.closeOrders.length", 6);

    /// Orders up to this length happen in all manners.
    private static final int ALL_MANNERS = 4;

    private static final int RUNS_A_SIMULATION = 500;
    private static final Faults FAULTS =
            Faults.none()
                    .with(Fault.RESET_OVERTAKES, 1)
                    .with(Fault.PARTIAL_SEND, 0.2)
                    .with(Fault.DEFERRED_SEND, 0.5)
                    .with(Fault.SPURIOUS_SEND, 0.1)
                    .with(Fault.REORDER, 0.5)
                    .with(Fault.LATE_CLOSE, 0.3);

    private final List<Manner> manners = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final long firstSeed = Simulation.seed();
    private long seed = firstSeed;
    private Simulation sim = new Simulation(seed, FAULTS);
    private CloseOrder network = new CloseOrder(sim);
    private int orders;
    private int runs;

    CloseOrdersTest() {
        for (int bits = 0; bits < 8; bits++) {
            manners.add(new Manner((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
        }
    }

    @Test
    void everyOrderOfEventsKeepsWhatIsPromised() {
        extend(new ArrayList<>());
        sim.close();
        System.out.println("orders: " + orders + ", connections: " + runs);
        assertThat(broken).as("%d of %d, first seed %d", broken.size(), runs, firstSeed).isEmpty();
    }

    private void extend(List<Event> order) {
        if (order.size() == LONGEST) {
            return;
        }
        for (Event next : Event.values()) {
            if (matters(next, order)) {
                order.add(next);
                check(order);
                extend(order);
                order.removeLast();
            }
        }
    }

    /// Tells if `next` can make a difference after `order`.
    private static boolean matters(Event next, List<Event> order) {
        boolean aborted = order.contains(Event.ABORT);
        boolean peerEnded = order.contains(Event.RESET) || order.contains(Event.END);
        return switch (next) {
            case WRITE -> !aborted && count(Event.WRITE, order) < 2;
            case FLUSH -> order.lastIndexOf(Event.WRITE) > order.lastIndexOf(Event.FLUSH);
            case CLOSE -> !aborted && count(Event.CLOSE, order) < 2;
            case SHUT -> !aborted && !order.contains(Event.CLOSE) && !order.contains(Event.SHUT);
            case DATA -> !peerEnded && count(Event.DATA, order) < 2;
            case END -> !peerEnded;
            case ABORT, RESET, CUT -> !order.contains(next);
        };
    }

    private static long count(Event event, List<Event> order) {
        return order.stream().filter(e -> e == event).count();
    }

    private void check(List<Event> order) {
        orders++;
        if (order.size() <= ALL_MANNERS) {
            manners.forEach(manner -> check(order, manner));
        } else {
            check(order, manners.get(orders % manners.size()));
        }
    }

    private void check(List<Event> order, Manner manner) {
        if (++runs % RUNS_A_SIMULATION == 0) {
            sim.close();
            seed++;
            sim = new Simulation(seed, FAULTS);
            network = new CloseOrder(sim);
        }
        String what = network.broken(order, manner);
        if (what != null && broken.size() < 20) {
            broken.add(order + ", " + manner + ", seed " + seed + ": " + what);
        }
    }
}
