package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Futures;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Channels, and the listeners they came from, to be written to or closed together; such as all
/// members of a chat room. A channel leaves the group when it closes. Any thread.
///
/// Predicates and functions are called on the calling thread; of a channel they may ask what any
/// thread may.
public final class ChannelGroup implements Iterable<Channel> {
    private static final AttributeKey<Set<ChannelGroup>> GROUPS = AttributeKey.of("groups");

    private final EventExecutor executor;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final Set<ServerChannel> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// @param executor what listeners of the group's futures run on
    public ChannelGroup(EventExecutor executor) {
        this.executor = executor;
    }

    /// Every channel but `channel`: all others in the room.
    public static Predicate<Channel> except(Channel channel) {
        return other -> other != channel;
    }

    // ---- who is in it ----

    /// Adds an open channel; one that comes after the group was [closed][#close] is closed.
    ///
    /// @return false when it was in the group
    public boolean add(Channel channel) {
        if (!channels.add(channel)) {
            return false;
        }
        channel.attributes().computeIfAbsent(GROUPS, () -> groupsOf(channel)).add(this);
        if (channel.closeFuture().isDone()) {
            channels.remove(channel); // it may not have looked for this group
        }
        if (closed) {
            var _ = channel.close();
        }
        return true;
    }

    /// One listener for all groups: a channel may come and go as often as it likes.
    private static Set<ChannelGroup> groupsOf(Channel channel) {
        Set<ChannelGroup> groups = ConcurrentHashMap.newKeySet();
        var _ =
                channel.closeFuture()
                        .addListener(_ -> groups.forEach(group -> group.channels.remove(channel)));
        return groups;
    }

    /// Adds a listener, to be closed with the group and before the channels.
    public boolean add(ServerChannel listener) {
        if (!listeners.add(listener)) {
            return false;
        }
        var _ = listener.closeFuture().addListener(_ -> listeners.remove(listener));
        if (closed) {
            var _ = listener.close();
        }
        return true;
    }

    /// @return false when it was not in the group
    public boolean remove(Channel channel) {
        Set<ChannelGroup> groups = channel.attributes().get(GROUPS);
        if (groups != null) {
            groups.remove(this);
        }
        return channels.remove(channel);
    }

    public boolean contains(Channel channel) {
        return channels.contains(channel);
    }

    /// Returns the number of channels. A snapshot.
    public int size() {
        return channels.size();
    }

    /// Iterates over the channels in the group now; channels that come or leave meanwhile may be
    /// missed or seen.
    @Override
    public Iterator<Channel> iterator() {
        return channels.iterator();
    }

    // ---- writing ----

    /// Writes a message to all channels and flushes them, and takes ownership of it. The message is
    /// a buffer, whose readable bytes all channels share read-only, or an object that owns nothing.
    ///
    /// @return fails when a channel could not be written to, after all others have been
    public Future<Void> broadcast(Object message) {
        return broadcast(message, _ -> true);
    }

    /// As [#broadcast(Object)], to channels that match.
    public Future<Void> broadcast(Object message, Predicate<? super Channel> to) {
        if (message instanceof Buffer buffer) {
            try (buffer) {
                return broadcastEach(_ -> buffer.asReadOnly(), to);
            }
        }
        if (message instanceof AutoCloseable) {
            Messages.release(message);
            throw new IllegalArgumentException(
                    "message: "
                            + message.getClass().getName()
                            + " (expected: a Buffer or one that owns nothing; see broadcastEach)");
        }
        return broadcastEach(_ -> message, to);
    }

    /// Writes a message of its own to each channel that matches, and flushes them.
    ///
    /// @param messages makes the message for a channel
    /// @return as [#broadcast(Object)]
    public Future<Void> broadcastEach(
            Function<? super Channel, ?> messages, Predicate<? super Channel> to) {
        List<Future<Void>> parts = new ArrayList<>();
        for (Channel channel : channels) {
            if (to.test(channel)) {
                Promise<Void> written = channel.newPromise();
                parts.add(written);
                try {
                    channel.writeAndFlush(messages.apply(channel), written);
                } catch (Throwable t) {
                    written.tryFailure(t); // the other channels get theirs
                }
            }
        }
        return all(parts);
    }

    // ---- closing ----

    /// Closes the group: its listeners, then its channels, in order, and all that are added later.
    ///
    /// @return succeeds when all are closed
    public Future<Void> close() {
        closed = true;
        List<Future<Void>> parts = new ArrayList<>();
        listeners.forEach(listener -> parts.add(listener.close()));
        channels.forEach(channel -> parts.add(channel.close()));
        return all(parts);
    }

    /// Closes channels that match, in order.
    ///
    /// @return succeeds when these are closed
    public Future<Void> close(Predicate<? super Channel> which) {
        List<Future<Void>> parts = new ArrayList<>();
        for (Channel channel : channels) {
            if (which.test(channel)) {
                parts.add(channel.close());
            }
        }
        return all(parts);
    }

    private Future<Void> all(List<Future<Void>> parts) {
        Promise<Void> all = executor.newPromise();
        var _ =
                Futures.all(executor, parts)
                        .addListener(
                                outcome -> {
                                    Throwable cause = outcome.cause();
                                    boolean _ =
                                            cause == null
                                                    ? all.trySuccess(null)
                                                    : all.tryFailure(cause);
                                });
        return all;
    }

    @Override
    public String toString() {
        return "ChannelGroup[" + channels.size() + " channels, " + listeners.size() + " listeners]";
    }
}
