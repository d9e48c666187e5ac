package io.weft.resolver.names;

import io.weft.loop.IpAddresses;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The names and addresses of a hosts file. Immutable.
///
/// A line is an address, a canonical name and any number of aliases, up to `#`. All addresses of a
/// name count, in the order of the lines. Case does not matter, nor does a dot at the end. Lines
/// that are no such thing are passed over: an address in another form than the strict one, or with
/// a scope (`fe80::1%eth0`) that names no interface of this machine.
public final class HostsFile {
    /// A file without lines.
    public static final HostsFile EMPTY = new HostsFile(Map.of());

    /// Bytes of a file that are read; what is behind them is passed over.
    static final int MAX_BYTES = 16 << 20;

    /// Addresses of one name; further ones are passed over.
    static final int MAX_ADDRESSES = 256;

    private final Map<String, List<InetAddress>> hosts;

    private HostsFile(Map<String, List<InetAddress>> hosts) {
        this.hosts = hosts;
    }

    /// Returns the path of this system's file: `/etc/hosts`, or that of Windows.
    public static Path systemPath() {
        String root = System.getenv("SystemRoot");
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows")
                ? Path.of(
                        root == null ? "C:\\Windows" : root, "System32", "drivers", "etc", "hosts")
                : Path.of("/etc/hosts");
    }

    /// Reads a file, in UTF-8; bytes that are not are passed over with their line. One that does
    /// not exist is [empty][#EMPTY]. Blocks.
    ///
    /// @throws IOException when it cannot be read
    public static HostsFile read(Path path) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(MAX_BYTES);
        } catch (NoSuchFileException _) {
            return EMPTY;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (bytes.length == MAX_BYTES) {
            text = text.substring(0, text.lastIndexOf('\n') + 1); // not half a line
        }
        return parse(text);
    }

    /// Parses the text of a file.
    public static HostsFile parse(String text) {
        Map<String, List<InetAddress>> hosts = new HashMap<>();
        int from = text.startsWith("\uFEFF") ? 1 : 0;
        text.substring(from).lines().forEach(line -> parse(line, hosts));
        hosts.replaceAll((_, addresses) -> List.copyOf(addresses));
        return new HostsFile(Map.copyOf(hosts));
    }

    private static void parse(String line, Map<String, List<InetAddress>> hosts) {
        int comment = line.indexOf('#');
        String content = (comment < 0 ? line : line.substring(0, comment)).strip();
        if (content.isEmpty()) {
            return;
        }
        String[] fields = content.split("[ \t\f\u000B\r]+", -1);
        InetAddress address = IpAddresses.parse(fields[0]);
        if (address == null) {
            return;
        }
        for (int i = 1; i < fields.length; i++) {
            try {
                List<InetAddress> of =
                        hosts.computeIfAbsent(
                                HostName.normalize(fields[i]), _ -> new ArrayList<>(1));
                if (of.size() < MAX_ADDRESSES && !has(of, address)) {
                    of.add(address);
                }
            } catch (UnknownHostException _) {
                // not a name; those beside it may be
            }
        }
    }

    /// Zones count, as for [ResolvedAddress].
    private static boolean has(List<InetAddress> known, InetAddress address) {
        ResolvedAddress same = new ResolvedAddress(address, 0);
        return known.stream().anyMatch(other -> new ResolvedAddress(other, 0).equals(same));
    }

    /// Returns the addresses of a name or an alias; none where the file does not have it.
    public List<InetAddress> addresses(String name) {
        try {
            return hosts.getOrDefault(HostName.normalize(name), List.of());
        } catch (UnknownHostException _) {
            return List.of();
        }
    }

    /// Returns all names and aliases, in lower case.
    public Set<String> names() {
        return hosts.keySet();
    }
}
