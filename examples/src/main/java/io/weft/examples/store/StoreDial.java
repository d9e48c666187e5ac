package io.weft.examples.store;

import io.weft.channel.ChannelInitializer;
import io.weft.examples.ClientOptions;
import io.weft.examples.Options;
import io.weft.tls.machine.TlsContext;
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

    Options options() {
        return given.common();
    }

    /// Returns what connections begin with.
    ChannelInitializer first() {
        return channel -> given.addTls(channel, tls);
    }
}
