package io.weft.examples;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options that an example has beside those of all examples; each takes a value.
///
/// @param values of each option, in the order in which they were given
/// @param rest other arguments
public record Extras(Map<String, List<String>> values, List<String> rest) {
    /// Takes the options with these names out of `args`. With `--help` it prints `usage`. For the
    /// arguments of a program: it ends the program when the last of these has no value.
    public static Extras take(String[] args, String usage, String... names) {
        Map<String, List<String>> values = new HashMap<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            boolean ours = List.of(names).contains(args[i]);
            if (ours && i + 1 == args.length) {
                String line = args[i] + ": no value (expected: " + usage + ")";
                new Failure(line, Failure.USAGE).exit();
            } else if (ours) {
                values.computeIfAbsent(args[i], _ -> new ArrayList<>()).add(args[i + 1]);
                i++;
            } else {
                rest.add(args[i]);
            }
        }
        if (rest.contains("--help") || rest.contains("-h")) {
            System.out.println("usage: " + usage);
        }
        return new Extras(values, rest);
    }

    public String[] others() {
        return rest.toArray(String[]::new);
    }

    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    public @Nullable String last(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? null : all.getLast();
    }

    /// An address such as `example.org:80` or `[::1]:80`, unresolved.
    ///
    /// @throws IllegalArgumentException when it is missing or malformed
    public static InetSocketAddress hostAndPort(String option, @Nullable String text) {
        int colon = text == null ? -1 : text.lastIndexOf(':');
        if (text != null && colon > 0 && text.substring(colon + 1).matches("[0-9]{1,5}")) {
            String host = text.substring(0, colon);
            int port = Integer.parseInt(text.substring(colon + 1));
            boolean six = host.startsWith("[") && host.endsWith("]");
            if (port <= 65_535 && (six || host.indexOf(':') < 0)) {
                return InetSocketAddress.createUnresolved(
                        six ? host.substring(1, host.length() - 1) : host, port);
            }
        }
        throw new IllegalArgumentException(option + ": " + text + " (expected: HOST:PORT)");
    }
}
