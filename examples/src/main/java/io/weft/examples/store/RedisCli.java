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
import io.weft.examples.Failure;
import io.weft.examples.Taken;
import io.weft.loop.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
        List<String> words = dial.given().words();
        Printer printer = new Printer(out, words.isEmpty());
        try (EventLoopGroup group = EventLoopGroup.create(dial.options().transport(), 1);
                RedisClient redis =
                        RedisClient.builder(group)
                                .address(dial.options().address())
                                .first(dial.first())
                                .version(version)
                                .auth(dial.given().value("--user"), dial.given().value("--pass"))
                                .clientName(dial.given().value("--name"))
                                .database(database)
                                .listener(printer)
                                .start()) {
            if (!words.isEmpty()) {
                Command command = Command.of(words.toArray(String[]::new));
                return say(redis.send(command), printer.lost, out);
            }
            for (String line; (line = in.readLine()) != null && !line.strip().equals("quit"); ) {
                try {
                    Command command = command(line);
                    if (command != null) {
                        var _ = say(redis.send(command), new CompletableFuture<>(), out);
                    }
                } catch (RespException | IllegalArgumentException e) {
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

    /// Prints the reply, or why there is none.
    ///
    /// @param lost completed when it is not worth to wait for the reply any longer
    private static boolean say(
            Future<RespValue> reply, CompletableFuture<Throwable> lost, PrintStream out) {
        CompletableFuture<RespValue> first = new CompletableFuture<>();
        var _ = reply.addListener(answered -> complete(first, answered));
        var _ = lost.thenAccept(first::completeExceptionally);
        try (RespValue value = first.join()) {
            out.println(shown(value, ""));
            return true;
        } catch (CompletionException e) {
            out.println("(error) " + Failure.of(e).line());
        }
        return false;
    }

    private static void complete(CompletableFuture<RespValue> first, Future<RespValue> answered) {
        RespValue value = answered.now();
        Throwable cause = answered.cause();
        if (value != null && !first.complete(value)) {
            value.close();
        } else if (cause != null) {
            first.completeExceptionally(cause);
        }
    }

    /// Prints what no command asked for. A single command fails with the connection, which the
    /// client would make again and again until the command is too old.
    private static final class Printer implements RedisListener {
        private final PrintStream out;
        private final boolean goesOn;
        private final CompletableFuture<Throwable> lost = new CompletableFuture<>();
        private boolean told;

        Printer(PrintStream out, boolean goesOn) {
            this.out = out;
            this.goesOn = goesOn;
        }

        @Override
        public void message(String channel, RespValue message) {
            out.println(channel + ": " + message.text());
        }

        @Override
        public void connected() {
            told = false;
        }

        @Override
        public void disconnected(Throwable cause) {
            lost.complete(cause);
            if (goesOn && !told) {
                out.println("(not connected, trying again) " + Failure.of(cause).line());
                told = true;
            }
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
