package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.client.redis.RedisClient;
import io.weft.client.redis.RedisListener;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.CommandDecoder;
import io.weft.codec.redis.RespException;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Taken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A small redis-cli: the command behind the options, or commands line by line, with quotes as
/// Redis has them, and their replies as text. `SUBSCRIBE` shows messages until the end of input.
/// Try it with `./run-example.sh redis-client --port 6380`.
public final class RedisCli {
    private static final String USAGE =
            """
            usage: redis-client [options] [COMMAND [ARGUMENT...]]
            options: %s, default port 6379
                     [--user U] [--pass P] [--name NAME] [--db N] [--resp 2|3]"""
                    .formatted(Taken.SOCKETS.usage());

    private static final Set<String> OWN = Set.of("--user", "--pass", "--name", "--db", "--resp");

    private RedisCli() {}

    public static void main(String[] args) throws IOException {
        StoreDial.main(6379, OWN, USAGE, RedisCli::run, args);
    }

    /// Runs the command of the options, or those of `in` up to `quit`. Returns false if the former
    /// has failed.
    static boolean run(StoreDial dial, BufferedReader in, PrintStream out) throws IOException {
        RespVersion version =
                dial.given().number("--resp", 3, 2, 3) == 2 ? RespVersion.RESP2 : RespVersion.RESP3;
        int database = dial.given().number("--db", 0, 0, Integer.MAX_VALUE);
        try (EventLoopGroup group = EventLoopGroup.create(dial.options().transport(), 1);
                RedisClient redis =
                        RedisClient.builder(group)
                                .address(dial.options().address())
                                .first(dial.first())
                                .version(version)
                                .auth(dial.given().value("--user"), dial.given().value("--pass"))
                                .clientName(dial.given().value("--name"))
                                .database(database)
                                .listener(new Printer(out))
                                .start()) {
            if (!dial.given().words().isEmpty()) {
                return say(redis, Command.of(dial.given().words().toArray(String[]::new)), out);
            }
            for (String line; (line = in.readLine()) != null && !line.strip().equals("quit"); ) {
                try {
                    Command command = command(line);
                    if (command != null) {
                        var _ = say(redis, command, out);
                    }
                } catch (RespException e) {
                    out.println("(not sent) " + e.getMessage());
                }
            }
        }
        return true;
    }

    /// Returns the command of a line; null for a blank one. The decoder of a server splits it, for
    /// which a space is in front: an asterisk would begin an array.
    private static @Nullable Command command(String line) {
        byte[] bytes = (" " + line + "\r\n").getBytes(UTF_8);
        List<Command> commands = new ArrayList<>();
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
            new CommandDecoder().decode(in, commands::add);
        }
        return commands.isEmpty() ? null : commands.getFirst();
    }

    private static boolean say(RedisClient redis, Command command, PrintStream out) {
        try (RespValue reply = redis.send(command).join()) {
            out.println(shown(reply, ""));
            return true;
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            out.println("(error) " + cause.getMessage());
        } catch (IllegalArgumentException e) {
            out.println("(error) " + e.getMessage());
        }
        return false;
    }

    private record Printer(PrintStream out) implements RedisListener {
        @Override
        public void message(String channel, RespValue message) {
            out.println(channel + ": " + message.text());
        }

        @Override
        public void disconnected(Throwable cause) {
            out.println("(not connected) " + cause.getMessage());
        }
    }

    /// As redis-cli shows values: elements numbered, pairs of maps in one line.
    static String shown(RespValue value, String indent) {
        return switch (value) {
            case RespValue.Null _ -> "(nil)";
            case RespValue.Int number -> "(integer) " + number.value();
            case RespValue.Real number -> "(double) " + number.text();
            case RespValue.Bool bool -> "(" + bool.text() + ")";
            case SimpleString line -> line.text();
            case RespValue.Map map -> elements(map.elements(), 2, indent);
            case RespValue.Array array -> elements(array.elements(), 1, indent);
            case RespValue.Set set -> elements(set.elements(), 1, indent);
            case RespValue.Push push -> elements(push.elements(), 1, indent);
            case RespValue.Attributed attributed -> shown(attributed.value(), indent);
            default -> "\"" + value.text() + "\"";
        };
    }

    private static String elements(List<RespValue> elements, int step, String indent) {
        if (elements.isEmpty()) {
            return "(empty)";
        }
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < elements.size(); i += step) {
            String number = i / step + 1 + ") ";
            String inner = indent + " ".repeat(number.length());
            all.append(i == 0 ? "" : "\n" + indent).append(number);
            all.append(shown(elements.get(i), inner));
            if (step == 2) {
                all.append(" => ").append(shown(elements.get(i + 1), inner));
            }
        }
        return all.toString();
    }
}
