package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.client.redis.RedisClient;
import io.weft.client.redis.RedisListener;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletionException;

/// A small redis-cli: commands line by line, their replies as text. `SUBSCRIBE` shows messages
/// until the end of input. Try it with `./run-example.sh redis-client --port 6380`.
public final class RedisCli {
    private RedisCli() {}

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + Options.USAGE + ", default port 6379");
            return;
        }
        Options options;
        try {
            options = Options.parse(6379, args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        run(options, new BufferedReader(new InputStreamReader(System.in, UTF_8)), System.out);
    }

    static void run(Options options, BufferedReader in, PrintStream out) throws IOException {
        try (EventLoopGroup group = EventLoopGroup.create(options.transport(), 1);
                RedisClient redis =
                        RedisClient.builder(group)
                                .address(options.address())
                                .listener(new Printer(out))
                                .start()) {
            for (String line; (line = in.readLine()) != null && !line.strip().equals("quit"); ) {
                if (line.isBlank()) {
                    continue;
                }
                try (RespValue reply = redis.send(line.strip().split("\\s+", -1)).join()) {
                    out.println(shown(reply, ""));
                } catch (CompletionException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    out.println("(error) " + cause.getMessage());
                } catch (IllegalArgumentException e) {
                    out.println("(error) " + e.getMessage());
                }
            }
        }
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
