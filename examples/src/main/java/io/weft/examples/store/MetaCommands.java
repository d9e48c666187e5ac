package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import io.weft.examples.store.MemcacheStore.Changed;
import io.weft.examples.store.MemcacheStore.Item;
import io.weft.examples.store.MemcacheStore.Mode;
import io.weft.examples.store.MemcacheStore.Outcome;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Meta commands on the store of the memcached example: mg, ms, md, ma, me and mn. Flags that it
/// does not have, as those of stale items, are refused.
final class MetaCommands {
    private final MemcacheStore store;
    private final Consumer<Supplier<MemcachePart>> out;

    MetaCommands(MemcacheStore store, Consumer<Supplier<MemcachePart>> out) {
        this.store = store;
        this.out = out;
    }

    /// Runs a command.
    ///
    /// @throws IllegalArgumentException when it is malformed
    /// @throws IndexOutOfBoundsException when a word is missing
    void run(TextMessage command) {
        String known =
                switch (command.word(0)) {
                    case "mg" -> "bcfkOqstvTN";
                    case "ms" -> "bcCFkOqsTM";
                    case "md" -> "bCkOq";
                    case "ma" -> "bcCkOqtvTNJDM";
                    default -> "b";
                };
        int from = command.word(0).equals("ms") ? 3 : 2;
        for (int i = from; i < command.size(); i++) {
            if (known.indexOf(command.word(i).charAt(0)) < 0) {
                out.accept(() -> TextMessage.line("CLIENT_ERROR invalid flag"));
                return;
            }
        }
        switch (command.word(0)) {
            case "mg" -> get(command);
            case "ms" -> set(command);
            case "md" ->
                    change(
                            command,
                            new Changed(
                                    store.delete(key(command, 2), number(command, 'C', 0)), null),
                            2);
            case "ma" -> count(command);
            case "me" -> describe(command);
            default -> out.accept(() -> TextMessage.of("MN"));
        }
    }

    /// The argument of a flag; null if the flag is not there.
    private static @Nullable String flag(TextMessage command, char flag) {
        int from = command.word(0).equals("ms") ? 3 : 2;
        for (int i = from; i < command.size(); i++) {
            String word = command.word(i);
            if (word.charAt(0) == flag) {
                return word.substring(1);
            }
        }
        return null;
    }

    private static long number(TextMessage command, char flag, long otherwise) {
        String text = flag(command, flag);
        return text == null ? otherwise : Long.parseUnsignedLong(text);
    }

    /// An expiry, of which a negative one has passed.
    private static long time(TextMessage command, char flag) {
        String text = flag(command, flag);
        return text == null ? 0 : text.startsWith("-") ? Long.MIN_VALUE >> 1 : Long.parseLong(text);
    }

    private static String key(TextMessage command, int from) {
        boolean encoded = false;
        for (int i = from; i < command.size(); i++) {
            encoded |= command.is(i, "b");
        }
        return encoded
                ? new String(Base64.getDecoder().decode(command.bytes(1)), ISO_8859_1)
                : TextCommands.key(command, 1);
    }

    private void get(TextMessage command) {
        String key = key(command, 2);
        Item item = flag(command, 'T') == null ? store.get(key) : touched(command, key);
        boolean won = item == null && flag(command, 'N') != null;
        if (won) {
            item = store.store(Mode.ADD, key, new byte[0], 0, time(command, 'N'), 0).item();
        }
        if (item == null) {
            if (flag(command, 'q') == null) {
                out.accept(() -> TextMessage.of("EN"));
            }
            return;
        }
        reply(command, item, won ? List.of("W") : List.of());
    }

    private @Nullable Item touched(TextMessage command, String key) {
        return store.touch(key, time(command, 'T')).item();
    }

