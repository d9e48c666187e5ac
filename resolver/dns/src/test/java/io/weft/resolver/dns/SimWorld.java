package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.codec.dns.rdata.Soa;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/// A simulated network with a client, for tests of resolvers.
final class SimWorld implements AutoCloseable {
    final Simulation sim;
    final EventLoopGroup client;
    private final SimHost home;

    /// Ports, ids and spellings are the same in every run: with others, a port may come again by
    /// chance, which a server cannot tell from one that stayed open.
    private final SecureRandom chance = seeded(1);

    SimWorld() {
        this(Faults.none());
    }

    SimWorld(Faults faults) {
        sim = new Simulation(Simulation.seed(), faults);
        home = sim.host("client");
        client = home.group(1);
    }

    SimHost host(String name) {
        return sim.host(name);
    }

    /// Sockets that are open on the client's host.
    int sockets() {
        return home.descriptors();
    }

    /// Lets the client's host fail.
    void failNext(Fault fault, int times) {
        home.failNext(fault, times);
    }

    DnsResolver.Builder builder() {
        return DnsResolver.builder(client).random(chance);
    }

    static SecureRandom seeded(long seed) {
        try {
            SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(seed);
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    DnsResolver resolver(SimServer... servers) {
        DnsServer[] all = new DnsServer[servers.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = servers[i].server();
        }
        return builder().servers(all).build();
    }

    /// A server that has an address for every name.
    SimServer goodServer() {
        return SimServer.of(sim, host("good"), SimWorld::good);
    }

    /// Asks for the addresses of one name.
    DnsAnswer ask(DnsResolver resolver) {
        return await(resolver.resolve(name("www.example.com."), RecordType.A));
    }

    <V> V await(Future<V> future) {
        return sim.await(future);
    }

    Throwable failure(Future<?> future) {
        try {
            Object value = sim.await(future);
            throw new AssertionError("value: " + value + " (expected: a failure)");
        } catch (CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    @Override
    public void close() {
        sim.close();
    }

    static DnsName name(String text) {
        return DnsName.parse(text);
    }

    static DnsRecord record(String line) {
        return ZoneDecoder.parse(line, DnsName.ROOT).getFirst();
    }

    static List<DnsRecord> records(String... lines) {
        List<DnsRecord> records = new ArrayList<>();
        for (String line : lines) {
            records.add(record(line));
        }
        return records;
    }

    /// A response with these records as its answer.
    static DnsMessage answer(DnsMessage query, String... lines) {
        DnsMessage response = query.response(ResponseCode.NOERROR, records(lines));
        return response.flags(response.flags().recursionAvailable(true));
    }

    /// A response with an address.
    static DnsMessage good(DnsMessage query) {
        return answer(query, query.questions().getFirst().name() + " 60 A 192.0.2.1");
    }

    /// A negative response of the zone example.com.
    static DnsMessage nothing(DnsMessage query, ResponseCode code) {
        DnsRecord soa =
                new DnsRecord(
                        name("example.com."),
                        900,
                        new Soa(name("ns.example.com."), name("h.example.com."), 1, 1, 1, 1, 300));
        DnsMessage response = query.response(code, List.of());
        return response.sections(List.of(), List.of(soa), List.of());
    }

    /// The records of a zone for a question: those of the name and type, or the name's CNAME.
    static DnsMessage zone(DnsMessage query, String... lines) {
        DnsName asked = query.questions().getFirst().name();
        RecordType type = query.questions().getFirst().type();
        List<DnsRecord> found = new ArrayList<>();
        boolean exists = false;
        for (DnsRecord record : records(lines)) {
            if (record.name().equals(asked)) {
                exists = true;
                if (record.type().equals(type) || record.type().equals(RecordType.CNAME)) {
                    found.add(record);
                }
            }
        }
        if (found.isEmpty()) {
            return nothing(query, exists ? ResponseCode.NOERROR : ResponseCode.NXDOMAIN);
        }
        return query.response(ResponseCode.NOERROR, found);
    }
}
