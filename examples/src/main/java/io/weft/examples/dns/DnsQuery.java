package io.weft.examples.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordClass;
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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A small dig: asks name servers, and prints the response's status and records. Try it with
/// `./run-example.sh dns-query example.com MX @9.9.9.9 +tls`.
public final class DnsQuery {
    private static final String USAGE =
            "NAME [TYPE] [CLASS] [-x ADDRESS] [@SERVER[:PORT]] [-p PORT]"
                    + " [+tcp|+tls|+tls=HOSTNAME|+https|+https=PATH] [+short]";

    private static final List<String> CLASSES = List.of("IN", "CH", "HS");

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

    /// @return the exit code: 0 for a response, 1 for none or one of a server that refuses or
    ///     fails, 2 for arguments that are wrong
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
            print(out, resolver.exchange(command.query()).join(), command.brief);
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
            DnsQuestion question,
            @Nullable Place server,
            Way way,
            @Nullable String value,
            boolean brief) {
        static Command parse(String... args) {
            List<String> words = new ArrayList<>();
            RecordClass recordClass = RecordClass.IN;
            RecordType type = null;
            DnsName reverse = null;
            String server = null;
            int port = 0;
            Way way = Way.UDP;
            String value = null;
            boolean brief = false;
            for (int i = 0; i < args.length; i++) {
                String arg = args[i];
                if (arg.startsWith("@")) {
                    server = arg.substring(1);
                } else if (arg.equals("-x")) {
                    reverse = reverse(value(args, ++i));
                } else if (arg.equals("-p")) {
                    port = portOf(arg, value(args, ++i));
                } else if (arg.equals("-t")) {
                    type = RecordType.parse(value(args, ++i));
                } else if (arg.equals("-c")) {
                    recordClass = RecordClass.parse(value(args, ++i));
                } else if (arg.equals("+tcp")) {
                    way = Way.TCP;
                } else if (arg.equals("+tls") || arg.startsWith("+tls=")) {
                    way = Way.TLS;
                    value = arg.length() > 4 ? given(arg, arg.substring(5)) : null;
                } else if (arg.equals("+https") || arg.startsWith("+https=")) {
                    way = Way.HTTPS;
                    value = arg.length() > 6 ? path(arg, arg.substring(7)) : "/dns-query";
                } else if (arg.equals("+short")) {
                    brief = true;
                } else if (!words.isEmpty() && CLASSES.contains(arg.toUpperCase(Locale.ROOT))) {
                    recordClass = RecordClass.parse(arg);
                } else if (arg.startsWith("+") || arg.startsWith("-") || words.size() == 2) {
                    throw wrong(arg + ": unknown option");
                } else {
                    words.add(arg);
                }
            }
            if (way == Way.HTTPS && server == null) {
                throw wrong("+https without a server");
            }
            return new Command(
                    question(words, reverse, type, recordClass),
                    server == null ? null : Place.parse(server, port),
                    way,
                    value,
                    brief);
        }

        /// As dig does, takes the type in front of the name too.
        private static DnsQuestion question(
                List<String> words,
                @Nullable DnsName reverse,
                @Nullable RecordType stated,
                RecordClass recordClass) {
            List<String> rest = new ArrayList<>(words);
            // A word without a dot is rather a type that is misspelt.
            if (rest.size() == 2 && rest.get(1).contains(".") && isType(rest.getFirst())) {
                Collections.swap(rest, 0, 1);
            }
            if (reverse == null && rest.isEmpty()) {
                throw wrong("no name");
            }
            DnsName name = reverse == null ? name(rest.removeFirst()) : reverse;
            RecordType type = reverse == null ? RecordType.A : RecordType.PTR;
            if (!rest.isEmpty()) {
                type = RecordType.parse(rest.removeFirst());
            }
            if (!rest.isEmpty()) {
                throw wrong(rest.getFirst() + ": unknown option");
            }
            return new DnsQuestion(name, stated == null ? type : stated, recordClass);
        }

        private static boolean isType(String word) {
            try {
                var _ = RecordType.parse(word);
                return true;
            } catch (IllegalArgumentException _) {
                return false;
            }
        }

        private static DnsName name(String text) {
            try {
                return DnsName.ofUnicode(text);
            } catch (IllegalArgumentException e) {
                String start = text.length() > 60 ? text.substring(0, 60) + "..." : text;
                throw new IllegalArgumentException(start + ": " + e.getMessage(), e);
            }
        }

        /// The name whose PTR record names an address (RFC 1035, 3.5; RFC 3596, 2.5).
        private static DnsName reverse(String literal) {
            byte[] octets;
            try {
                octets = InetAddress.ofLiteral(literal).getAddress();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "-x: " + literal + " (expected: an address of IPv4 or IPv6)", e);
            }
            StringBuilder name = new StringBuilder();
            for (int i = octets.length - 1; i >= 0; i--) {
                int octet = octets[i] & 0xFF;
                if (octets.length == 4) {
                    name.append(octet).append('.');
                } else {
                    name.append(Integer.toHexString(octet & 15)).append('.');
                    name.append(Integer.toHexString(octet >> 4)).append('.');
                }
            }
            return DnsName.parse(name + (octets.length == 4 ? "in-addr.arpa." : "ip6.arpa."));
        }

        private static String value(String[] args, int i) {
            if (i == args.length) {
                throw wrong(args[i - 1] + ": no value");
            }
            return args[i];
        }

        private static String given(String arg, String value) {
            if (value.isEmpty()) {
                throw wrong(arg + ": no value");
            }
            return value;
        }

        private static String path(String arg, String value) {
            if (!value.startsWith("/")) {
                throw new IllegalArgumentException(arg + " (expected: a path, as /dns-query)");
            }
            return value;
        }

        DnsMessage query() {
            DnsMessage any = DnsMessage.query(0, question.name(), question.type());
            return new DnsMessage(
                    0,
                    any.opcode(),
                    any.flags(),
                    any.code(),
                    List.of(question),
                    List.of(),
                    List.of(),
                    List.of(),
                    any.edns());
        }

        /// Null unless it is needed, as it reads the system's authorities.
        @Nullable HttpClient httpClient(EventLoopGroup group) {
            return way == Way.HTTPS ? HttpClient.builder().group(group).build() : null;
        }

        /// Without a server, those of the system.
        ResolverConfig config(@Nullable HttpClient client) throws IOException {
            ResolverConfig system = ResolvConf.system();
            int defaultPort = way == Way.TLS ? DnsServer.TLS_PORT : DnsServer.PORT;
            List<DnsServer> servers = new ArrayList<>();
            if (way == Way.HTTPS) {
                servers.add(overHttps(client));
            } else if (server != null) {
                servers.add(way(server.address(defaultPort)));
            } else {
                for (DnsServer known : system.servers()) {
                    if (known instanceof DnsServer.Plain plain) {
                        InetAddress host = plain.address().getAddress();
                        servers.add(way(new InetSocketAddress(host, defaultPort)));
                    }
                }
            }
            return ResolverConfig.DEFAULT.servers(servers).timeout(system.timeout());
        }

        /// The client of HTTP finds the server, and checks that it is the one that was named.
        private DnsServer overHttps(@Nullable HttpClient client) {
            return DohTransport.post(
                            Objects.requireNonNull(client),
                            "https://" + Objects.requireNonNull(server).authority() + value)
                    .server();
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
    }

    /// The place of a server.
    ///
    /// @param host name or address, without brackets
    /// @param port 0: that of the protocol
    private record Place(String host, int port) {
        /// @param port of `-p`, unless `text` has one; 0: none
        static Place parse(String text, int port) {
            int colon = text.lastIndexOf(':');
            boolean brackets = text.startsWith("[");
            String host = text;
            int own = port;
            if (brackets
                    ? text.startsWith("]", colon - 1)
                    : colon == text.indexOf(':') && colon >= 0) {
                host = text.substring(0, colon);
                own = portOf("@" + text, text.substring(colon + 1));
            }
            if (brackets && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            if (host.isEmpty() || !host.matches("[^\\[\\]/?#@ ]+")) {
                throw new IllegalArgumentException(
                        "@" + text + " (expected: @ and a host, as @192.0.2.1 or @[::1]:5300)");
            }
            return new Place(host, own);
        }

        InetSocketAddress address(int defaultPort) throws IOException {
            try {
                return new InetSocketAddress(
                        InetAddress.getByName(host), port == 0 ? defaultPort : port);
            } catch (UnknownHostException e) {
                throw new IOException("@" + host + ": unknown host", e);
            }
        }

        String authority() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]")
                    + (port == 0 ? "" : ":" + port);
        }
    }

    private static int portOf(String what, String digits) {
        if (digits.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= 0xFFFF) {
                return port;
            }
        }
        throw new IllegalArgumentException(
                what + ": " + digits + " (expected: a port from 1 to 65535)");
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " (expected: " + USAGE + ")");
    }
}