    /// Writes an item, or what flags ask for of it.
    private void reply(TextMessage command, Item item, List<String> more) {
        List<String> words = new ArrayList<>();
        for (int i = 2; i < command.size(); i++) {
            switch (command.word(i).charAt(0)) {
                case 'c' -> words.add("c" + Long.toUnsignedString(item.cas()));
                case 'f' -> words.add("f" + Integer.toUnsignedString(item.flags()));
                case 's' -> words.add("s" + item.value().length);
                case 't' -> words.add("t" + store.timeToLive(item));
                case 'k' -> words.add("k" + command.word(1));
                case 'O', 'b' -> words.add(command.word(i));
                default -> {}
            }
        }
        words.addAll(more);
        if (flag(command, 'v') == null) {
            words.addFirst("HD");
            out.accept(() -> TextMessage.of(words.toArray(new String[0])));
        } else {
            words.addFirst(String.valueOf(item.value().length));
            words.addFirst("VA");
            out.accept(() -> TextMessage.of(item.value(), words.toArray(new String[0])));
        }
    }

    private void set(TextMessage command) {
        String mode = flag(command, 'M');
        Mode stored =
                switch (mode == null ? "S" : mode) {
                    case "E", "e" -> Mode.ADD;
                    case "A", "a" -> Mode.APPEND;
                    case "P", "p" -> Mode.PREPEND;
                    case "R", "r" -> Mode.REPLACE;
                    case "S", "s" -> Mode.SET;
                    default -> throw new IllegalArgumentException("mode: " + mode);
                };
        Changed changed =
                store.store(
                        stored,
                        key(command, 3),
                        TextCommands.data(command),
                        (int) number(command, 'F', 0),
                        time(command, 'T'),
                        number(command, 'C', 0));
        change(command, changed, 3);
    }

    private void count(TextMessage command) {
        String mode = flag(command, 'M');
        boolean up =
                switch (mode == null ? "I" : mode) {
                    case "I", "i", "+" -> true;
                    case "D", "d", "-" -> false;
                    default -> throw new IllegalArgumentException("mode: " + mode);
                };
        String key = key(command, 2);
        long version = number(command, 'C', 0);
        Item there = version == 0 ? null : store.get(key);
        if (there != null && there.cas() != version) {
            change(command, new Changed(Outcome.EXISTS, there), 2);
            return;
        }
        Changed changed = store.add(key, up, number(command, 'D', 1));
        if (changed.outcome() == Outcome.NOT_FOUND && flag(command, 'N') != null) {
            byte[] first = Long.toUnsignedString(number(command, 'J', 0)).getBytes(ISO_8859_1);
            changed = store.store(Mode.ADD, key, first, 0, time(command, 'N'), 0);
        } else if (changed.outcome() == Outcome.DONE && flag(command, 'T') != null) {
            var _ = store.touch(key, time(command, 'T'));
        }
        Item item = changed.item();
        if (changed.outcome() == Outcome.NOT_A_NUMBER) {
            out.accept(
                    () ->
                            TextMessage.line(
                                    "CLIENT_ERROR cannot increment or decrement"
                                            + " non-numeric value"));
        } else if (changed.outcome() == Outcome.DONE && item != null) {
            if (flag(command, 'q') == null) {
                reply(command, item, List.of());
            }
        } else {
            change(command, changed, 2);
        }
    }

    private void describe(TextMessage command) {
        Item item = store.get(key(command, 2));
        if (item == null) {
            out.accept(() -> TextMessage.of("EN"));
            return;
        }
        String[] words = {
            "ME",
            command.word(1),
            "exp=" + store.timeToLive(item),
            "cas=" + Long.toUnsignedString(item.cas()),
            "size=" + item.value().length
        };
        out.accept(() -> TextMessage.of(words));
    }

    /// Says what has become of an item.
    private void change(TextMessage command, Changed changed, int from) {
        if (changed.outcome() == Outcome.DONE && flag(command, 'q') != null) {
            return;
        }
        List<String> words = new ArrayList<>();
        words.add(
                switch (changed.outcome()) {
                    case DONE -> "HD";
                    case NOT_FOUND -> "NF";
                    case EXISTS -> "EX";
                    default -> "NS";
                });
        Item item = changed.item();
        for (int i = from; i < command.size(); i++) {
            switch (command.word(i).charAt(0)) {
                case 'k' -> words.add("k" + command.word(1));
                case 'O', 'b' -> words.add(command.word(i));
                case 'c' -> words.add("c" + (item == null ? 0 : item.cas()));
                case 's' -> words.add("s" + (item == null ? 0 : item.value().length));
                default -> {}
            }
        }
        out.accept(() -> TextMessage.of(words.toArray(new String[0])));
    }
}
