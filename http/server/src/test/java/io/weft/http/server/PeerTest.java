package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerTest {
    @Test
    void requestsOfAConnectionHaveItsPeer() {
        List<Request> requests = new ArrayList<>();
        Application application =
                new Application.Direct(
                        request -> {
                            requests.add(request);
                            return Response.text("");
                        });
        try (EmbeddedChannel channel = Http1Channels.of(application)) {
            channel.receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
            Peer peer = requests.getFirst().peer();
            assertThat(peer).isNotNull().isEqualTo(requests.getLast().peer());
            assertThat(peer.address()).isEqualTo(channel.channel().remoteAddress());
            assertThat(peer.localAddress()).isEqualTo(channel.channel().localAddress());
            assertThat(peer.tls()).isNull();
            Request changed = requests.getFirst().withHeader("a", "b").withBody(Body.empty());
            assertThat(changed.peer()).isSameAs(peer);
        }
        assertThat(Request.get("/").peer()).isNull();
    }
}
