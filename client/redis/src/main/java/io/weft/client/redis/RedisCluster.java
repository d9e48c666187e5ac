package io.weft.client.redis;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A client of a cluster: a [RedisClient] for each node that it has heard of, of which the slot of
/// a command's first key chooses one.
///
/// Which node has a slot is learned from redirections: MOVED is followed and remembered, ASK
/// followed once. A command that was redirected too often fails with the last redirection. While a
/// node has no connection, another one is asked in its place where its commands must go; those that
/// must go to it wait. One that waits for a node which is forgotten, as more than
/// [RedisClusterLimits#nodes] are known, begins again. A command that a node answers with TRYAGAIN,
/// CLUSTERDOWN or LOADING is repeated after a time.
///
/// A command that has no reply after [RedisClusterLimits#total] fails with
/// [RedisException.TimedOut], or with the last answer if it waits to be repeated.
///
/// **Threads.** Any.
public final class RedisCluster implements AutoCloseable {
    private final EventLoopGroup group;
    private final UnaryOperator<RedisClient.Builder> settings;
    private final RedisClient seed;
    private final InetSocketAddress seedAddress;
    private final RedisClusterLimits limits;

    /// Under this cluster's lock.
    private final Map<InetSocketAddress, RedisClient> nodes = new LinkedHashMap<>();

    /// Under this cluster's lock, too.
    private boolean closed;

    private final AtomicReferenceArray<@Nullable RedisClient> slots =
            new AtomicReferenceArray<>(KeySlot.SLOTS);

    /// @param host of a node that is asked first, and gets commands without a key
    /// @param settings of the client of every node, whose address is set already
    public RedisCluster(
            EventLoopGroup group,
            String host,
            int port,
            UnaryOperator<RedisClient.Builder> settings) {
        this(group, host, port, RedisClusterLimits.DEFAULT, settings);
    }

    /// @param limits of the cluster; those of a node's client are in its settings
    public RedisCluster(
            EventLoopGroup group,
            String host,
            int port,
            RedisClusterLimits limits,
            UnaryOperator<RedisClient.Builder> settings) {
        this.group = group;
        this.settings = settings;
        this.limits = limits;
        seedAddress = InetSocketAddress.createUnresolved(host, port);
        seed = node(seedAddress);
    }

    /// The client of a node on the host of the seed.
    RedisClient node(int port) {
        return node(InetSocketAddress.createUnresolved(seedAddress.getHostString(), port));
    }

    /// The client of a node, which is made if there is none. What the settings throw goes on.
    ///
    /// @throws IllegalStateException when there are too many, or the cluster is closed
    synchronized RedisClient node(InetSocketAddress address) {
        RedisClient known = nodes.get(address);
        if (known == null) {
            if (closed) {
                throw new IllegalStateException("cluster: closed (expected: open)");
            }
            if (nodes.size() == limits.nodes() && !forgetOne()) {
                throw new IllegalStateException(
                        "nodes: "
                                + (limits.nodes() + 1)
                                + " (expected: at most "
                                + limits.nodes()
                                + ")");
            }
            known = settings.apply(RedisClient.builder(group).address(address)).start();
            nodes.put(address, known);
        }
        return known;
    }

    /// Forgets the oldest node without a connection, as of a machine that is gone: clusters move,
    /// and a client may see more machines than there ever are at once. The seed stays.
    private boolean forgetOne() {
        for (var entry : nodes.entrySet()) {
            RedisClient node = entry.getValue();
            if (node != seed && !node.isConnected()) {
                nodes.remove(entry.getKey());
                for (int slot = 0; slot < KeySlot.SLOTS; slot++) {
                    var _ = slots.compareAndSet(slot, node, null);
                }
                node.close();
                return true;
            }
        }
        return false;
    }

    /// Sends a command of texts; as [RedisClient#send(String...)].
    public Future<RespValue> send(String... command) {
        return send(Command.of(command));
    }

    /// Sends a command, which becomes the cluster's, to the node of its first key.
    ///
    /// @throws IllegalArgumentException as [RedisClient#send(Command)]
    public Future<RespValue> send(Command command) {
        Call.requireReply(command);
        return new ClusterCall(this, limits, group.next(), command).begin();
    }

    /// The node for a slot, -1 for a command without a key.
    RedisClient of(int slot) {
        RedisClient known = slot < 0 ? null : slots.get(slot);
        return connected(known == null ? seed : known);
    }

    /// The node that has a slot from now on; as [#node]. It is not forgotten in between, which
    /// would lead the slot to a closed client.
    synchronized RedisClient moved(int slot, InetSocketAddress address) {
        RedisClient node = node(address);
        slots.set(slot, node);
        return node;
    }

    /// Tells if a client of this cluster was closed because other nodes needed its place.
    synchronized boolean hasForgotten(RedisClient node) {
        return !closed && !nodes.containsValue(node);
    }

    /// Returns `wanted`, or when it has no connection another node that has: each knows where slots
    /// have gone.
    private RedisClient connected(RedisClient wanted) {
        if (wanted.isConnected()) {
            return wanted;
        }
        synchronized (this) {
            for (RedisClient other : nodes.values()) {
                if (other.isConnected()) {
                    return other;
                }
            }
        }
        return wanted;
    }

    /// The slot that a redirection names.
    ///
    /// @throws IllegalArgumentException when it names none
    static int slot(String text) {
        int slot = Integer.parseInt(text);
        if (slot < 0 || slot >= KeySlot.SLOTS) {
            throw new IllegalArgumentException("slot: " + slot + " (expected: 0 to 16383)");
        }
        return slot;
    }

    /// The address that a redirection names. An empty host is that of the node that answered: the
    /// seed's, as far as is known.
    ///
    /// @throws IllegalArgumentException when it names none
    InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        int port = Integer.parseInt(text.substring(colon + 1));
        String host = colon <= 0 ? seedAddress.getHostString() : text.substring(0, colon);
        return InetSocketAddress.createUnresolved(host, port);
    }

    /// Closes the clients of all nodes.
    @Override
    public synchronized void close() {
        closed = true;
        nodes.values().forEach(RedisClient::close);
    }
}
