package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.loop.IpAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads `resolv.conf` (resolv.conf(5)) and the files of `/etc/resolver` (resolver(5) of macOS).
///
/// As libc does, it ignores lines and options that it does not know or understand, so that a
/// mistake in one line does not take the network away. Of a file, the first 64 KiB count.
public final class ResolvConf {
    /// The file of the system.
    public static final Path SYSTEM = Path.of("/etc/resolv.conf");

    /// The directory of files for domains.
    public static final Path DOMAINS = Path.of("/etc/resolver");

    /// Servers that count; libc takes three.
    public static final int MAX_SERVERS = 8;

    /// Search domains that count.
    public static final int MAX_SEARCH = 32;

    static final int MAX_FILE = 1 << 16;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int MAX_DOMAINS = 256;
    private static final System.Logger LOG = System.getLogger("io.weft.resolver.dns");

    /// @param port 0: that of the line `port`, or of the protocol
    private record Server(InetAddress address, int port) {}

    private final List<Server> servers = new ArrayList<>();
    private List<DnsName> search = new ArrayList<>();
    private boolean hasSearch;
    private String name = "";
    private int port = DnsServer.PORT;
    private ResolverConfig config = ResolverConfig.DEFAULT;

    private ResolvConf() {}

    /// Reads the text of a file. Without a `nameserver`, it is the one of this host (127.0.0.1).
    public static ResolverConfig parse(String text) {
        return new ResolvConf().read(text).config(true);
    }

    /// Reads a file; one that does not exist is empty.
    ///
    /// @throws IOException when it cannot be read
    public static ResolverConfig read(Path file) throws IOException {
        return parse(text(file));
    }

    /// Returns the configuration of the system: [#SYSTEM] and [#DOMAINS], and what else libc goes
    /// by (resolv.conf(5)). The variable `LOCALDOMAIN` has search domains instead of the file's,
    /// `RES_OPTIONS` options behind those of the file. Without either search domains or one of
    /// `domain`, there is that of the host's name, where `/proc` tells it.
    ///
    /// @throws IOException when the files cannot be read
    public static ResolverConfig system() throws IOException {
        return system(text(SYSTEM), System::getenv, hostName()).domains(readDomains(DOMAINS));
    }

    static ResolverConfig system(
            String text, Function<String, @Nullable String> environment, String host) {
        ResolvConf read = new ResolvConf().read(text);
        String domains = environment.apply("LOCALDOMAIN");
        int dot = host.indexOf('.');
        if (domains != null) {
            read.search = List.of();
            read.search(words("search " + domains));
        } else if (!read.hasSearch && dot >= 0) {
            read.search(new String[] {"search", host.substring(dot + 1)});
        }
        String options = environment.apply("RES_OPTIONS");
        if (options != null) {
            read.options(words("options " + options));
        }
        return read.config(true);
    }

    private static String[] words(String line) {
        return line.strip().split("\\s+");
    }

    private static String hostName() {
        try {
            return text(HOST_NAME).strip();
        } catch (IOException _) {
            return ""; // a sandbox without it
        }
    }

    /// Reads the files of a directory. Each has the servers of a domain: of that which it is named
    /// after, or its line `domain` says. A directory that does not exist is empty. A file that
    /// cannot be read, or has the servers of no domain, is skipped with a WARNING in the log.
    ///
    /// @throws IOException when the directory cannot be read
    public static List<ResolverConfig.DomainServers> readDomains(Path directory)
            throws IOException {
        List<ResolverConfig.DomainServers> domains = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.isRegularFile(file) && domains.size() < MAX_DOMAINS) {
                    add(file, domains);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
        return domains;
    }

    private static void add(Path file, List<ResolverConfig.DomainServers> to) {
        try {
            ResolvConf read = new ResolvConf().read(text(file));
            List<DnsServer> servers = read.config(false).servers();
            String domain = read.name.isEmpty() ? file.getFileName().toString() : read.name;
            if (!servers.isEmpty()) {
                to.add(new ResolverConfig.DomainServers(DnsName.ofUnicode(domain), servers));
            }
        } catch (IOException | IllegalArgumentException e) {
            // One file of a domain does not take the names of all others away.
            LOG.log(System.Logger.Level.WARNING, file + ": skipped: " + e);
        }
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_FILE), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    private ResolvConf read(String text) {
        whole(text).lines().forEach(this::line);
        return this;
    }

    /// The lines that end within the bound: half an address would be another server's.
    private static String whole(String text) {
        return text.length() < MAX_FILE
                ? text
                : text.substring(0, text.lastIndexOf('\n', MAX_FILE - 1) + 1);
    }

