package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import io.weft.examples.store.MemcacheStore.Item;
import io.weft.examples.store.MemcacheStore.Mode;
import io.weft.examples.store.MemcacheStore.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Commands of the text protocol, classic and meta, on the store of the memcached example.
final class TextCommands {
    private static final int MAX_KEY = 250;

    private final MemcacheStore store;
    private final Consumer<MemcachePart> out;

    TextCommands(MemcacheStore store, Consumer<MemcachePart> out) {
        this.store = store;
        this.out = out;
    }

    /// Runs a command; returns false when it ends the connection.
    boolean run(TextMessage command) {
        String name = command.word(0);
        if (name.equals("quit")) {
            return false;
        }
        try {
            for (int i = 1; i < command.size() && isKey(name, i); i++) {
                if (command.length(i) > MAX_KEY) {
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

    private static boolean isKey(String name, int word) {
        return name.equals("get") || name.equals("gets") || word == 1;
    }

    private void run(String name, TextMessage command) {
        switch (name) {
            case "get", "gets" -> get(command, 1, name.equals("gets"));
            case "gat", "gats" -> {
                for (int i = 2; i < command.size(); i++) {
                    var _ = store.touch(command.word(i), command.number(1));
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
                            store.touch(command.word(1), command.number(2)) == Outcome.DONE
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
            case "mn" -> say("MN");
            case "mg" -> metaGet(command);
            case "ms" -> metaSet(command);
            case "md" -> metaDelete(command);
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
        boolean done = store.delete(command.word(1), 0) == Outcome.DONE;
        answer(command, done ? "DELETED" : "NOT_FOUND");
    }

    private void say(String line) {
        out.accept(TextMessage.line(line));
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
            Item item = store.get(command.word(i));
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
                out.accept(TextMessage.of(item.value(), words.toArray(new String[0])));
            }
        }
        say("END");
    }

    private static byte[] data(TextMessage command) {
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
                        command.word(1),
                        data(command),
                        (int) command.number(2),
                        time(command, 3),
                        version);
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
        Outcome outcome = store.add(command.word(1), up, command.number(2));
        Item item = store.get(command.word(1));
        answer(
                command,
                switch (outcome) {
                    case DONE -> item == null ? "NOT_FOUND" : new String(item.value(), ISO_8859_1);
                    case NOT_A_NUMBER ->
                            "CLIENT_ERROR cannot increment or decrement non-numeric value";
                    default -> "NOT_FOUND";
                });
    }

    // ---- meta ----

    /// The argument of a flag; null if the flag is not there.
    private static @Nullable String flag(TextMessage command, int from, char flag) {
        for (int i = from; i < command.size(); i++) {
            String word = command.word(i);
            if (word.charAt(0) == flag) {
                return word.substring(1);
            }
        }
        return null;
    }

    private void metaGet(TextMessage command) {
        Item item = store.get(command.word(1));
        boolean quiet = flag(command, 2, 'q') != null;
        if (item == null) {
            if (!quiet) {
                say("EN");
            }
            return;
        }
        List<String> words = new ArrayList<>();
        for (int i = 2; i < command.size(); i++) {
            switch (command.word(i).charAt(0)) {
                case 'c' -> words.add("c" + Long.toUnsignedString(item.cas()));
                case 'f' -> words.add("f" + Integer.toUnsignedString(item.flags()));
                case 's' -> words.add("s" + item.value().length);
                case 'k' -> words.add("k" + command.word(1));
                case 'O' -> words.add(command.word(i));
                default -> {}
            }
        }
        if (flag(command, 2, 'v') == null) {
            words.addFirst("HD");
            out.accept(TextMessage.of(words.toArray(new String[0])));
        } else {
            words.addFirst(String.valueOf(item.value().length));
            words.addFirst("VA");
            out.accept(TextMessage.of(item.value(), words.toArray(new String[0])));
        }
    }

    private void metaSet(TextMessage command) {
        String version = flag(command, 3, 'C');
        String flags = flag(command, 3, 'F');
        String time = flag(command, 3, 'T');
        String mode = flag(command, 3, 'M');
        Outcome outcome =
                store.store(
                        switch (mode == null ? "" : mode) {
                            case "E", "e" -> Mode.ADD;
                            case "A", "a" -> Mode.APPEND;
                            case "P", "p" -> Mode.PREPEND;
                            case "R", "r" -> Mode.REPLACE;
                            default -> Mode.SET;
                        },
                        command.word(1),
                        data(command),
                        flags == null ? 0 : Integer.parseUnsignedInt(flags),
                        time == null ? 0 : Long.parseLong(time),
                        version == null ? 0 : Long.parseUnsignedLong(version));
        meta(command, 3, outcome);
    }

    private void metaDelete(TextMessage command) {
        String version = flag(command, 2, 'C');
        meta(
                command,
                2,
                store.delete(
                        command.word(1), version == null ? 0 : Long.parseUnsignedLong(version)));
    }

    private void meta(TextMessage command, int from, Outcome outcome) {
        String opaque = flag(command, from, 'O');
        String code =
                switch (outcome) {
                    case DONE -> "HD";
                    case NOT_FOUND -> "NF";
                    case EXISTS -> "EX";
                    default -> "NS";
                };
        if (outcome != Outcome.DONE || flag(command, from, 'q') == null) {
            say(opaque == null ? code : code + " O" + opaque);
        }
    }
}
