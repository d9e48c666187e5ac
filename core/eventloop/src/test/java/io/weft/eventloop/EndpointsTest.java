package io.weft.eventloop;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class EndpointsTest {
    private static final class Port extends SocketAddress {
        private static final long serialVersionUID = 1L;
    }

    private static final class Ports implements EndpointProvider {
        @Override
        public Class<? extends SocketAddress> addresses() {
            return Port.class;
        }

        @Override
        public ListenHandle listen(
                EventExecutor loop,
                Engine engine,
                SocketAddress address,
                ChannelOptions options,
                ListenEvents events)
                throws IOException {
            throw new IOException("no ports here");
        }

        @Override
        public StreamHandle connect(
                EventExecutor loop,
                Engine engine,
                SocketAddress address,
                ChannelOptions options,
                StreamEvents events)
                throws IOException {
            throw new IOException("no ports here");
        }
    }

    @Test
    void anAddressGoesToTheProviderOfItsClass() {
        Ports ports = new Ports();
        Endpoints endpoints = new Endpoints(List.<EndpointProvider>of(ports).iterator());
        assertThat(endpoints.at(new Port())).isSameAs(ports);
        assertThat(endpoints.at(new InetSocketAddress(0))).isNull();
        assertThat(endpoints.at(LocalAddress.unique())).isNull();
    }

    @Test
    void addressesWithinTheJvmAreServedByDefault() {
        assertThat(Endpoints.FOUND.at(LocalAddress.unique())).isNotNull();
    }

    @Test
    void theFirstProviderOfAClassIsTaken() {
        Ports first = new Ports();
        Iterator<EndpointProvider> both = List.<EndpointProvider>of(first, new Ports()).iterator();
        assertThat(new Endpoints(both).at(new Port())).isSameAs(first);
    }

    @Test
    void aBrokenProviderIsLeftOut() {
        Iterator<EndpointProvider> found =
                new Iterator<>() {
                    private int asked;

                    @Override
                    public boolean hasNext() {
                        return asked < 2;
                    }

                    @Override
                    public EndpointProvider next() {
                        if (asked++ == 0) {
                            throw new ServiceConfigurationError("on purpose");
                        }
                        return new Ports();
                    }
                };
        assertThat(new Endpoints(found).at(new Port())).isNotNull();
    }
}
