package io.weft.examples.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.Opcode;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Example;
import io.weft.examples.Failure;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.loop.Future;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.DnsServer;
import io.weft.resolver.dns.ResolveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A name server that asks another one, over TLS if that has a name or a key, and keeps what it
/// hears. Try it with `./run-example.sh dns-forwarder --upstream 9.9.9.9 --tls-name dns.quad9.net`.
public final class DnsForwarder {
    private static final String USAGE =
            "--upstream ADDRESS[:PORT] [--tls-name NAME] [--tls-pin SHA256-IN-BASE64] "
                    + Taken.PLAIN_SOCKETS.usage();

    private static final long CACHE_OCTETS = 16 << 20;

    private DnsForwarder() {}

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + USAGE + ", default port 5301");
            return;
        }
        try {
            List<String> rest = new ArrayList<>();
            DnsServer upstream = upstream(rest, args);
            Example.main(
                    Taken.PLAIN_SOCKETS,
                    5301,
                    rest.toArray(String[]::new),
                    options -> start(options, upstream));
        } catch (IllegalArgumentException e) {
            Failure.of(e).exit();
        }
    }

    static DnsServer upstream(List<String> rest, String... args) {
        String address = null;
        String name = null;
        String pin = null;
        for (int i = 0; i < args.length; i++) {
            boolean ours =
                    args[i].equals("--upstream")
                            || args[i].equals("--tls-name")
                            || args[i].equals("--tls-pin");
            if (!ours) {
                rest.add(args[i]);
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(
                        args[i] + ": no value (expected: " + USAGE + ")");
            } else if (args[i].equals("--upstream")) {
                address = args[++i];
            } else if (args[i].equals("--tls-pin")) {
                pin = args[++i];
            } else {
                name = args[++i];
            }
        }
        if (address == null) {
            throw new IllegalArgumentException("no --upstream (expected: " + USAGE + ")");
        }
        if (name == null && pin == null) {
            return DnsServer.of(address);
        }
        // Either proves the server: a name by its certificate, a pin by its key (RFC 7858, 4.2).
        Set<Octets> pins = pin == null ? Set.of() : Set.of(pin(pin));
        return new DnsServer.Tls(
                DnsServer.address(address, DnsServer.TLS_PORT), true, name, pins, null, null);
    }

    private static Octets pin(String base64) {
        try {
            Octets pin = Octets.ofBase64(base64);
            if (pin.length() == 32) {
                return pin;
            }
        } catch (IllegalArgumentException _) {
            // said below
        }
        throw new IllegalArgumentException(
                "--tls-pin: " + base64 + " (expected: 32 octets of SHA-256 in base 64)");
    }

    static Example.Running start(Options options, DnsServer... upstream) {
        EventLoopGroup group = DnsService.group(options);
        DnsResolver resolver = DnsResolver.builder(group).servers(upstream).build();
        DnsCache cache = new DnsCache(CACHE_OCTETS, () -> System.nanoTime() / 1_000_000_000);
        return DnsService.start(
                options,
                group,
                (query, _, reply) -> answer(resolver, cache, query, reply),
                resolver);
    }

    private static void answer(
            DnsResolver resolver, DnsCache cache, DnsMessage query, Consumer<DnsMessage> reply) {
        if (!query.opcode().equals(Opcode.QUERY)) {
            reply.accept(own(query, ResponseCode.NOTIMP));
            return;
        }
        if (query.questions().size() != 1) {
            reply.accept(own(query, ResponseCode.FORMERR));
            return;
        }
        RecordType type = query.questions().getFirst().type();
        if (type.isMeta() && !type.equals(RecordType.ANY)) { // transfers are not for others
            reply.accept(own(query, ResponseCode.REFUSED));
            return;
        }
        DnsMessage kept = cache.get(query);
        if (kept != null) {
            reply.accept(forwarded(query, kept));
            return;
        }
        var _ =
                resolver.exchange(query)
                        .addListener(outcome -> reply.accept(response(cache, query, outcome)));
    }

    private static DnsMessage response(
            DnsCache cache, DnsMessage query, Future<DnsMessage> outcome) {
        DnsMessage response = outcome.now();
        if (response != null) {
            cache.put(query, response);
            return forwarded(query, response);
        }
        ResponseCode code =
                outcome.cause() instanceof ResolveException e && e.code() != null
                        ? e.code()
                        : ResponseCode.SERVFAIL;
        // Of this hop, as FORMERR would be, the client knows nothing.
        boolean ours = code.equals(ResponseCode.FORMERR) || code.number() > 15;
        return own(query, ours ? ResponseCode.SERVFAIL : code);
    }

    /// RFC 1035, 4.1.1: that others are asked is told whatever comes of it.
    private static DnsMessage own(DnsMessage query, ResponseCode code) {
        DnsMessage response = query.response(code, List.of());
        return response.flags(response.flags().recursionAvailable(true));
    }

    /// The response with the id of this query, and with EDNS if this one has it.
    private static DnsMessage forwarded(DnsMessage query, DnsMessage response) {
        DnsMessage mine = own(query, response.code());
        return mine.flags(mine.flags().authentic(response.flags().isAuthentic()))
                .sections(response.answers(), response.authorities(), response.additionals());
    }
}
