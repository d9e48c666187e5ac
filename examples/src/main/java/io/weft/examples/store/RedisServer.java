package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.CommandTable;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.redis.RedisServerHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A Redis in memory: strings, lists, hashes, sets, expiry, publish and subscribe, in both versions
/// of the protocol, with `--tls` over TLS. Try it with `redis-cli -p 6380`.
public final class RedisServer {
    /// One command of the table.
    interface Action {
        /// Returns the reply; null if there is none.
        @Nullable RespValue run(RedisConnection connection, Command command);
    }

    /// @param arity words of the command, as Redis has it: negative for at least so many
    record Entry(int arity, Action action) {
        boolean takes(Command command) {
            return arity < 0 ? command.size() >= -arity : command.size() == arity;
        }
    }

    private static final RedisKeyspace KEYS = new RedisKeyspace(System::currentTimeMillis);
    static final RedisTopics TOPICS = new RedisTopics();
    static final CommandTable<Entry> COMMANDS = new CommandTable<>(commands());

    private RedisServer() {}

    public static void main(String[] args) {
        Example.main(6380, args, RedisServer::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                channel -> RedisServerHandler.addTo(channel.pipeline(), RedisConnection::new));
    }

    static SimpleError error(String text) {
        return new SimpleError(text);
    }

    static String text(Command command, int index) {
        return new String(command.bytes(index), ISO_8859_1);
    }

    static RespValue echo(Command command) {
        return new Bulk(command.argument(1));
    }

    private static RespValue bulk(byte @Nullable [] bytes) {
        return bytes == null ? Null.BULK : RedisTopics.bulk(bytes);
    }

    private static RespValue bulks(List<byte[]> all) {
        return new Array(all.stream().map(RedisServer::bulk).toList());
    }

    private static Int count(boolean yes) {
        return new Int(yes ? 1 : 0);
    }

    private static List<byte[]> rest(Command command, int from) {
        List<byte[]> values = new ArrayList<>();
        for (int i = from; i < command.size(); i++) {
            values.add(command.bytes(i));
        }
        return values;
    }

    private static List<String> texts(Command command, int from) {
        return rest(command, from).stream().map(b -> new String(b, ISO_8859_1)).toList();
    }

    private static Map<String, Entry> commands() {
        Map<String, Entry> table = new HashMap<>();
        connections(table);
        keys(table);
        strings(table);
        aggregates(table);
        return table;
    }

    private static void connections(Map<String, Entry> table) {
        table.put("PING", new Entry(-1, RedisConnection::ping));
        table.put("ECHO", new Entry(2, (_, c) -> echo(c)));
        table.put("HELLO", new Entry(-1, RedisConnection::hello));
        table.put("SELECT", new Entry(2, (_, c) -> select(c)));
        table.put("CLIENT", new Entry(-2, (_, c) -> client(c)));
        table.put("COMMAND", new Entry(-1, (_, _) -> Array.EMPTY));
        table.put("CONFIG", new Entry(-2, (_, _) -> RespValue.Map.EMPTY));
        table.put("INFO", new Entry(-1, (_, _) -> Bulk.of("redis_version:7.0.0\r\n")));
        table.put(
                "QUIT",
                new Entry(
                        -1,
                        (connection, _) -> {
                            connection.close();
                            return SimpleString.OK;
                        }));
        table.put("SUBSCRIBE", new Entry(-2, (c, command) -> c.subscribe(command, false, true)));
        table.put("PSUBSCRIBE", new Entry(-2, (c, command) -> c.subscribe(command, true, true)));
        table.put("UNSUBSCRIBE", new Entry(-1, (c, command) -> c.subscribe(command, false, false)));
        table.put("PUNSUBSCRIBE", new Entry(-1, (c, command) -> c.subscribe(command, true, false)));
        table.put(
                "PUBLISH", new Entry(3, (_, c) -> new Int(TOPICS.publish(text(c, 1), c.bytes(2)))));
    }

    private static RespValue select(Command command) {
        return command.number(1) == 0 ? SimpleString.OK : error("ERR DB index is out of range");
    }

    /// Takes what changes nothing here; clients that ask for more are to know that it is not there.
    private static RespValue client(Command command) {
        return switch (text(command, 1).toUpperCase(Locale.ROOT)) {
            case "SETNAME", "SETINFO", "NO-EVICT", "NO-TOUCH" -> SimpleString.OK;
            case "GETNAME" -> Null.BULK;
            default -> error("ERR unknown subcommand of 'client'");
        };
    }

    private static void keys(Map<String, Entry> table) {
        table.put(
                "DEL",
                new Entry(
                        -2, (_, c) -> new Int(texts(c, 1).stream().filter(KEYS::remove).count())));
        table.put(
                "EXISTS",
                new Entry(
                        -2, (_, c) -> new Int(texts(c, 1).stream().filter(KEYS::exists).count())));
        table.put("TYPE", new Entry(2, (_, c) -> new SimpleString(KEYS.type(text(c, 1)))));
        table.put("DBSIZE", new Entry(1, (_, _) -> new Int(KEYS.size())));
        Action clear =
                (_, _) -> {
                    KEYS.clear();
                    return SimpleString.OK;
                };
        table.put("FLUSHALL", new Entry(-1, clear));
        table.put("FLUSHDB", new Entry(-1, clear));
        table.put(
                "KEYS",
                new Entry(
                        2,
                        (_, c) -> {
                            String glob = text(c, 1);
                            return new Array(
                                    KEYS.keys().stream()
                                            .filter(key -> RedisTopics.matches(glob, key))
                                            .map(RedisTopics::latin1)
                                            .toList());
                        }));
        table.put("EXPIRE", new Entry(3, (_, c) -> expire(c, 1000)));
        table.put("PEXPIRE", new Entry(3, (_, c) -> expire(c, 1)));
        table.put("PERSIST", new Entry(2, (_, c) -> count(KEYS.expire(text(c, 1), -1))));
        table.put("PTTL", new Entry(2, (_, c) -> new Int(KEYS.timeToLive(text(c, 1)))));
        table.put(
                "TTL",
                new Entry(
                        2,
                        (_, c) -> {
                            long millis = KEYS.timeToLive(text(c, 1));
                            return new Int(millis < 0 ? millis : (millis + 500) / 1000);
                        }));
    }

