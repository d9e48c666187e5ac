package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Several servers, of which the key of a request chooses one: by consistent hashing as libketama
/// does, so that with another server most keys stay where they are.
///
/// A server that is away keeps its keys: requests for it fail, those of others do not.
public final class MemcacheRing extends Memcache {
    /// As many servers, at most.
    private static final int MAX_SERVERS = 1024;

    private final EventLoopGroup group;
    private final List<MemcacheClient> clients = new ArrayList<>();
    private final Continuum continuum;

    /// @param servers their order does not matter
    /// @param settings of the client of every server, whose address is set already
    /// @throws IllegalArgumentException when there is none, one comes twice, or there are more than
    ///     1,024
    public MemcacheRing(
            EventLoopGroup group,
            List<InetSocketAddress> servers,
            UnaryOperator<MemcacheClient.Builder> settings) {
        long distinct = servers.stream().distinct().count();
        if (servers.isEmpty() || servers.size() > MAX_SERVERS || distinct < servers.size()) {
            throw new IllegalArgumentException(
                    "servers: "
                            + servers.size()
                            + " (expected: 1 to "
                            + MAX_SERVERS
                            + ", each once)");
        }
        this.group = group;
        continuum =
                new Continuum(
                        servers.stream()
                                .map(s -> Continuum.name(s.getHostString(), s.getPort()))
                                .toList());
        for (InetSocketAddress server : servers) {
            clients.add(settings.apply(MemcacheClient.builder(group).address(server)).start());
        }
    }

    /// The client of the server that has a key.
    public MemcacheClient client(String key) {
        return clients.get(continuum.server(key(key)));
    }

    /// The clients of all servers, in their order.
    public List<MemcacheClient> clients() {
        return List.copyOf(clients);
    }

    @Override
    <T> Future<T> send(
            BinaryMessage.Builder request,
            byte[] key,
            Function<BinaryMessage, @Nullable T> reader) {
        return clients.get(continuum.server(key)).send(request, key, reader);
    }

    @Override
    <T> Promise<T> newPromise() {
        return group.next().newPromise();
    }

    @Override
    public void close() {
        clients.forEach(MemcacheClient::close);
    }
}
