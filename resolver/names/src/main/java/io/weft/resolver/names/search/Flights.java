package io.weft.resolver.names.search;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.NameResolver.Answers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/// Searches under way, one for each name and port. Whoever asks for the same waits for it.
///
/// A caller that cancels leaves. When the last has left, the search is cancelled; but not if it has
/// found something already, and its end is of use ([Ending]).
///
/// The lock of the flights is never held while callers or resolvers are called.
public final class Flights {
    /// Told of the end of each search, on its leader's executor, before those who wait for it.
    public interface Ending {
        void ended(Flight flight, Outcome outcome, Future<Void> search);
    }

    private record Key(String host, int port) {}

    private final NameResolver resolver;
    private final int maxFlights;
    private final int maxWaiting;
    private final boolean keepsOn;
    private final Ending ending;
    private final Map<Key, Flight> flights = new HashMap<>();

    /// @param keepsOn a search that has found something goes on when nobody waits for it
    public Flights(
            NameResolver resolver, int maxFlights, int maxWaiting, boolean keepsOn, Ending ending) {
        this.resolver = resolver;
        this.maxFlights = maxFlights;
        this.maxWaiting = maxWaiting;
        this.keepsOn = keepsOn;
        this.ending = ending;
    }

    public Future<Void> join(String host, int port, EventExecutor executor, Answers answers) {
        Waiter waiter = new Waiter(executor, answers);
        Key key = new Key(host, port);
        Flight flight;
        boolean begins;
        synchronized (this) {
            Flight known = flights.get(key);
            String full = null;
            if (known == null && flights.size() >= maxFlights) {
                full = "searches: " + maxFlights + " under way (expected: < " + maxFlights + ")";
            } else if (known != null && known.waiting() >= maxWaiting) {
                full = host + ": " + maxWaiting + " wait (expected: < " + maxWaiting + ")";
            }
            if (full != null) {
                waiter.promise.tryFailure(new RejectedExecutionException(full));
                return waiter.promise;
            }
            flight = known == null ? new Flight(this, host, port, executor) : known;
            begins = known == null;
            flights.put(key, flight);
            flight.add(waiter);
            if (!begins && flight.isLeaderGone() && !executor.isShuttingDown()) {
                flight.lead(executor); // its search may never end
                begins = true;
            }
        }
        var _ =
                waiter.promise.addListener(
                        outcome -> {
                            if (!outcome.isSuccess()) {
                                leave(flight, waiter);
                            }
                        });
        waiter.run();
        if (begins) {
            flight.begin(resolver);
        }
        return waiter.promise;
    }

    private void leave(Flight flight, Waiter waiter) {
        synchronized (this) {
            if (!flight.removeAndTellIfLast(waiter) || (keepsOn && flight.hasAnswer())) {
                return;
            }
            remove(flight);
        }
        flight.cancel();
    }

    /// Under the lock.
    void remove(Flight flight) {
        flights.remove(new Key(flight.host, flight.port), flight);
    }

    /// Under the lock.
    boolean isCurrent(Flight flight) {
        return flights.get(new Key(flight.host, flight.port)) == flight;
    }

    void ended(Flight flight, Outcome outcome, Future<Void> search) {
        ending.ended(flight, outcome, search);
    }

    /// Returns the number of searches under way.
    public synchronized int size() {
        return flights.size();
    }
}
