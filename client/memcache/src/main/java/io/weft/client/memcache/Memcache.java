package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.Opcode;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A cache: the commands of one server, [MemcacheClient], or of several, [MemcacheRing].
///
/// Keys are 1 to 250 bytes in UTF-8 without spaces and controls, as memcached and its text protocol
/// have them: others are refused with an [IllegalArgumentException] before anything is sent. An
/// expiry of zero is none; it is rounded up to seconds. Commands that change an item answer with
/// [BinaryStatus#OK], or with `KEY_NOT_FOUND`, `KEY_EXISTS` or `NOT_STORED`; other statuses fail
/// the future with [MemcacheFailure.Refused], and the end of the connection or of the time with the
/// other failures.
///
/// **Ownership.** Items belong to their receiver, who closes them.
///
/// **Threads.** Any. Listeners of futures run on a loop of the group.
public abstract sealed class Memcache implements AutoCloseable
        permits MemcacheClient, MemcacheRing {
    /// Longer expiries are dates for memcached.
    private static final long MONTH_SECONDS = 30L * 24 * 60 * 60;

    private static final int MAX_KEY = 250;
    private static final int NO_CREATION = -1;

    Memcache() {}

    /// Sends a request, which becomes the cache's.
    ///
    /// @param reader makes the answer of a message; null if another one follows
    abstract <T> Future<T> send(
            BinaryMessage.Builder request, byte[] key, Function<BinaryMessage, @Nullable T> reader);

    abstract <T> Promise<T> newPromise();

    /// Gets an item; empty if there is none.
    public Future<Optional<Item>> get(String key) {
        return send(BinaryMessage.request(Opcode.GET), key(key), Answers::item);
    }

    /// Gets the items that are there, by their keys. If one key fails, all do.
    public Future<Map<String, Item>> get(Collection<String> keys) {
        Set<String> all = new LinkedHashSet<>(keys);
        for (String key : all) {
            var _ = key(key); // before the first is sent
        }
        Gathered gathered = new Gathered(all.size(), newPromise());
        for (String key : all) {
            var _ = get(key).addListener(done -> gathered.add(key, done));
        }
        return gathered.promise();
    }

    /// Gets an item, whose expiry begins anew.
    public Future<Optional<Item>> getAndTouch(String key, Duration expiry) {
        return send(
                BinaryMessage.request(Opcode.GAT).extras(seconds(expiry)), key(key), Answers::item);
    }

    /// Stores a text, without an expiry.
    public Future<BinaryStatus> set(String key, String value) {
        return set(key, bytes(value), 0, Duration.ZERO);
    }

    /// Stores a value.
    ///
    /// @param flags a number that comes back with it
    public Future<BinaryStatus> set(String key, byte[] value, int flags, Duration expiry) {
        return store(Opcode.SET, key, value, flags, expiry, 0);
    }

    /// Stores a value where there is none, else `KEY_EXISTS`.
    public Future<BinaryStatus> add(String key, byte[] value, int flags, Duration expiry) {
        return store(Opcode.ADD, key, value, flags, expiry, 0);
    }

    /// Stores a value where there is one, else `KEY_NOT_FOUND`.
    public Future<BinaryStatus> replace(String key, byte[] value, int flags, Duration expiry) {
        return store(Opcode.REPLACE, key, value, flags, expiry, 0);
    }

    /// Stores a value where nobody has since [Item#cas] was read, else `KEY_EXISTS`.
    ///
    /// @throws IllegalArgumentException for version 0, which no item has
    public Future<BinaryStatus> replaceIf(
            long cas, String key, byte[] value, int flags, Duration expiry) {
        if (cas == 0) {
            throw new IllegalArgumentException("cas: 0 (expected: the version of an item)");
        }
        return store(Opcode.SET, key, value, flags, expiry, cas);
    }

    private Future<BinaryStatus> store(
            Opcode opcode, String key, byte[] value, int flags, Duration expiry, long cas) {
        return send(
                BinaryMessage.request(opcode).extras(flags, seconds(expiry)).cas(cas).value(value),
                key(key),
                Answers::outcome);
    }

    /// Puts bytes behind a value, else `NOT_STORED`.
    public Future<BinaryStatus> append(String key, byte[] value) {
        return send(BinaryMessage.request(Opcode.APPEND).value(value), key(key), Answers::outcome);
    }

    /// Puts bytes before a value, else `NOT_STORED`.
    public Future<BinaryStatus> prepend(String key, byte[] value) {
        return send(BinaryMessage.request(Opcode.PREPEND).value(value), key(key), Answers::outcome);
    }

    /// Deletes an item, else `KEY_NOT_FOUND`.
    public Future<BinaryStatus> delete(String key) {
        return send(BinaryMessage.request(Opcode.DELETE), key(key), Answers::outcome);
    }

    /// Begins the expiry of an item anew, else `KEY_NOT_FOUND`.
    public Future<BinaryStatus> touch(String key, Duration expiry) {
        return send(
                BinaryMessage.request(Opcode.TOUCH).extras(seconds(expiry)),
                key(key),
                Answers::outcome);
    }

    /// Adds to a number that is there: unsigned, modulo 2^64.
    ///
    /// @return the sum; empty if there is no item
    public Future<OptionalLong> increment(String key, long by) {
        return count(Opcode.INCREMENT, key, by, 0, NO_CREATION);
    }

    /// Adds to a number, or stores `initial` where there is none.
    public Future<OptionalLong> increment(String key, long by, long initial, Duration expiry) {
        return count(Opcode.INCREMENT, key, by, initial, seconds(expiry));
    }

    /// Subtracts from a number that is there, down to 0.
    ///
    /// @return the difference; empty if there is no item
    public Future<OptionalLong> decrement(String key, long by) {
        return count(Opcode.DECREMENT, key, by, 0, NO_CREATION);
    }

    /// Subtracts from a number, or stores `initial` where there is none.
    public Future<OptionalLong> decrement(String key, long by, long initial, Duration expiry) {
        return count(Opcode.DECREMENT, key, by, initial, seconds(expiry));
    }

    private Future<OptionalLong> count(
            Opcode opcode, String key, long by, long initial, int seconds) {
        return send(
                BinaryMessage.request(opcode).extras(by, initial, seconds),
                key(key),
                Answers::number);
    }

    /// @throws IllegalArgumentException for a key that a line of text cannot have
    static byte[] key(String text) {
        byte[] key = bytes(text);
        int wrong = 0;
        for (byte b : key) {
            wrong += (b >= 0 && b <= ' ') || b == 0x7F ? 1 : 0;
        }
        if (key.length == 0 || key.length > MAX_KEY || wrong > 0) {
            throw new IllegalArgumentException(
                    "key: "
                            + key.length
                            + " bytes, spaces and controls "
                            + wrong
                            + " (expected: 1 to 250 bytes, without those)");
        }
        return key;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// @throws IllegalArgumentException for a negative one
    static int seconds(Duration expiry) {
        if (expiry.isNegative()) {
            throw new IllegalArgumentException("expiry: " + expiry + " (expected: >= 0)");
        }
        // Bounded before anything is added to it.
        long seconds =
                Math.min(expiry.getSeconds(), Integer.MAX_VALUE) + (expiry.getNano() > 0 ? 1 : 0);
        if (seconds > MONTH_SECONDS) {
            seconds += System.currentTimeMillis() / 1000;
        }
        return (int) Math.min(seconds, Integer.MAX_VALUE);
    }

    /// Sends the requests that were accepted, closes the connections when all are on their way, and
    /// fails those without an answer. A server that takes nothing for ten seconds
    /// ([ChannelOption#CLOSE_TIMEOUT][io.weft.engine.ChannelOption#CLOSE_TIMEOUT]) is left before.
    /// Requests without a connection fail at once. Does not wait for any of that.
    @Override
    public abstract void close();
}
