package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.CommandTable;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Push;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespVersion;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.redis.RedisServerHandler;
import io.weft.handler.redis.RedisService;
import io.weft.handler.redis.RedisSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A Redis in memory: strings, lists, hashes, sets, expiry, publish and subscribe, in both versions
/// of the protocol, with `--tls` over TLS. Try it with `redis-cli -p 6380`.
public final class RedisServer {
    /// One command of the table.
    private interface Action {
        /// Returns the reply; null if there is none.
        @Nullable RespValue run(Connection connection, Command command);
    }

    /// @param arity words of the command, as Redis has it: negative for at least so many
    private record Entry(int arity, Action action) {
        boolean takes(Command command) {
            return arity < 0 ? command.size() >= -arity : command.size() == arity;
        }
    }

    private static final RedisKeyspace KEYS = new RedisKeyspace(System::currentTimeMillis);
    private static final RedisTopics TOPICS = new RedisTopics();
    private static final CommandTable<Entry> COMMANDS = new CommandTable<>(commands());

    private RedisServer() {}

    public static void main(String[] args) {
        Example.main(6380, args, RedisServer::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                Example.inTls(
                        options,
                        channel -> RedisServerHandler.addTo(channel.pipeline(), Connection::new)));
    }

    /// One client.
    private static final class Connection implements RedisService {
        private final RedisSession session;
        private final Set<String> channels = new LinkedHashSet<>();
        private final Set<String> patterns = new LinkedHashSet<>();

        Connection(RedisSession session) {
            this.session = session;
        }

        @Override
        public void handle(Command command) {
            Entry entry = COMMANDS.find(command);
            if (entry == null) {
                session.reply(error("ERR unknown command '" + shown(command) + "'"));
            } else if (!entry.takes(command)) {
                session.reply(
                        error(
                                "ERR wrong number of arguments for '"
                                        + shown(command)
                                        + "' command"));
            } else {
                RespValue reply = null;
                try {
                    reply = entry.action.run(this, command);
                } catch (RedisKeyspace.WrongType e) {
                    reply =
                            error(
                                    "WRONGTYPE Operation against a key holding the wrong kind of"
                                            + " value");
                }
                if (reply != null) {
                    session.reply(reply);
                }
            }
        }

        private static String shown(Command command) {
            String name = command.length(0) > 64 ? "?" : command.name().toLowerCase(Locale.ROOT);
            return name.replaceAll("[^\\x20-\\x7E]", "?");
        }

        @Nullable RespValue subscribe(Command command, boolean pattern, boolean on) {
            List<String> names = new ArrayList<>();
            Set<String> mine = pattern ? patterns : channels;
            for (int i = 1; i < command.size(); i++) {
                names.add(text(command, i));
            }
            if (names.isEmpty()) {
                names.addAll(mine);
            }
            String kind = command.name().toLowerCase(Locale.ROOT);
            if (names.isEmpty()) {
                confirm(kind, Null.BULK);
            }
            for (String name : names) {
                if (on) {
                    mine.add(name);
                    TOPICS.subscribe(pattern, name, session);
                } else {
                    mine.remove(name);
                    TOPICS.unsubscribe(pattern, name, session);
                }
                confirm(kind, RedisTopics.latin1(name));
            }
            return null;
        }

        private void confirm(String kind, RespValue name) {
            int count = channels.size() + patterns.size();
            session.reply(new Push(List.of(Bulk.of(kind), name, new Int(count))));
        }

        @Nullable RespValue hello(Command command) {
            if (command.size() > 1) {
                long number = command.number(1);
                if (number != 2 && number != 3) {
                    return error("NOPROTO unsupported protocol version");
                }
                session.version(number == 2 ? RespVersion.RESP2 : RespVersion.RESP3);
            }
            return new RespValue.Map(
                    List.of(
                            Bulk.of("server"),
                            Bulk.of("redis"),
                            Bulk.of("version"),
                            Bulk.of("7.0.0"),
                            Bulk.of("proto"),
                            new Int(session.version().number()),
                            Bulk.of("id"),
                            new Int(1),
                            Bulk.of("mode"),
                            Bulk.of("standalone"),
                            Bulk.of("role"),
                            Bulk.of("master"),
                            Bulk.of("modules"),
                            Array.EMPTY));
        }

        @Nullable RespValue ping(Command command) {
            boolean subscribed = !channels.isEmpty() || !patterns.isEmpty();
            if (subscribed && session.version() == RespVersion.RESP2) {
                return new Array(
                        List.of(Bulk.of("pong"), command.size() > 1 ? echo(command) : Bulk.of("")));
            }
            return command.size() > 1 ? echo(command) : SimpleString.PONG;
        }

        @Override
        public void closed() {
            channels.forEach(name -> TOPICS.unsubscribe(false, name, session));
            patterns.forEach(name -> TOPICS.unsubscribe(true, name, session));
        }
    }

    private static SimpleError error(String text) {
        return new SimpleError(text);
    }

    private static String text(Command command, int index) {
        return new String(command.bytes(index), ISO_8859_1);
    }

    private static RespValue echo(Command command) {
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
        table.put("PING", new Entry(-1, Connection::ping));
        table.put("ECHO", new Entry(2, (_, c) -> echo(c)));
        table.put("HELLO", new Entry(-1, Connection::hello));
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
                            connection.session.close();
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