    private static RespValue expire(Command command, long unit) {
        long millis = Math.multiplyExact(Math.clamp(command.number(2), 0, 1L << 40), unit);
        return count(KEYS.expire(text(command, 1), millis));
    }

    private static void strings(Map<String, Entry> table) {
        table.put("GET", new Entry(2, (_, c) -> bulk(KEYS.string(text(c, 1)))));
        table.put("SET", new Entry(-3, (_, c) -> set(c)));
        table.put("INCR", new Entry(2, (_, c) -> new Int(KEYS.add(text(c, 1), 1))));
        table.put("DECR", new Entry(2, (_, c) -> new Int(KEYS.add(text(c, 1), -1))));
        table.put("INCRBY", new Entry(3, (_, c) -> new Int(KEYS.add(text(c, 1), c.number(2)))));
        table.put(
                "STRLEN",
                new Entry(
                        2,
                        (_, c) -> {
                            byte[] value = KEYS.string(text(c, 1));
                            return new Int(value == null ? 0 : value.length);
                        }));
        table.put(
                "MGET",
                new Entry(
                        -2,
                        (_, c) ->
                                new Array(
                                        texts(c, 1).stream()
                                                .map(key -> bulk(KEYS.stringOrNull(key)))
                                                .toList())));
        table.put(
                "MSET",
                new Entry(
                        -3,
                        (_, c) -> {
                            requirePairs(c, 1);
                            for (int i = 1; i < c.size(); i += 2) {
                                var _ = KEYS.setString(text(c, i), c.bytes(i + 1), null, -1);
                            }
                            return SimpleString.OK;
                        }));
    }

    private static void requirePairs(Command command, int from) {
        if ((command.size() - from) % 2 != 0) {
            throw new IllegalArgumentException("wrong number of arguments");
        }
    }

    private static RespValue set(Command command) {
        Boolean there = null;
        long millis = -1;
        for (int i = 3; i < command.size(); i++) {
            if (command.is(i, "NX") || command.is(i, "XX")) {
                there = command.is(i, "XX");
            } else if ((command.is(i, "EX") || command.is(i, "PX")) && i + 1 < command.size()) {
                long unit = command.is(i, "EX") ? 1000 : 1;
                long time = command.number(++i);
                if (time <= 0 || time > 1L << 40) {
                    throw new IllegalArgumentException("invalid expire time in 'set' command");
                }
                millis = unit * time;
            } else {
                throw new IllegalArgumentException("syntax error");
            }
        }
        return KEYS.setString(text(command, 1), command.bytes(2), there, millis)
                ? SimpleString.OK
                : Null.BULK;
    }

    private static void aggregates(Map<String, Entry> table) {
        table.put("LPUSH", new Entry(-3, (_, c) -> push(c, true)));
        table.put("RPUSH", new Entry(-3, (_, c) -> push(c, false)));
        table.put("LPOP", new Entry(2, (_, c) -> bulk(KEYS.pop(text(c, 1), true))));
        table.put("RPOP", new Entry(2, (_, c) -> bulk(KEYS.pop(text(c, 1), false))));
        table.put("LLEN", new Entry(2, (_, c) -> new Int(KEYS.length(text(c, 1)))));
        table.put(
                "LRANGE",
                new Entry(4, (_, c) -> bulks(KEYS.range(text(c, 1), c.number(2), c.number(3)))));
        table.put(
                "HSET",
                new Entry(
                        -4,
                        (_, c) -> {
                            requirePairs(c, 2);
                            Map<String, byte[]> fields = new LinkedHashMap<>();
                            for (int i = 2; i < c.size(); i += 2) {
                                fields.put(text(c, i), c.bytes(i + 1));
                            }
                            return new Int(KEYS.setFields(text(c, 1), fields));
                        }));
        table.put("HGET", new Entry(3, (_, c) -> bulk(KEYS.field(text(c, 1), text(c, 2)))));
        table.put("HLEN", new Entry(2, (_, c) -> new Int(KEYS.hash(text(c, 1)).size())));
        table.put(
                "HDEL",
                new Entry(-3, (_, c) -> new Int(KEYS.removeFields(text(c, 1), texts(c, 2)))));
        table.put(
                "HGETALL",
                new Entry(
                        2,
                        (_, c) -> {
                            List<RespValue> all = new ArrayList<>();
                            KEYS.hash(text(c, 1))
                                    .forEach(
                                            (field, value) -> {
                                                all.add(RedisTopics.latin1(field));
                                                all.add(RedisTopics.bulk(value));
                                            });
                            return new RespValue.Map(all);
                        }));
        table.put(
                "SADD", new Entry(-3, (_, c) -> new Int(KEYS.addMembers(text(c, 1), texts(c, 2)))));
        table.put(
                "SMEMBERS",
                new Entry(
                        2,
                        (_, c) ->
                                new RespValue.Set(
                                        KEYS.members(text(c, 1)).stream()
                                                .map(RedisTopics::latin1)
                                                .toList())));
    }

    private static RespValue push(Command command, boolean left) {
        return new Int(KEYS.push(text(command, 1), left, rest(command, 2)));
    }
}
