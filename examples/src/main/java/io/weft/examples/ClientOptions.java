package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Options of a client: those of every example, and some of its own with a value each.
///
/// @param own values by their options
/// @param words behind the options
public record ClientOptions(Options common, Map<String, String> own, List<String> words) {
    private static final Set<String> WITH_VALUES =
            Set.of("--host", "--port", "--transport", "--loops");

    /// Has no options of its own.
    public static ClientOptions of(Options common) {
        return new ClientOptions(common, Map.of(), List.of());
    }

    /// Reads options up to the first word that is none.
    ///
    /// @param names options of this client
    /// @throws IllegalArgumentException as [Options#parse]
    public static ClientOptions parse(int defaultPort, Set<String> names, List<String> args) {
        List<String> common = new ArrayList<>();
        Map<String, String> own = new HashMap<>();
        int i = 0;
        while (i < args.size() && args.get(i).startsWith("--")) {
            String name = args.get(i++);
            boolean known = names.contains(name);
            if (!known) {
                common.add(name);
            }
            if (known || WITH_VALUES.contains(name)) {
                if (i == args.size()) {
                    throw new IllegalArgumentException(name + ": no value (expected: one)");
                }
                String value = args.get(i++);
                if (known) {
                    own.put(name, value);
                } else {
                    common.add(value);
                }
            }
        }
        Options options = Options.parse(Taken.SOCKETS, defaultPort, common.toArray(String[]::new));
        return new ClientOptions(options, own, args.subList(i, args.size()));
    }

    /// Returns why something failed that was waited for, in one line.
    public static String reason(CompletionException e) {
        Throwable cause = e.getCause();
        return cause == null ? e.toString() : String.valueOf(cause.getMessage());
    }

    /// Returns the value of an option; empty without it.
    public String value(String name) {
        return own.getOrDefault(name, "");
    }

    /// Returns the number that is the value of an option.
    ///
    /// @throws IllegalArgumentException when it is none of those
    public int number(String name, int otherwise, int min, int max) {
        String value = own.get(name);
        return value == null ? otherwise : Options.number(name, value, min, max);
    }

    /// Returns the TLS that `--tls` asks for, with certificates checked as the JVM does it; null
    /// without it.
    public @Nullable TlsContext tls() {
        try {
            return common.tls() ? TlsContext.client().build() : null;
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS: " + e.getMessage(), e);
        }
    }

    /// Adds TLS towards the server of these options.
    ///
    /// @param tls null for none
    public void addTls(Channel channel, @Nullable TlsContext tls) {
        if (tls != null) {
            String host = common.host().getHostName();
            channel.pipeline().addLast(TlsHandler.client(tls, host, common.port()));
        }
    }
}
