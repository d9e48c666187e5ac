package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.client.memcache.Item;
import io.weft.client.memcache.MemcacheClient;
import io.weft.client.memcache.MemcacheClientLimits;
import io.weft.client.memcache.MemcacheFailure;
import io.weft.client.redis.RedisClient;
import io.weft.client.redis.RedisClientLimits;
import io.weft.client.redis.RedisException;
import io.weft.client.redis.RedisListener;
import io.weft.codec.redis.RespValue;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Served;
import io.weft.examples.Soak;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients of Redis and memcached lose their connections at random: what was answered has happened
/// once, what failed as sent at most once, and what failed as not sent never.
class StoresSoakTest {
    private static final int BATCH = 10;
    private static final int BATCHES_OF_A_KEY = 50;

    /// Connections that a test may break.
    private final Queue<Channel> open = new ConcurrentLinkedQueue<>();

    private final ChannelInitializer kept = open::add;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Entries that were added to a list: those that are there for sure, and those that may be.
    private static final class Added {
        final List<String> sure = new ArrayList<>();
        final Set<String> perhaps = new HashSet<>();

        /// Checks the list that the store has.
        void check(List<String> stored) {
            Set<String> distinct = new HashSet<>(stored);
            assertThat(distinct).hasSameSizeAs(stored);
            List<String> expected = new ArrayList<>(stored);
            expected.removeAll(perhaps);
            assertThat(expected).isEqualTo(sure);
        }
    }

    private void breakOne() {
        Channel channel = open.poll();
        if (channel != null) {
            var _ = channel.abort();
        }
    }

    @Test
    void redisKeepsWhatItHasAnswered() throws Exception {
        Soak soak = new Soak("redis");
        Queue<Integer> heard = new ConcurrentLinkedQueue<>();
        RedisListener listener =
                new RedisListener() {
                    @Override
                    public void message(String channel, RespValue message) {
                        heard.add(Integer.parseInt(String.valueOf(message.text())));
                    }
                };
        RedisClientLimits limits =
                RedisClientLimits.DEFAULT.retries(Duration.ofMillis(1), Duration.ofMillis(20));
        try (Served served = Served.start(RedisServer::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1);
                RedisClient redis =
                        RedisClient.builder(group)
                                .address(served.address())
                                .limits(limits)
                                .listener(listener)
                                .first(kept)
                                .start()) {
            redis.send("FLUSHALL").join().close();
            redis.send("SUBSCRIBE", "news").join().close();
            int number = 0;
            while (soak.goesOn()) {
                String key = "list" + soak.step();
                Added added = new Added();
                for (int batch = 0; batch < BATCHES_OF_A_KEY && soak.goesOn(); batch++) {
                    List<Future<RespValue>> replies = new ArrayList<>();
                    int first = number;
                    for (int i = 0; i < BATCH; i++) {
                        replies.add(redis.send("RPUSH", key, "" + number++));
                        if (soak.oneIn(4)) {
                            publish(redis, number);
                        }
                        if (soak.oneIn(100)) {
                            breakOne();
                        }
                    }
                    for (int i = 0; i < BATCH; i++) {
                        record(added, "" + (first + i), replies.get(i));
                    }
                }
                added.check(elements(redis, key));
                redisDelete(redis, key);
            }
            assertThat(new ArrayList<>(heard)).isSorted(); // at most once, in their order
            assertThat(new HashSet<>(heard)).hasSameSizeAs(heard);
            assertThat(heard).isNotEmpty();
        }
    }

    private static void publish(RedisClient redis, int number) {
        var _ =
                redis.send("PUBLISH", "news", "" + number)
                        .addListener(
                                done -> {
                                    RespValue receivers = done.now();
                                    if (receivers != null) {
                                        receivers.close();
                                    }
                                });
    }

    private static void record(Added added, String entry, Future<RespValue> reply) {
        try {
            reply.join().close();
            added.sure.add(entry);
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(RedisException.Disconnected.class);
            if (((RedisException.Disconnected) Objects.requireNonNull(e.getCause())).wasSent()) {
                added.perhaps.add(entry);
            }
        }
    }

    private static List<String> elements(RedisClient redis, String key) {
        while (true) {
            try (RespValue all = redis.send("LRANGE", key, "0", "-1").join()) {
                return all.elements().stream().map(e -> String.valueOf(e.text())).toList();
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(RedisException.Disconnected.class);
            }
        }
    }

    private static void redisDelete(RedisClient redis, String key) {
        try {
            redis.send("DEL", key).join().close();
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(RedisException.Disconnected.class);
        }
    }

    @Test
    void memcachedKeepsWhatItHasAnswered() throws Exception {
        Soak soak = new Soak("memcache");
        MemcacheClientLimits limits =
                MemcacheClientLimits.DEFAULT
                        .timeout(Duration.ofMinutes(5))
                        .retries(Duration.ofMillis(1), Duration.ofMillis(20));
        try (Served served = Served.start(MemcacheServer::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1);
                MemcacheClient cache =
                        MemcacheClient.builder(group)
                                .address(served.address())
                                .limits(limits)
                                .first(kept)
                                .start()) {
            int number = 0;
            while (soak.goesOn()) {
                String key = "list" + soak.step();
                Added added = new Added();
                while (!stored(cache, key)) {
                    Thread.onSpinWait();
                }
                for (int batch = 0; batch < BATCHES_OF_A_KEY && soak.goesOn(); batch++) {
                    List<Future<?>> answers = new ArrayList<>();
                    int first = number;
                    for (int i = 0; i < BATCH; i++) {
                        answers.add(cache.append(key, (number++ + " ").getBytes(UTF_8)));
                        if (soak.oneIn(100)) {
                            breakOne();
                        }
                    }
                    for (int i = 0; i < BATCH; i++) {
                        recordItem(added, "" + (first + i), answers.get(i));
                    }
                }
                added.check(words(cache, key));
            }
        }
    }

    private static boolean stored(MemcacheClient cache, String key) {
        try {
            cache.set(key, "").join();
            return true;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(MemcacheFailure.Disconnected.class);
            return false;
        }
    }

    private static void recordItem(Added added, String entry, Future<?> answer) {
        try {
            answer.join();
            added.sure.add(entry);
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(MemcacheFailure.Disconnected.class);
            if (((MemcacheFailure.Disconnected) Objects.requireNonNull(e.getCause())).wasSent()) {
                added.perhaps.add(entry);
            }
        }
    }

    private static List<String> words(MemcacheClient cache, String key) {
        while (true) {
            try (Item item = cache.get(key).join().orElseThrow()) {
                String text = item.text().strip();
                return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(MemcacheFailure.Disconnected.class);
            }
        }
    }
}
