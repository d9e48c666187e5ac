package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.channel.ChannelInitializer;
import io.weft.examples.ClientOptions;
import io.weft.examples.Failure;
import io.weft.examples.Options;
import io.weft.tls.machine.TlsContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The way of a client to its store, and what it is to do there: the words behind the options, or
/// without any, commands line by line. With `--tls` certificates are checked as the JVM does it.
///
/// @param tls null in the clear
record StoreDial(ClientOptions given, @Nullable TlsContext tls) {
    /// Connects in the clear, and reads commands line by line.
    static StoreDial plain(Options options) {
        return new StoreDial(ClientOptions.of(options), null);
    }

    /// @throws IllegalArgumentException as [ClientOptions#parse]
    static StoreDial parse(int defaultPort, Set<String> names, String... args) {
        ClientOptions given = ClientOptions.parse(defaultPort, names, List.of(args));
        return new StoreDial(given, given.tls());
    }

    /// The work of a client with its store.
    interface Session {
        /// Runs the command of the options, or those of `in`. Returns false if the former has
        /// failed.
        boolean run(StoreDial dial, BufferedReader in, PrintStream out) throws IOException;
    }

    /// Runs a client of the command line; the program ends with 1 if that fails, and with 2 if its
    /// arguments are wrong.
    static void main(
            int defaultPort, Set<String> names, String usage, Session session, String... args)
            throws IOException {
        if (args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"))) {
            System.out.println(usage);
            return;
        }
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            if (!session.run(parse(defaultPort, names, args), in, System.out)) {
                System.exit(Failure.FAILED);
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            Failure.of(e).exit();
        }
    }

    Options options() {
        return given.common();
    }

    /// Returns what connections begin with.
    ChannelInitializer first() {
        return channel -> given.addTls(channel, tls);
    }
}
