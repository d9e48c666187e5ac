package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.channel.ServerBootstrap;
import io.weft.codec.socks.SocksServerDecoder;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Example;
import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.filter.IpFilter;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A SOCKS proxy, of versions 4, 4a and 5, with CONNECT, BIND and UDP ASSOCIATE.
///
/// Unless told otherwise it serves clients on this machine alone: `--allow BLOCK` lets others in,
/// `--user NAME:PASSWORD` asks SOCKS 5 for a login and refuses SOCKS 4, and `--deny-to BLOCK`
/// refuses destinations. It does not listen on other addresses than loopback without one of the
/// first two, and refuses there to connect to loopback and the link but for `--permit-to BLOCK`.
///
/// A connection, or an association of UDP, on which nothing passes in either direction for the
/// `--idle-timeout`, one hour by default, is ended, half-closed ones too.
///
/// Try it with `curl --socks5-hostname 127.0.0.1:1080 https://example.org`.
public final class SocksProxy {
    private static final String USAGE =
            "socks-proxy [--allow BLOCK ...] [--user NAME:PASSWORD] [--deny-to BLOCK ...]"
                    + " [--permit-to BLOCK ...] [--idle-timeout SECONDS, default 3600] [options]";

    /// Rules of access.
    ///
    /// @param login `NAME:PASSWORD` that SOCKS 5 asks for; null for none
    /// @param destinations that it connects to
    /// @param idle time without a byte or a datagram after which a connection ends
    record Rules(@Nullable String login, Destinations destinations, Duration idle) {
        Rules {
            if (login != null && login.indexOf(':') < 1) {
                throw new IllegalArgumentException("--user: no colon (expected: NAME:PASSWORD)");
            }
        }

        /// Tells if they are those of the login. A name may have a colon in SOCKS: `a:b` with the
        /// password `c` is another one than `a` with `b:c`. Takes as long for any login.
        boolean accepts(String user, String password) {
            if (login == null) {
                return false;
            }
            int colon = login.indexOf(':');
            boolean userIs = same(user, login.substring(0, colon));
            boolean passwordIs = same(password, login.substring(colon + 1));
            return userIs && passwordIs;
        }

        private static boolean same(String given, String expected) {
            return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
        }
    }

    private SocksProxy() {}

    public static void main(String[] args) {
        Extras extras = extras(args);
        Example.main(Taken.PLAIN_STREAMS, 1080, extras.others(), options -> start(options, extras));
    }

    static Extras extras(String... args) {
        return Extras.take(
                args,
                USAGE,
                "--allow",
                "--user",
                Destinations.DENY,
                Destinations.PERMIT,
                IdleTimeout.OPTION);
    }

    static Example.Running start(Options options, Extras extras) {
        List<IpFilter.Rule> clients = new ArrayList<>();
        clients.add(IpFilter.Rule.accept("127.0.0.0/8"));
        clients.add(IpFilter.Rule.accept("::1"));
        extras.all("--allow").forEach(block -> clients.add(IpFilter.Rule.accept(block)));
        String login = extras.last("--user");
        boolean told = login != null || !extras.all("--allow").isEmpty();
        if (!options.host().isLoopbackAddress() && !told) {
            throw new IllegalArgumentException(
                    "--host: "
                            + options.host().getHostAddress()
                            + " (expected: with --allow or --user, or it would be an open relay)");
        }
        // With a login alone, it is the login that decides.
        IpFilter.Action others =
                login != null && extras.all("--allow").isEmpty()
                        ? IpFilter.Action.ACCEPT
                        : IpFilter.Action.REJECT;
        IpFilter.Rule[] rules = clients.toArray(IpFilter.Rule[]::new);
        Rules access = new Rules(login, Destinations.of(options, extras), IdleTimeout.of(extras));
        EventLoopGroup[] group = new EventLoopGroup[1];
        return Example.tcp(
                options.plain("SOCKS is spoken in the clear"),
                (ServerBootstrap server, EventLoopGroup loops) -> {
                    group[0] = loops;
                    return server.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                            .childOption(ChannelOption.READ_WHILE_UNWRITABLE, true);
                },
                client -> {
                    SocksServerDecoder decoder = new SocksServerDecoder();
                    client.pipeline()
                            .addLast("filter", new IpFilter(others, rules))
                            .addLast("decoder", new DecoderHandler<>(decoder))
                            .addLast("socks", new SocksSession(decoder, access, group[0]));
                });
    }
}