    private void line(String line) {
        // Comments begin in the first column, or, as many write them, behind blanks.
        String[] words = words(line);
        if (words[0].isEmpty() || words[0].startsWith("#") || words[0].startsWith(";")) {
            return;
        }
        switch (words[0]) {
            case "nameserver" -> nameserver(words);
            case "domain" -> domain(words);
            case "search" -> search(words);
            case "options" -> options(words);
            case "port" -> port = words.length > 1 ? number(words[1], port, 1, 0xFFFF) : port;
            case "timeout" -> option("timeout:" + (words.length > 1 ? words[1] : ""));
            default -> {} // sortlist, family, lookup: of other systems
        }
    }

    private void nameserver(String[] words) {
        String word = words.length > 1 ? words[1] : "";
        InetAddress address = IpAddresses.parse(word);
        Server server = address == null ? bracketed(word) : new Server(address, 0);
        if (server != null && servers.size() < MAX_SERVERS && !servers.contains(server)) {
            servers.add(server);
        }
    }

    /// `[192.0.2.1]:5353`, as OpenBSD has it.
    private static @Nullable Server bracketed(String word) {
        int end = word.lastIndexOf("]:");
        if (!word.startsWith("[") || end < 0) {
            return null;
        }
        InetAddress address = IpAddresses.parse(word.substring(1, end));
        String digits = word.substring(end + 2);
        int port = digits.length() > 5 ? 0 : number(digits, 0, 0, 1 << 20);
        return address == null || port == 0 || port > 0xFFFF ? null : new Server(address, port);
    }

    /// The last of `domain` and `search` counts.
    private void domain(String[] words) {
        if (words.length > 1) {
            name = words[1];
            search(new String[] {"search", words[1]});
        }
    }

    /// A line without a domain leaves those before it, as with libc.
    private void search(String[] words) {
        boolean understood = false;
        List<DnsName> domains = new ArrayList<>();
        for (int i = 1; i < words.length && domains.size() < MAX_SEARCH; i++) {
            if (words[i].startsWith("#") || words[i].startsWith(";")) {
                break;
            }
            try {
                DnsName domain = DnsName.ofUnicode(words[i]);
                understood = true;
                // With the root, or none, a name stays as it is.
                if (!domain.isRoot() && !domains.contains(domain)) {
                    domains.add(domain);
                }
            } catch (IllegalArgumentException _) {
                // not a domain
            }
        }
        if (understood) {
            hasSearch = true;
            search = domains;
        }
    }

    private void options(String[] words) {
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith("#") || words[i].startsWith(";")) {
                return;
            }
            option(words[i].toLowerCase(Locale.ROOT));
        }
    }

    private void option(String option) {
        int colon = option.indexOf(':');
        String value = option.substring(colon + 1);
        config =
                switch (colon < 0 ? option : option.substring(0, colon)) {
                    case "ndots" -> config.ndots(number(value, config.ndots(), 0, 15));
                    case "timeout" ->
                            config.timeout(
                                    Duration.ofSeconds(
                                            number(
                                                    value,
                                                    (int) config.timeout().toSeconds(),
                                                    1,
                                                    30)));
                    case "attempts" -> config.attempts(number(value, config.attempts(), 1, 5));
                    case "rotate" -> config.rotate(true);
                    case "single-request", "single-request-reopen" -> config.singleRequest(true);
                    case "edns0" -> config.edns(true);
                    case "no-edns0", "-edns0" -> config.edns(false);
                    case "trust-ad" -> config.trustAd(true);
                    case "use-vc", "usevc", "tcp" -> config.useTcp(true);
                    default -> config; // one of other systems
                };
    }

    /// Numbers beyond the range are brought into it, as libc does; texts that are none are ignored.
    private static int number(String text, int otherwise, int min, int max) {
        if (text.isEmpty()) {
            return otherwise;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return otherwise;
            }
            number = Math.min(number * 10 + digit, 1 << 20);
        }
        return Math.clamp(number, min, max);
    }

    private ResolverConfig config(boolean local) {
        List<DnsServer> all = new ArrayList<>();
        for (Server server : servers) {
            int at = server.port == 0 ? port : server.port;
            all.add(DnsServer.of(new InetSocketAddress(server.address, at)));
        }
        if (all.isEmpty() && local) {
            all.add(DnsServer.of("127.0.0.1"));
        }
        return config.servers(all).search(search);
    }
}
