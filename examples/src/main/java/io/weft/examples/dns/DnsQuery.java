package io.weft.examples.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.DnsServer;
import io.weft.resolver.dns.ResolvConf;
import io.weft.resolver.dns.ResolveException;
import io.weft.resolver.dns.ResolverConfig;
import io.weft.resolver.doh.DohTransport;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A small dig: asks name servers, and prints the response's status and records. Try it with
/// `./run-example.sh dns-query example.com MX @9.9.9.9 +tls`.
public final class DnsQuery {
    private static final String USAGE =
            "NAME [TYPE] [@SERVER[:PORT]] [+tcp|+tls|+tls=HOSTNAME|+https|+https=PATH] [+short]";

    private enum Way {
        UDP,
        TCP,
        TLS,
        HTTPS
    }

    private DnsQuery() {}

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// @return the exit code: 0 for any response, 1 for none, 2 for arguments that are wrong
    static int run(PrintStream out, PrintStream err, String... args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            out.println("options: " + USAGE);
            return 0;
        }
        Command command;
        try {
            command = Command.parse(args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
        try (EventLoopGroup group = EventLoopGroup.create(1);
                @Nullable HttpClient client = command.httpClient(group);
                DnsResolver resolver =
                        DnsResolver.builder(group).config(command.config(client)).build()) {
            DnsMessage query = DnsMessage.query(0, command.name, command.type);
            print(out, resolver.exchange(query).join(), command.brief);
            return 0;
        } catch (CompletionException e) {
            boolean responded =
                    e.getCause() instanceof ResolveException failure && failure.code() != null;
            if (responded && e.getCause() instanceof ResolveException failure) {
                out.println(";; status: " + failure.code());
            }
            err.println(e.getCause() == null ? e : e.getCause().getMessage());
            return 1;
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private static void print(PrintStream out, DnsMessage response, boolean brief) {
        if (brief) {
            response.answers().forEach(record -> out.println(RdataFormat.text(record.data())));
            return;
        }
        out.println(";; status: " + response.code() + ", flags: " + response.flags());
        for (DnsQuestion question : response.questions()) {
            out.println(";; question: " + question);
        }
        print(out, "answer", response.answers());
        print(out, "authority", response.authorities());
        print(out, "additional", response.additionals());
    }

    private static void print(PrintStream out, String section, List<DnsRecord> records) {
        if (!records.isEmpty()) {
            out.println(";; " + section + ":");
            records.forEach(out::println);
        }
    }

    private record Command(
            DnsName name,
            RecordType type,
            @Nullable String server,
            Way way,
            @Nullable String value,
            boolean brief) {
        static Command parse(String... args) {
            List<String> words = new ArrayList<>();
            String server = null;
            Way way = Way.UDP;
            String value = null;
            boolean brief = false;
            for (String arg : args) {
                if (arg.startsWith("@")) {
                    server = arg.substring(1);
                } else if (arg.equals("+tcp")) {
                    way = Way.TCP;
                } else if (arg.equals("+tls") || arg.startsWith("+tls=")) {
                    way = Way.TLS;
                    value = arg.length() > 5 ? arg.substring(5) : null;
                } else if (arg.equals("+https") || arg.startsWith("+https=")) {
                    way = Way.HTTPS;
                    value = arg.length() > 7 ? arg.substring(7) : "/dns-query";
                } else if (arg.equals("+short")) {
                    brief = true;
                } else if (arg.startsWith("+") || arg.startsWith("-") || words.size() == 2) {
                    throw new IllegalArgumentException(
                            arg + ": unknown option (expected: " + USAGE + ")");
                } else {
                    words.add(arg);
                }
            }
            if (words.isEmpty()) {
                throw new IllegalArgumentException("no name (expected: " + USAGE + ")");
            }
            RecordType type = words.size() == 2 ? RecordType.parse(words.get(1)) : RecordType.A;
            return new Command(
                    DnsName.ofUnicode(words.getFirst()), type, server, way, value, brief);
        }

        /// Null unless it is needed, as it reads the system's authorities.
        @Nullable HttpClient httpClient(EventLoopGroup group) {
            return way == Way.HTTPS ? HttpClient.builder().group(group).build() : null;
        }

        /// Without a server, those of the system.
        ResolverConfig config(@Nullable HttpClient client) throws IOException {
            ResolverConfig system = ResolvConf.system();
            List<DnsServer> servers = new ArrayList<>();
            if (way == Way.HTTPS) {
                servers.add(overHttps(client));
            } else if (server != null) {
                servers.add(way(address(server, way == Way.TLS)));
            } else {
                for (DnsServer known : system.servers()) {
                    if (known instanceof DnsServer.Plain plain) {
                        int port = way == Way.TLS ? DnsServer.TLS_PORT : DnsServer.PORT;
                        servers.add(way(new InetSocketAddress(plain.address().getAddress(), port)));
                    }
                }
            }
            return ResolverConfig.DEFAULT.servers(servers).timeout(system.timeout());
        }

        /// The client of HTTP finds the server, and checks that it is the one that was named.
        private DnsServer overHttps(@Nullable HttpClient client) {
            if (server == null || client == null) {
                throw new IllegalArgumentException(
                        "+https without a server (expected: " + USAGE + ")");
            }
            return DohTransport.post(client, "https://" + server + value).server();
        }

        /// As dig does, TLS without a host name takes any certificate.
        private DnsServer way(InetSocketAddress address) {
            return switch (way) {
                case UDP -> new DnsServer.Plain(address, false);
                case TCP -> new DnsServer.Plain(address, true);
                case HTTPS -> throw new IllegalStateException("of no address");
                case TLS ->
                        value != null
                                ? DnsServer.tls(address, value)
                                : new DnsServer.Tls(address, false, null, Set.of(), null, null);
            };
        }

        private static InetSocketAddress address(String server, boolean tls) throws IOException {
            int port = tls ? DnsServer.TLS_PORT : DnsServer.PORT;
            try {
                return DnsServer.address(server, port);
            } catch (IllegalArgumentException e) {
                int colon = server.indexOf(':');
                String host = colon < 0 ? server : server.substring(0, colon);
                try {
                    InetAddress found = InetAddress.getByName(host);
                    String digits = colon < 0 ? "" : server.substring(colon);
                    return DnsServer.address(
                            (found.getAddress().length == 4
                                            ? found.getHostAddress()
                                            : "[" + found.getHostAddress() + "]")
                                    + digits,
                            port);
                } catch (UnknownHostException _) {
                    throw new IOException("@" + server + ": unknown host", e);
                }
            }
        }
    }
}
