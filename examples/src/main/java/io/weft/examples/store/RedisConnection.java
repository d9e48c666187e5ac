package io.weft.examples.store;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Push;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespVersion;
import io.weft.handler.redis.RedisService;
import io.weft.handler.redis.RedisSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One client of the Redis example, and what it is subscribed to.
final class RedisConnection implements RedisService {
    private final RedisSession session;
    private final Set<String> channels = new LinkedHashSet<>();
    private final Set<String> patterns = new LinkedHashSet<>();

    RedisConnection(RedisSession session) {
        this.session = session;
    }

    @Override
    public void handle(Command command) {
        RedisServer.Entry entry = RedisServer.COMMANDS.find(command);
        if (entry == null) {
            session.reply(RedisServer.error("ERR unknown command '" + shown(command) + "'"));
        } else if (!entry.takes(command)) {
            session.reply(
                    RedisServer.error(
                            "ERR wrong number of arguments for '" + shown(command) + "' command"));
        } else {
            RespValue reply = null;
            try {
                reply = entry.action().run(this, command);
            } catch (RedisKeyspace.WrongType e) {
                reply =
                        RedisServer.error(
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
            names.add(RedisServer.text(command, i));
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
                RedisServer.TOPICS.subscribe(pattern, name, session);
            } else {
                mine.remove(name);
                RedisServer.TOPICS.unsubscribe(pattern, name, session);
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
                return RedisServer.error("NOPROTO unsupported protocol version");
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
                    List.of(
                            Bulk.of("pong"),
                            command.size() > 1 ? RedisServer.echo(command) : Bulk.of("")));
        }
        return command.size() > 1 ? RedisServer.echo(command) : SimpleString.PONG;
    }

    /// Ends the connection when what was replied is sent.
    void close() {
        session.close();
    }

    @Override
    public void closed() {
        channels.forEach(name -> RedisServer.TOPICS.unsubscribe(false, name, session));
        patterns.forEach(name -> RedisServer.TOPICS.unsubscribe(true, name, session));
    }
}
