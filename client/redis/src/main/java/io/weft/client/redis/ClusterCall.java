package io.weft.client.redis;

import io.weft.client.pipelined.PipelineLimits;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A command of a cluster on its way to a reply: it follows redirections, is repeated where a node
/// says that it may succeed later, and ends at its deadline.
///
/// Nodes are called without this call's lock: they have locks of their own.
final class ClusterCall {
    private final RedisCluster cluster;
    private final RedisClusterLimits limits;
    private final EventLoop loop;
    private final Command command;
    private final int slot;
    private final Promise<RespValue> promise;

    // Under this call's lock.
    private @Nullable Timeout deadline;
    private @Nullable RedisClient node;
    private @Nullable Future<RespValue> sent;
    private @Nullable Throwable answer;
    private int redirections;
    private long delay;
    private boolean over;

    ClusterCall(RedisCluster cluster, RedisClusterLimits limits, EventLoop loop, Command command) {
        this.cluster = cluster;
        this.limits = limits;
        this.loop = loop;
        this.command = command;
        slot = KeySlot.of(command);
        promise = loop.newPromise();
        delay = PipelineLimits.nanos(limits.firstRetry());
    }

    Future<RespValue> begin() {
        try {
            long total = PipelineLimits.nanos(limits.total());
            Timeout timeout = loop.scheduleCoarse(this::expired, total, TimeUnit.NANOSECONDS);
            synchronized (this) {
                deadline = timeout;
            }
            attempt(cluster.of(slot), false);
        } catch (Throwable e) { // the deadline is armed: it would be told that alone
            fail(e);
        }
        return promise;
    }

    private void attempt(RedisClient to, boolean asking) {
        Command again;
        synchronized (this) {
            if (over) {
                return;
            }
            again = command.share();
        }
        Future<RespValue> next = asking ? to.sendAsking(again) : to.send(again);
        boolean late;
        synchronized (this) {
            node = to;
            sent = next;
            late = over;
        }
        if (late) {
            var _ = next.cancel();
        }
        var _ = next.addListener(this::answered);
    }

    private void answered(Future<RespValue> done) {
        RespValue reply = done.now();
        if (reply == null) {
            failed(done.cause());
        } else if (!end() || !promise.trySuccess(reply)) {
            reply.close();
        }
    }

    /// Goes on behind a failure, or ends with it. Whatever is thrown ends the call: the settings of
    /// a node are the application's.
    private void failed(@Nullable Throwable cause) {
        try {
            if (cause instanceof RedisException.Replied error) {
                // Redis Cluster specification, "Redirection and resharding".
                switch (error.code()) {
                    case "MOVED", "ASK" -> redirect(error);
                    case "TRYAGAIN", "CLUSTERDOWN", "LOADING" -> later(error);
                    default -> fail(error);
                }
            } else if (cause instanceof RedisException.Disconnected lost
                    && !lost.wasSent()
                    && isForgotten()) {
                attempt(cluster.of(slot), false);
            } else {
                fail(cause == null ? new RedisException.Disconnected(false, "unknown") : cause);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private boolean isForgotten() {
        RedisClient last;
        synchronized (this) {
            last = node;
        }
        return last != null && cluster.hasForgotten(last);
    }

    private void redirect(RedisException.Replied error) {
        boolean isTooMuch;
        synchronized (this) {
            isTooMuch = redirections++ >= limits.redirections();
        }
        Redirection to = isTooMuch ? null : Redirection.of(error, cluster);
        if (to == null) {
            fail(error); // it leads nowhere: the caller sees it as it is
        } else if (to.moved()) {
            attempt(cluster.moved(to.slot(), to.address()), false);
        } else {
            attempt(cluster.node(to.address()), true);
        }
    }

    /// The node that has a slot from now on, or is to be asked once.
    private record Redirection(boolean moved, int slot, InetSocketAddress address) {
        static @Nullable Redirection of(RedisException.Replied error, RedisCluster cluster) {
            String[] words = String.valueOf(error.getMessage()).split(" ", -1);
            if (words.length != 3) {
                return null;
            }
            try {
                return new Redirection(
                        words[0].equals("MOVED"),
                        RedisCluster.slot(words[1]),
                        cluster.address(words[2]));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /// Repeats the command after a time, from the node of its slot on.
    private void later(RedisException.Replied error) {
        long wait;
        synchronized (this) {
            answer = error;
            sent = null;
            redirections = 0;
            wait = delay;
            delay = Math.min(2 * wait, PipelineLimits.nanos(limits.lastRetry()));
        }
        var _ = loop.schedule(this::repeat, wait, TimeUnit.NANOSECONDS);
    }

    private void repeat() {
        if (promise.isDone()) {
            var _ = end(); // cancelled
            return;
        }
        try {
            attempt(cluster.of(slot), false);
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void expired() {
        Future<RespValue> open;
        Throwable last;
        RedisClient at;
        synchronized (this) {
            open = sent;
            last = answer;
            at = node;
        }
        if (!end()) {
            return;
        }
        if (open == null && last != null) {
            var _ = promise.tryFailure(last);
            return;
        }
        boolean unsent = open == null || open.cancel();
        if (at != null) {
            at.dropCancelled();
        }
        var _ = promise.tryFailure(new RedisException.TimedOut(!unsent, limits.total(), null));
    }

    private void fail(Throwable cause) {
        if (end()) {
            var _ = promise.tryFailure(cause);
        }
    }

    /// Ends the call, and returns true the first time.
    private boolean end() {
        Timeout timeout;
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            timeout = deadline;
        }
        command.close();
        if (timeout != null) {
            var _ = timeout.cancel();
        }
        return true;
    }
}
