package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.http.client.HttpClient;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Runs the server and a client on a simulated network, in virtual time: no port, no thread, no
/// sleep, and the same run each time.
class ServerTest {
    private final Simulation simulation = new Simulation(1, Faults.none());
    private final SimHost home = simulation.host("server");
    private final HttpClient client =
            HttpClient.builder()
                    .group(simulation.host("client").group(1))
                    .bootstrap(b -> b.remoteAddress(_ -> home.address(80)))
                    .build();

    @BeforeEach
    void serve() {
        new ServerBootstrap(home.group(1))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(HttpServer.builder().routes(Server.routes()).initializer())
                .bind(home.address(80));
    }

    @AfterEach
    void end() {
        simulation.close();
    }

    private Response get(String path) {
        CompletableFuture<Response> response =
                client.sendAsync(Request.get("http://server" + path));
        assertTrue(simulation.runUntil(response::isDone, Duration.ofMinutes(1)));
        return response.join();
    }

    @Test
    void greetsByName() throws Exception {
        assertEquals("Hello, world!\n", get("/hello/world").body().asString());
    }

    @Test
    void knowsNoOtherPath() {
        assertEquals(404, get("/nowhere").status().code());
    }
}
