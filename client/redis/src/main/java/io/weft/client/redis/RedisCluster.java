package io.weft.client.redis;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
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
/// followed once. A command that was redirected six times fails with the last redirection. While a
/// node has no connection, another one is asked in its place where its commands must go; those that
/// must go to it wait.
///
/// **Threads.** Any.
public final class RedisCluster implements AutoCloseable {
    private static final int MAX_REDIRECTIONS = 5;

    private final EventLoopGroup group;
    private final UnaryOperator<RedisClient.Builder> settings;
    private final RedisClient seed;
    private final InetSocketAddress seedAddress;
    private final int maxNodes;

    /// Under this cluster's lock.
    private final Map<InetSocketAddress, RedisClient> nodes = new LinkedHashMap<>();

    private final AtomicReferenceArray<@Nullable RedisClient> slots =
            new AtomicReferenceArray<>(KeySlot.SLOTS);

    /// @param host of a node that is asked first, and gets commands without a key
    /// @param settings of the client of every node, whose address is set already
    public RedisCluster(
            EventLoopGroup group,
            String host,
            int port,
            UnaryOperator<RedisClient.Builder> settings) {
        this(group, host, port, 256, settings);
    }

    /// @param maxNodes that are connected to, at most: a server could name any
    public RedisCluster(
            EventLoopGroup group,
            String host,
            int port,
            int maxNodes,
            UnaryOperator<RedisClient.Builder> settings) {
        if (maxNodes < 1) {
            throw new IllegalArgumentException("maxNodes: " + maxNodes + " (expected: >= 1)");
        }
        this.group = group;
        this.settings = settings;
        this.maxNodes = maxNodes;
        seedAddress = InetSocketAddress.createUnresolved(host, port);
        seed = node(seedAddress);
    }

    /// The client of a node on the host of the seed.
    RedisClient node(int port) {
        return node(InetSocketAddress.createUnresolved(seedAddress.getHostString(), port));
    }

    private synchronized RedisClient node(InetSocketAddress address) {
        RedisClient known = nodes.get(address);
        if (known == null) {
            if (nodes.size() == maxNodes) {
                throw new IllegalStateException(
                        "nodes: " + (maxNodes + 1) + " (expected: at most " + maxNodes + ")");
            }
            known = settings.apply(RedisClient.builder(group).address(address)).start();
            nodes.put(address, known);
        }
        return known;
    }

    /// Sends a command of texts; as [RedisClient#send(String...)].
    public Future<RespValue> send(String... command) {
        return send(Command.of(command));
    }

    /// Sends a command, which becomes the cluster's, to the node of its first key.
    public Future<RespValue> send(Command command) {
        int slot = KeySlot.of(command);
        RedisClient known = slot < 0 ? null : slots.get(slot);
        Promise<RespValue> promise = group.next().newPromise();
        RedisClient node = connected(known == null ? seed : known);
        follow(node.send(command.share()), command, promise, MAX_REDIRECTIONS);
        return promise;
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

    private void follow(
            Future<RespValue> sent, Command command, Promise<RespValue> promise, int redirections) {
        var _ =
                sent.addListener(
                        done -> {
                            RespValue reply = done.now();
                            if (reply != null) {
                                command.close();
                                if (!promise.trySuccess(reply)) {
                                    reply.close();
                                }
                            } else {
                                failed(done.cause(), command, promise, redirections);
                            }
                        });
    }

    private void failed(
            @Nullable Throwable cause,
            Command command,
            Promise<RespValue> promise,
            int redirections) {
        try {
            if (redirections > 0 && cause instanceof RedisException.Replied error) {
                String[] words = String.valueOf(error.getMessage()).split(" ", -1);
                boolean moved = words[0].equals("MOVED");
                if (words.length == 3 && (moved || words[0].equals("ASK"))) {
                    RedisClient node = node(address(words[2]));
                    if (moved) {
                        slots.set(slot(words[1]), node);
                    }
                    Command again = command.share();
                    follow(
                            moved ? node.send(again) : node.send(Command.of("ASKING"), again),
                            command,
                            promise,
                            redirections - 1);
                    return;
                }
            }
        } catch (IllegalArgumentException e) {
            // It leads nowhere: the caller sees it as it is.
        } catch (IllegalStateException e) {
            command.close();
            var _ = promise.tryFailure(e);
            return;
        }
        command.close();
        var _ =
                promise.tryFailure(
                        cause == null ? new RedisException.Disconnected(false, "unknown") : cause);
    }

    private static int slot(String text) {
        int slot = Integer.parseInt(text);
        if (slot < 0 || slot >= KeySlot.SLOTS) {
            throw new IllegalArgumentException("slot: " + slot + " (expected: 0 to 16383)");
        }
        return slot;
    }

    /// An empty host is that of the node that answered: the seed's, as far as is known.
    private InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        int port = Integer.parseInt(text.substring(colon + 1));
        String host = colon <= 0 ? seedAddress.getHostString() : text.substring(0, colon);
        return InetSocketAddress.createUnresolved(host, port);
    }

    /// Closes the clients of all nodes.
    @Override
    public synchronized void close() {
        nodes.values().forEach(RedisClient::close);
    }
}
