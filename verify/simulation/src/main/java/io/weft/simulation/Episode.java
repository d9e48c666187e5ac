package io.weft.simulation;

import io.weft.buffer.Ledger;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import io.weft.transport.udt.UdtAddress;
import io.weft.transport.udt.UdtOption;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// Some hours of a server, its clients, and everything that goes wrong, all from one seed.
///
/// Invariants:
/// - Every byte of every answer is the right one, in order, or the connection is told that it
///   ended.
/// - Every connection begins once and ends once; every connect and every write gets its outcome.
/// - No timer runs early.
/// - When things stop going wrong, every client gets answers again.
/// - When the clients leave, no descriptor, no buffer, no loop is left.
final class Episode {
    private static final Duration CALM = Duration.ofMinutes(20);

    /// The largest number of times that a client is waited for that long: it may think for a while,
    /// and end what it has begun before the answer comes, so that one in a thousand has no answer
    /// after the first time.
    private static final int PATIENCE = 9;

    private final Simulation simulation;
    private final SplittableRandom random;
    private final Tally tally = new Tally();
    private final List<SimHost> hosts = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final int[] served = new int[1];

    /// The handlers that come before the server's.
    private final ChannelInitializer before;

    private final UnaryOperator<SocketAddress> transport;

    Episode(long seed) {
        this(seed, _ -> {});
    }

    /// @param before comes before the handlers of the server of frames: to see that what it breaks
    ///     is found
    Episode(long seed, ChannelInitializer before) {
        this(seed, before, address -> address);
    }

    /// Returns an episode whose connections are streams of UDT, over datagrams.
    static Episode overUdt(long seed) {
        return new Episode(seed, _ -> {}, address -> UdtAddress.of((InetSocketAddress) address));
    }

    private Episode(long seed, ChannelInitializer before, UnaryOperator<SocketAddress> transport) {
        this.before = before;
        this.transport = transport;
        simulation = new Simulation(seed, Faults.none());
        random = simulation.random();
    }

    /// A bad day, but never the same.
    private Faults faults() {
        Faults faults = Faults.rough();
        double[] factors = {0, 0.3, 1, 3};
        for (Fault fault : Fault.values()) {
            double factor = factors[random.nextInt(factors.length)];
            faults = faults.with(fault, Math.min(1, faults.rate(fault) * factor));
        }
        return faults;
    }

    /// Runs for `time` and then until everything has ended.
    Tally run(Duration time) {
        try (simulation) {
            start();
            simulation.faults(faults());
            simulation.run(time);
            calm();
            leave();
        }
        if (!Ledger.takeOpen().isEmpty()) {
            tally.broken("buffers are left open");
        }
        return tally;
    }

    private void start() {
        SimHost server = simulation.host("server");
        hosts.add(server);
        if (random.nextInt(3) == 0) {
            server.descriptorLimit(4 + random.nextInt(8));
        }
        int high = 1 << (10 + random.nextInt(7));
        ServerChannel frames =
                simulation.await(
                        new ServerBootstrap(server.group(1 + random.nextInt(3)))
                                .childOption(
                                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                                        new WriteBufferWaterMark(high / 2, high, 1 << 21))
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, random.nextBoolean())
                                .childHandler(
                                        ch -> {
                                            FrameServer.addTo(ch, tally, served);
                                            before.initChannel(ch);
                                        })
                                .option(UdtOption.RANDOM, random.split())
                                .bind(transport.apply(server.address(7))));
        ServerChannel http =
                simulation.await(
                        new ServerBootstrap(server.group(1 + random.nextInt(2)))
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                                .childHandler(
                                        HttpServer.builder()
                                                .handler(
                                                        request ->
                                                                Response.text("")
                                                                        .withBody(request.body()))
                                                .initializer())
                                .option(UdtOption.RANDOM, random.split())
                                .bind(transport.apply(server.address(80))));
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            SimHost host = simulation.host("client-" + i);
            hosts.add(host);
            boolean speaksHttp = i % 2 == 1;
            Client client =
                    new Client(
                            host,
                            simulation,
                            speaksHttp ? http.localAddress() : frames.localAddress(),
                            speaksHttp ? Dialect.HTTP : Dialect.FRAMES,
                            Duration.ofSeconds(10 + random.nextInt(120)),
                            tally);
            clients.add(client);
            client.start();
        }
    }

    /// Ends all faults: a client that does not get an answer in time then never will.
    private void calm() {
        simulation.faults(Faults.none());
        simulation.network().healAll();
        hosts.getFirst().descriptorLimit(1 << 20);
        simulation.run(CALM);
        clients.forEach(client -> client.answers = 0);
        int waited = 0;
        do {
            simulation.run(CALM);
        } while (++waited < PATIENCE && clients.stream().anyMatch(c -> c.answers == 0));
        for (Client client : clients) {
            if (client.answers == 0) {
                tally.broken(client.name + ": no answers though nothing goes wrong");
            }
        }
    }

    private void leave() {
        clients.forEach(Client::stop);
        simulation.run(CALM);
        for (Client client : clients) {
            if (client.open != 0) {
                tally.broken(client.name + ": connections left: " + client.open);
            }
            if (client.unsent != 0) {
                tally.broken(client.name + ": writes without an outcome: " + client.unsent);
            }
        }
        if (served[0] != 0) {
            tally.broken("server: connections left: " + served[0]);
        }
        for (SimHost host : hosts) {
            int expected = host == hosts.getFirst() ? 2 : 0;
            if (host.descriptors() != expected) {
                tally.broken(
                        host
                                + ": descriptors: "
                                + host.descriptors()
                                + " (expected: "
                                + expected
                                + ")");
            }
        }
    }

    /// Returns the data that is needed to run it again.
    @Override
    public String toString() {
        return simulation.toString();
    }

    /// The last events.
    String trace() {
        return simulation.trace().tail();
    }

    long hash() {
        return simulation.trace().hash();
    }

    long events() {
        return simulation.trace().events();
    }

    Duration elapsed() {
        return simulation.elapsed();
    }
}
