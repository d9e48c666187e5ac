package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.client.HttpClientException.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The choice among connections that lie idle.
class ConnectionPoolTest {
    private static final Route ROUTE = new Route(new Origin(false, "s", 80), null);

    private final ConnectionPool pool =
            new ConnectionPool(
                    (_, p, waiter) -> p.connected(new Kept(), waiter), HttpClientLimits.DEFAULT);
    private final List<Kept> lent = new ArrayList<>();

    private static final class Kept implements ClientConnection {
        boolean near;

        @Override
        public Route route() {
            return ROUTE;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isNear() {
            return near;
        }

        @Override
        public int capacity() {
            return 1;
        }

        @Override
        public void run(ClientExchange exchange) {}

        @Override
        public void rests() {}

        @Override
        public void close() {}
    }

    private Kept acquire() {
        pool.acquire(
                ROUTE,
                false,
                new ConnectionPool.Waiter() {
                    @Override
                    public void acquired(ClientConnection connection, boolean fresh) {
                        lent.add((Kept) connection);
                    }

                    @Override
                    public void refused(HttpClientException cause) {
                        throw new AssertionError(cause);
                    }

                    @Override
                    public void connecting(Stage stage) {}
                });
        return lent.getLast();
    }

    private List<Kept> idle(int count) {
        for (int i = 0; i < count; i++) {
            acquire();
        }
        List<Kept> all = List.copyOf(lent);
        all.forEach(pool::release);
        return all;
    }

    @Test
    void takesTheConnectionThatWasUsedLast() {
        assertThat(acquire()).isNotSameAs(acquire());
        List<Kept> all = List.copyOf(lent);
        all.forEach(pool::release);
        assertThat(acquire()).isSameAs(all.getLast());
    }

    @Test
    void prefersConnectionsOfTheCallersLoop() {
        List<Kept> all = idle(4);
        all.get(0).near = true;
        all.get(2).near = true;
        assertThat(acquire()).isSameAs(all.get(2));
        assertThat(acquire()).isSameAs(all.get(0));
        assertThat(acquire()).isSameAs(all.get(3));
        assertThat(acquire()).isSameAs(all.get(1));
    }

    @Test
    void looksAtFewConnectionsOnly() {
        List<Kept> all = idle(100);
        all.getFirst().near = true;
        assertThat(acquire()).isSameAs(all.getLast());
    }
}
