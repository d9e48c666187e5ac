package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import io.weft.examples.store.MemcacheStore.Changed;
import io.weft.examples.store.MemcacheStore.Item;
import io.weft.examples.store.MemcacheStore.Mode;
import io.weft.examples.store.MemcacheStore.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Commands of the classic text protocol on the store of the memcached example.
final class TextCommands {
    private static final int MAX_KEY = 250;

    private final MemcacheStore store;
    private final Consumer<Supplier<MemcachePart>> out;

    TextCommands(MemcacheStore store, Consumer<Supplier<MemcachePart>> out) {
        this.store = store;
        this.out = out;
    }

    /// Runs a command; returns false when it ends the connection.
    boolean run(TextMessage command) {
        String name = command.word(0);
        if (command.isStreamed()) {
            say("SERVER_ERROR object too large for cache");
            return true;
        }
        if (name.equals("quit")) {
            return false;
        }
        try {
            for (int i = 1; i < command.size(); i++) {
                if ((isKey(name, i) && command.length(i) > MAX_KEY) || hasControls(command, i)) {
                    say("CLIENT_ERROR bad command line format");
                    return true;
                }
            }
            run(name, command);
        } catch (IndexOutOfBoundsException e) {
            say("ERROR"); // a word is missing
        } catch (IllegalArgumentException e) {
            say("CLIENT_ERROR bad command line format");
        }
        return true;
    }

    private static boolean hasControls(TextMessage command, int word) {
        for (byte b : command.bytes(word)) {
            if ((b >= 0 && b < ' ') || b == 0x7F) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKey(String name, int word) {
        return switch (name) {
            case "get", "gets" -> true;
            case "gat", "gats" -> word > 1;
            default -> word == 1;
        };
    }

    private void run(String name, TextMessage command) {
        switch (name) {
            case "get", "gets" -> get(command, 1, name.equals("gets"));
            case "gat", "gats" -> {
                for (int i = 2; i < command.size(); i++) {
                    var _ = store.touch(key(command, i), time(command, 1));
                }
                get(command, 2, name.equals("gats"));
            }
            case "set" -> store(Mode.SET, command, 0);
            case "add" -> store(Mode.ADD, command, 0);
            case "replace" -> store(Mode.REPLACE, command, 0);
            case "append" -> store(Mode.APPEND, command, 0);
            case "prepend" -> store(Mode.PREPEND, command, 0);
            case "cas" -> store(Mode.SET, command, command.number(5));
            case "delete" -> delete(command);
            case "incr", "decr" -> count(command, name.equals("incr"));
            case "touch" ->
                    answer(
                            command,
                            store.touch(key(command, 1), time(command, 2)).outcome() == Outcome.DONE
                                    ? "TOUCHED"
                                    : "NOT_FOUND");
            case "flush_all" -> {
                boolean delay = command.size() > 1 && !command.is(1, "noreply");
                store.flush(delay ? command.number(1) : 0);
                answer(command, "OK");
            }
            case "verbosity" -> verbosity(command);
            case "version" -> say("VERSION 1.6.0");
            case "stats" -> stats(command);
            case "mn", "mg", "ms", "md", "ma", "me" -> new MetaCommands(store, out).run(command);
            default -> say("ERROR");
        }
    }

    private void verbosity(TextMessage command) {
        if (command.size() < 2 || command.size() > 3) {
            say("ERROR");
        } else {
            answer(command, "OK");
        }
    }

    private void stats(TextMessage command) {
        if (command.is(command.size() - 1, "noreply")) {
            say("ERROR"); // nobody would get what was asked for
            return;
        }
        if (command.size() == 1) {
            say("STAT pid " + ProcessHandle.current().pid());
            say("STAT curr_items " + store.size());
        }
        say("END");
    }

    private void delete(TextMessage command) {
        for (int i = 2; i < command.size(); i++) {
            if (!command.is(i, "0") && !command.is(i, "noreply")) {
                say("CLIENT_ERROR bad command line format");
                return;
            }
        }
        boolean done = store.delete(key(command, 1), 0) == Outcome.DONE;
        answer(command, done ? "DELETED" : "NOT_FOUND");
    }

    private void say(String line) {
        out.accept(() -> TextMessage.line(line));
    }

    private void answer(TextMessage command, String line) {
        if (!command.is(command.size() - 1, "noreply")) {
            say(line);
        }
    }

    private void get(TextMessage command, int first, boolean versions) {
        if (command.size() <= first) {
            say("ERROR");
            return;
        }
        for (int i = first; i < command.size(); i++) {
            Item item = store.get(key(command, i));
            if (item != null) {
                List<String> words =
                        new ArrayList<>(
                                List.of(
                                        "VALUE",
                                        command.word(i),
                                        Integer.toUnsignedString(item.flags()),
                                        String.valueOf(item.value().length)));
                if (versions) {
                    words.add(Long.toUnsignedString(item.cas()));
                }
                out.accept(() -> TextMessage.of(item.value(), words.toArray(new String[0])));
            }
        }
        say("END");
    }

    /// A key as the store has it: a character a byte.
    static String key(TextMessage command, int word) {
        return new String(command.bytes(word), ISO_8859_1);
    }

    static byte[] data(TextMessage command) {
        byte[] value = new byte[command.dataLength()];
        try (Buffer data = command.data()) {
            data.readBytes(value);
        }
        return value;
    }

    /// An expiry, of which a negative one has passed.
    private static long time(TextMessage command, int word) {
        return command.word(word).startsWith("-") ? Long.MIN_VALUE >> 1 : command.number(word);
    }

    private void store(Mode mode, TextMessage command, long version) {
        if (!command.hasData()) {
            say("ERROR");
            return;
        }
        Outcome outcome =
                store.store(
                                mode,
                                key(command, 1),
                                data(command),
                                (int) command.number(2),
                                time(command, 3),
                                version)
                        .outcome();
        answer(
                command,
                switch (outcome) {
                    case DONE -> "STORED";
                    case EXISTS -> "EXISTS";
                    case NOT_FOUND -> "NOT_FOUND";
                    default -> "NOT_STORED";
                });
    }

    private void count(TextMessage command, boolean up) {
        Changed changed = store.add(key(command, 1), up, command.number(2));
        Item item = changed.item();
        answer(
                command,
                switch (changed.outcome()) {
                    case DONE -> item == null ? "NOT_FOUND" : new String(item.value(), ISO_8859_1);
                    case NOT_A_NUMBER ->
                            "CLIENT_ERROR cannot increment or decrement non-numeric value";
                    default -> "NOT_FOUND";
                });
    }
}
