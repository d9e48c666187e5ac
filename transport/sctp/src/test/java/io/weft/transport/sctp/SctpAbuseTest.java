package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static io.weft.transport.sctp.Rig.get;
import static io.weft.transport.sctp.Rig.loopback;
import static io.weft.transport.sctp.Rig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.UnsentMessageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Peers that break off, messages that no association takes, and channels that asked for no
/// notifications.
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("io.weft.transport.sctp.Rig#transports")
@Timeout(300)
class SctpAbuseTest {
    private final Rig rig;

    SctpAbuseTest(String transport) {
        rig = new Rig(transport);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private SctpAddress listen() {
        return rig.listen(SctpAddress.messages(loopback(1, 0)));
    }

    @Test
    void abortAmidLongMessagesEndsTheServersChannel() {
        SctpAddress at = listen();
        for (int i = 0; i < 8; i++) {
            Rig.Side client = rig.connect(at);
            for (int k = 0; k < 8; k++) {
                client.channel().writeAndFlush(SctpMessage.of(ascii("x".repeat(90_000)), k));
            }
            Rig.Side server = rig.accepted();
            assertThat(server.heard().message().text()).startsWith("x");
            var _ = client.channel().abort();
            server.heard().awaitEnd();
        }
    }

    @Test
    void associationEndsWithoutNotifications() {
        rig.notifications = Set.of();
        SctpAddress at = listen();
        Rig.Side gone = rig.connect(at);
        write(gone.channel(), SctpMessage.of(ascii("gone"), 0)).join();
        Rig.Side server = rig.accepted();
        assertThat(server.heard().message().text()).isEqualTo("gone");
        var _ = gone.channel().abort();
        server.heard().awaitEnd();

        Rig.Side shut = rig.connect(at);
        write(shut.channel(), SctpMessage.of(ascii("shut"), 0)).join();
        server = rig.accepted();
        assertThat(server.heard().message().text()).isEqualTo("shut");
        var _ = shut.channel().close();
        server.heard().awaitEnd();
        shut.heard().awaitEnd();
    }

    @Test
    void peeledOffAssociationEndsWithoutNotifications() {
        rig.notifications = Set.of();
        Rig.Side many = rig.connect(SctpAddress.associations(loopback(1, 0)));
        int port = get(many.channel(), SctpOption.LOCAL_ADDRESSES).getFirst().getPort();
        for (int i = 0; i < 3; i++) {
            Rig.Side client = rig.connect(SctpAddress.messages(loopback(1, port)));
            write(client.channel(), SctpMessage.of(ascii("hello"), 0)).join();
            int association = many.heard().message().message().association();
            Rig.Side alone =
                    rig.connect(
                            SctpAddress.of(loopback(1, port))
                                    .peeledFrom(many.channel(), association),
                            many.channel().eventLoop());
            switch (i) {
                case 0 -> {
                    var _ = client.channel().close();
                }
                case 1 -> {
                    var _ = client.channel().abort();
                }
                default -> {
                    var _ = alone.channel().close();
                }
            }
            alone.heard().awaitEnd();
            client.heard().awaitEnd();
        }
        assertThat(many.channel().isOpen()).isTrue();
    }

    @Test
    void streamsOutOfRangeFailAloneAmongGoodOnes() {
        Rig.Side client = rig.connect(listen());
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            SctpMessage message = SctpMessage.of(ascii("m" + i), i % 2 == 0 ? 9 : 10 + i * 1000);
            if (i % 2 == 0) {
                client.channel().writeAndFlush(message);
                sent.add("m" + i);
            } else {
                assertThatThrownBy(() -> write(client.channel(), message).join())
                        .hasRootCauseInstanceOf(UnsentMessageException.class);
            }
        }
        Rig.Side server = rig.accepted();
        sent.forEach(text -> assertThat(server.heard().message().text()).isEqualTo(text));
    }

    @Test
    void floodOfAssociationsOfOneSocketEndsWithIt() {
        Rig.Side many = rig.connect(SctpAddress.associations(loopback(1, 0)));
        int port = get(many.channel(), SctpOption.LOCAL_ADDRESSES).getFirst().getPort();
        List<Rig.Side> clients = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Rig.Side client = rig.connect(SctpAddress.messages(loopback(1, port)));
            client.channel().writeAndFlush(SctpMessage.of(ascii("m" + i), i % 10));
            clients.add(client);
        }
        clients.forEach(_ -> assertThat(many.heard().message().text()).startsWith("m"));
        var _ = many.channel().close();
        clients.forEach(client -> client.heard().awaitEnd());
    }
}
