package io.weft.examples.store;

import io.weft.channel.ChannelInitializer;
import io.weft.examples.Options;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The way of a client to its store, and what it is to do there. With `--tls` certificates are
/// checked as the JVM does it.
///
/// @param own values of options that one client has
/// @param command words behind the options; none for commands line by line
/// @param tls null in the clear
record StoreDial(
        Options options, Map<String, String> own, List<String> command, @Nullable TlsContext tls) {
    private static final Set<String> COMMON =
            Set.of("--host", "--port", "--transport", "--loops", "--tls");

    /// Connects in the clear, and reads commands line by line.
    static StoreDial plain(Options options) {
        return new StoreDial(options, Map.of(), List.of(), null);
    }

    /// Reads options up to the first word of a command.
    ///
    /// @param names options of this client, each with a value
    /// @throws IllegalArgumentException as [Options#parse]
    static StoreDial parse(int defaultPort, Set<String> names, String... args) {
        List<String> common = new ArrayList<>();
        Map<String, String> own = new HashMap<>();
        int i = 0;
        while (i < args.length && args[i].startsWith("--")) {
            String name = args[i++];
            boolean known = names.contains(name);
            if (!known) {
                common.add(name);
            }
            if ((known || COMMON.contains(name)) && !name.equals("--tls")) {
                if (i == args.length) {
                    throw new IllegalArgumentException(name + ": no value (expected: one)");
                }
                String value = args[i++];
                if (known) {
                    own.put(name, value);
                } else {
                    common.add(value);
                }
            }
        }
        Options options = Options.parse(defaultPort, common.toArray(String[]::new));
        try {
            TlsContext tls = options.tls() ? TlsContext.client().build() : null;
            return new StoreDial(options, own, List.of(args).subList(i, args.length), tls);
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS: " + e.getMessage(), e);
        }
    }

    /// Returns what connections begin with.
    ChannelInitializer first() {
        return channel -> {
            if (tls != null) {
                String host = options.host().getHostName();
                channel.pipeline().addLast(TlsHandler.client(tls, host, options.port()));
            }
        };
    }

    /// Returns the value of an option; empty without it.
    String value(String name) {
        return own.getOrDefault(name, "");
    }

    /// Returns the number that is the value of an option.
    ///
    /// @throws IllegalArgumentException when it is none of those
    int number(String name, int otherwise, int min, int max) {
        String value = own.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                name + ": " + value + " (expected: a number from " + min + " to " + max + ")");
    }
}
