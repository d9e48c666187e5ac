package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.client.memcache.Item;
import io.weft.client.memcache.MemcacheClient;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Failure;
import io.weft.examples.Taken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CompletionException;

/// A client of memcached for people: the command behind the options, or commands line by line, and
/// what became of them. Try it with `./run-example.sh memcache-client --port 11311`.
public final class MemcacheCli {
    private static final String COMMANDS =
            """
            get KEY...                           gat KEY SECONDS
            set|add|replace KEY SECONDS VALUE    append|prepend KEY VALUE
            incr|decr KEY NUMBER                 touch KEY SECONDS
            delete KEY                           stats [GROUP]
            version                              flush_all
            quit""";

    private static final String USAGE =
            """
            usage: memcache-client [options] [COMMAND...]
            options: %s, default port 11211
                     [--user U --pass P] by SASL
            %s"""
                    .formatted(Taken.SOCKETS.usage(), COMMANDS);

    private static final Set<String> OWN = Set.of("--user", "--pass");

    private MemcacheCli() {}

    public static void main(String[] args) throws IOException {
        StoreDial.main(11211, OWN, USAGE, MemcacheCli::run, args);
    }

    /// Runs the command of the options, or those of `in` up to `quit`. Returns false if the former
    /// has failed.
    static boolean run(StoreDial dial, BufferedReader in, PrintStream out) throws IOException {
        try (EventLoopGroup group = EventLoopGroup.create(dial.options().transport(), 1);
                MemcacheClient cache =
                        MemcacheClient.builder(group)
                                .address(dial.options().address())
                                .first(dial.first())
                                .auth(dial.given().value("--user"), dial.given().value("--pass"))
                                .start()) {
            if (!dial.given().words().isEmpty()) {
                return say(cache, out, dial.given().words().toArray(String[]::new));
            }
            for (String line; (line = in.readLine()) != null && !line.strip().equals("quit"); ) {
                if (!line.isBlank()) {
                    var _ = say(cache, out, line.strip().split("\\s+", -1));
                }
            }
        }
        return true;
    }

    private static boolean say(MemcacheClient cache, PrintStream out, String... words) {
        try {
            out.println(answer(cache, words));
            return true;
        } catch (IndexOutOfBoundsException e) {
            out.println(
                    "(not sent) " + words[0] + ": a word is missing (expected: as --help shows)");
        } catch (IllegalArgumentException e) {
            out.println("(not sent) " + e.getMessage());
        } catch (CompletionException e) {
            out.println("(failed) " + Failure.of(e).line());
        }
        return false;
    }

    private static Object answer(MemcacheClient cache, String... words) {
        return switch (words[0]) {
            case "get" -> items(cache, Arrays.asList(words).subList(1, words.length));
            case "gat" -> shown(cache.getAndTouch(words[1], seconds(words[2])).join());
            case "set" -> cache.set(words[1], value(words, 3), 0, seconds(words[2])).join();
            case "add" -> cache.add(words[1], value(words, 3), 0, seconds(words[2])).join();
            case "replace" -> cache.replace(words[1], value(words, 3), 0, seconds(words[2])).join();
            case "append" -> cache.append(words[1], value(words, 2)).join();
            case "prepend" -> cache.prepend(words[1], value(words, 2)).join();
            case "incr" -> shown(cache.increment(words[1], Long.parseLong(words[2])).join());
            case "decr" -> shown(cache.decrement(words[1], Long.parseLong(words[2])).join());
            case "touch" -> cache.touch(words[1], seconds(words[2])).join();
            case "delete" -> cache.delete(words[1]).join();
            case "stats" -> cache.statistics(words.length > 1 ? words[1] : "").join();
            case "version" -> cache.version().join();
            case "flush_all" -> cache.flush(Duration.ZERO).join();
            default ->
                    throw new IllegalArgumentException(
                            words[0] + ": unknown command (expected: one that --help shows)");
        };
    }

    private static String items(MemcacheClient cache, List<String> keys) {
        StringJoiner all = new StringJoiner("\n").setEmptyValue("(none)");
        cache.get(keys)
                .join()
                .forEach((key, item) -> all.add(key + ": " + shown(Optional.of(item))));
        return all.toString();
    }

    private static String shown(Optional<Item> found) {
        if (found.isEmpty()) {
            return "(none)";
        }
        try (Item item = found.get()) {
            return item.text() + " (flags " + item.flags() + ", cas " + item.cas() + ")";
        }
    }

    private static String shown(OptionalLong number) {
        return number.isEmpty() ? "(none)" : Long.toUnsignedString(number.getAsLong());
    }

    private static Duration seconds(String word) {
        return Duration.ofSeconds(Long.parseLong(word));
    }

    private static byte[] value(String[] words, int from) {
        if (words.length <= from) {
            throw new IndexOutOfBoundsException(from);
        }
        return String.join(" ", Arrays.asList(words).subList(from, words.length)).getBytes(UTF_8);
    }
}
