package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.Datagram;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// A datagram over which a handler throws takes nothing from other senders.
@EveryTransport
@Warns
class DatagramExceptionTest {
    private final Rig rig;
    private final List<String> taken = new CopyOnWriteArrayList<>();

    DatagramExceptionTest(String transport) throws IOException {
        Assumptions.assumeFalse(transport.equals("local"), "streams only");
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private final class Picky implements MessageHandler<Datagram> {
        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
            String text = datagram.content().readString(StandardCharsets.UTF_8);
            if (text.equals("bad")) {
                throw new IllegalArgumentException(text);
            }
            taken.add(text);
        }
    }

    @Test
    void handlerThatThrowsLeavesItsChannelOpen() {
        Channel server =
                new DatagramBootstrap(rig.group)
                        .handler(ch -> ch.pipeline().addLast(new Picky()))
                        .bind(Rig.ANY_PORT)
                        .join();
        var address = server.eventLoop().submit(server::localAddress).join();
        Channel client = new DatagramBootstrap(rig.group).handler(_ -> {}).connect(address).join();
        for (String text : List.of("one", "bad", "two", "bad", "three")) {
            client.writeAndFlush(Rig.buffer(text));
        }
        Rig.awaitTrue("three datagrams", () -> taken.size() == 3);
        assertThat(taken).containsExactly("one", "two", "three");
        assertThat(server.isActive()).isTrue();
    }
}
