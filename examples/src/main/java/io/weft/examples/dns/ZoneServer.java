package io.weft.examples.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.examples.Example;
import io.weft.examples.Failure;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An authoritative name server for one zone, over UDP and TCP. Try it with
/// `dig @127.0.0.1 -p 5300 www.example.com`.
public final class ZoneServer {
    private static final String USAGE =
            "[--zone FILE] [--origin NAME] " + Taken.PLAIN_SOCKETS.usage();

    /// Served without `--zone`.
    private static final String SAMPLE =
            """
            $ORIGIN example.com.
            $TTL 1h
            @      IN SOA ns hostmaster ( 1 ; serial
                          2h 10m 1w 5m )
                   NS     ns
                   MX     10 mail
                   TXT    "served by Weft"
                   HTTPS  1 . alpn=h2
            ns     A      127.0.0.1
            www    A      192.0.2.1
                   AAAA   2001:db8::1
            mail   A      192.0.2.2
            web    CNAME  www
            *.any  TXT    "a wildcard"
            _http._tcp SRV 0 5 80 www
            """;

    private ZoneServer() {}

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + USAGE + ", default port 5300");
            return;
        }
        try {
            List<String> rest = new ArrayList<>();
            DnsZone zone = zone(rest, args);
            Example.main(
                    Taken.PLAIN_SOCKETS,
                    5300,
                    rest.toArray(String[]::new),
                    options -> start(options, zone));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            Failure.of(e).exit();
        }
    }

    /// Reads the zone that the options name; the other options go to `rest`.
    private static DnsZone zone(List<String> rest, String... args) {
        String file = null;
        DnsName origin = DnsName.ROOT;
        for (int i = 0; i < args.length; i++) {
            boolean ours = args[i].equals("--zone") || args[i].equals("--origin");
            if (!ours) {
                rest.add(args[i]);
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(
                        args[i] + ": no value (expected: " + USAGE + ")");
            } else if (args[i].equals("--zone")) {
                file = args[++i];
            } else {
                origin = name(args[++i]);
            }
        }
        return zone(file, origin);
    }

    private static DnsName name(String text) {
        try {
            return DnsName.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--origin: " + text + ": " + e.getMessage(), e);
        }
    }

    static DnsZone zone(@Nullable String file, DnsName origin) {
        try {
            return new DnsZone(
                    file == null
                            ? ZoneDecoder.parse(SAMPLE, origin)
                            : records(Path.of(file), origin));
        } catch (IOException e) {
            throw new UncheckedIOException("--zone: " + file + ": cannot be read", e);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    (file == null ? "sample" : file) + ": " + e.getMessage(), e);
        }
    }

    /// Reads a file, and those that it includes: their names are relative to its directory, in
    /// which they have to be.
    private static List<DnsRecord> records(Path file, DnsName origin) throws IOException {
        byte[] octets = Files.readAllBytes(file);
        Path directory = file.resolveSibling("").toRealPath();
        try (ZoneDecoder decoder = new ZoneDecoder(origin)) {
            return decoder.includes(name -> Files.readAllBytes(within(directory, name)))
                    .records(octets);
        }
    }

    /// A zone may come from others than those who run the server: it reads no file of theirs, not
    /// by a link either.
    private static Path within(Path directory, String name) throws IOException {
        Path file = directory.resolve(name).toRealPath();
        if (!file.startsWith(directory)) {
            throw new IOException("outside of the zone's directory (expected: within)");
        }
        return file;
    }

    static Example.Running start(Options options, DnsZone zone) {
        return DnsService.start(
                options,
                DnsService.group(options),
                (query, client, reply) -> answer(zone, query, client, reply),
                () -> {});
    }

    private static void answer(
            DnsZone zone, DnsMessage query, DnsService.Client client, Consumer<DnsMessage> reply) {
        // The whole zone is for its other servers, which here are those of this machine.
        if (client.overTcp() && client.local() && zone.isTransfer(query)) {
            zone.transfer(query).forEach(reply);
        } else if (client.overTcp()) {
            reply.accept(zone.answer(query));
        } else {
            reply.accept(brief(zone.answer(query)));
        }
    }

    /// RFC 8482, 4.1: to all types at once, records of one, and the DNAME record that makes them. A
    /// datagram's sender may be forged, and who is sent the answer not have asked.
    private static DnsMessage brief(DnsMessage response) {
        boolean all = response.questions().stream().anyMatch(q -> q.type().equals(RecordType.ANY));
        if (!all || response.answers().isEmpty()) {
            return response;
        }
        DnsName name = response.questions().getFirst().name();
        List<DnsRecord> kept = new ArrayList<>();
        RecordType first = null;
        for (DnsRecord record : response.answers()) {
            boolean asked = record.name().equals(name);
            first = first == null && asked ? record.type() : first;
            if (!asked || record.type().equals(first)) {
                kept.add(record);
            }
        }
        return response.sections(kept, List.of(), List.of());
    }
}
