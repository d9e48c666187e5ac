package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.EventExecutor;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Those who hear each other in a chat, each on the loop of its connection.
///
/// A message goes to each loop in one task. There, whoever takes no more misses it: a connection
/// knows exactly on its loop alone how much waits to be sent, as encoders make bytes there. A
/// member whose messages the other loops have not dealt with is not read from meanwhile.
final class Crowd<T> {
    /// Tasks of one member that may be under way, more than that by one batch of input.
    private static final int MOST = 64;

    private final Map<EventExecutor, Set<T>> loops = new ConcurrentHashMap<>();

    /// Adds one who is told from now on. To be called on its loop, as all of the member's methods.
    ///
    /// @param reading called on the loop, with false to stop reading from it
    Member join(T one, EventExecutor loop, Consumer<Boolean> reading) {
        loops.computeIfAbsent(loop, _ -> ConcurrentHashMap.newKeySet()).add(one);
        return new Member(one, loop, reading);
    }

    /// Adds the channel of a handler, which suspends reading where that is asked for.
    static Crowd<Channel>.Member join(Crowd<Channel> crowd, ChannelHandlerContext ctx) {
        return crowd.join(
                ctx.channel(),
                ctx.eventLoop(),
                on -> {
                    if (on) {
                        ctx.resumeReading();
                    } else {
                        ctx.suspendReading();
                    }
                });
    }

    /// One of them.
    final class Member {
        private final T one;
        private final EventExecutor loop;
        private final Consumer<Boolean> reading;
        private final AtomicInteger underWay = new AtomicInteger();
        private volatile boolean held;

        private Member(T one, EventExecutor loop, Consumer<Boolean> reading) {
            this.one = one;
            this.loop = loop;
            this.reading = reading;
        }

        void leave() {
            Set<T> here = loops.get(loop);
            if (here != null) {
                here.remove(one);
            }
        }

        /// Calls `say` for each of them, on its loop.
        void tell(Consumer<T> say) {
            loops.forEach(
                    (there, members) -> {
                        if (there == loop) {
                            members.forEach(say);
                        } else {
                            send(there, () -> members.forEach(say));
                        }
                    });
            if (underWay.get() > MOST) {
                held = true;
                reading.accept(false);
                if (underWay.get() == 0) {
                    goOn();
                }
            }
        }

        private void send(EventExecutor there, Runnable task) {
            underWay.incrementAndGet();
            try {
                there.execute(
                        () -> {
                            try {
                                task.run();
                            } finally {
                                ended();
                            }
                        });
            } catch (RejectedExecutionException e) {
                ended(); // that loop is behind: all there miss the message
            }
        }

        private void ended() {
            if (underWay.decrementAndGet() == 0 && held) {
                try {
                    loop.executeUnbounded(this::goOn);
                } catch (RejectedExecutionException e) {
                    // The loop has ended, and the connection with it.
                }
            }
        }

        private void goOn() {
            held = false;
            reading.accept(true);
        }
    }
}
