package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static io.weft.transport.sctp.Rig.get;
import static io.weft.transport.sctp.Rig.loopback;
import static io.weft.transport.sctp.Rig.set;
import static io.weft.transport.sctp.Rig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Bootstrap;
import io.weft.engine.ChannelOption;
import io.weft.ffi.Sctp;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Extensions of SCTP between two ends that both have them; `dev/sctp.sh` runs these where the
/// kernel has SCTP.
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("io.weft.transport.sctp.Rig#transports")
@Timeout(300)
class SctpExtensionsTest {
    private static final int ALL_REQUESTS = 7;

    /// `struct sctp_authchunk`: the type of a chunk that is to be authenticated.
    private static final ChannelOption<byte[]> AUTH_CHUNK =
            ChannelOption.ofBytes("SCTP_AUTH_CHUNK", Sctp.IPPROTO_SCTP, Sctp.SCTP_AUTH_CHUNK, 1);

    /// `struct sctp_authchunks`: the association, a count, and the chunks' types.
    private static final ChannelOption<byte[]> LOCAL_AUTH_CHUNKS =
            ChannelOption.ofBytes(
                    "SCTP_LOCAL_AUTH_CHUNKS", Sctp.IPPROTO_SCTP, Sctp.SCTP_LOCAL_AUTH_CHUNKS, 64);

    private final Rig rig;

    SctpExtensionsTest(String transport) {
        rig = new Rig(transport);
        rig.notifications = Set.of(SctpNotification.Kind.values());
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private record Ends(Rig.Side client, Rig.Side server) {}

    /// Connects with options of both ends.
    @SuppressWarnings("unchecked") // keys and values are of one type
    private Ends connect(Map<ChannelOption<?>, Object> options) {
        var server = rig.server();
        Heard heard = new Heard();
        var client =
                new Bootstrap(rig.group)
                        .option(SctpOption.NOTIFICATIONS, rig.notifications)
                        .handler(channel -> channel.pipeline().addLast(heard));
        options.forEach(
                (option, value) -> {
                    server.option((ChannelOption<Object>) option, value);
                    client.option((ChannelOption<Object>) option, value);
                });
        var at = server.bind(SctpAddress.messages(loopback(1, 0))).join().localAddress();
        var channel = client.connect(at).join();
        return new Ends(new Rig.Side(channel, heard), rig.accepted());
    }

    private Ends reconfigurable() {
        return connect(
                Map.of(
                        SctpOption.RECONFIG_SUPPORTED,
                        true,
                        SctpOption.ENABLE_STREAM_RESET,
                        ALL_REQUESTS));
    }

    @Test
    void streamsAreResetOnBothSides() {
        Ends ends = reconfigurable();
        write(ends.client().channel(), SctpMessage.of(ascii("before"), 2)).join();
        assertThat(ends.server().heard().message().text()).isEqualTo("before");

        SctpStreamReset outgoing = new SctpStreamReset(false, true, List.of(2));
        set(ends.client().channel(), SctpOption.RESET_STREAMS, outgoing);
        var told = ends.server().heard().event(SctpNotification.StreamReset.class);
        assertThat(told.incoming()).isTrue();
        assertThat(told.denied()).isFalse();
        assertThat(ends.client().heard().event(SctpNotification.StreamReset.class).outgoing())
                .isTrue();
        write(ends.client().channel(), SctpMessage.of(ascii("after"), 2)).join();
        assertThat(ends.server().heard().message().text()).isEqualTo("after");
    }

    @Test
    void streamsAreAdded() {
        Ends ends = reconfigurable();
        int before = get(ends.client().channel(), SctpOption.STATUS).outboundStreams();
        set(ends.client().channel(), SctpOption.ADD_STREAMS, new SctpStreams(0, 5));
        var change = ends.client().heard().event(SctpNotification.StreamChange.class);
        assertThat(change.denied()).isFalse();
        assertThat(change.failed()).isFalse();
        assertThat(get(ends.client().channel(), SctpOption.STATUS).outboundStreams())
                .isEqualTo(before + 5);
        write(ends.client().channel(), SctpMessage.of(ascii("new"), before + 4)).join();
        assertThat(ends.server().heard().message().message().stream()).isEqualTo(before + 4);
    }

    @Test
    void withoutTheExtensionResetsAreRefused() {
        Ends ends = connect(Map.of());
        SctpStreamReset all = new SctpStreamReset(true, true, List.of());
        assertThatThrownBy(() -> set(ends.client().channel(), SctpOption.RESET_STREAMS, all))
                .hasRootCauseInstanceOf(IOException.class);
        write(ends.client().channel(), SctpMessage.of(ascii("goes on"), 0)).join();
        assertThat(ends.server().heard().message().text()).isEqualTo("goes on");
    }

    @Test
    void aMessageWhoseTimeIsOverIsGivenUp() {
        Ends ends =
                connect(
                        Map.of(
                                SctpOption.PARTIAL_RELIABILITY,
                                true,
                                ChannelOption.SO_RCVBUF,
                                16 << 10));
        ends.server().channel().autoRead(false);
        SctpReliability brief = SctpReliability.lifetime(Duration.ofMillis(1));
        String text = "x".repeat(4000);
        for (int i = 0; i < 30; i++) {
            ends.client()
                    .channel()
                    .writeAndFlush(SctpMessage.of(ascii(text), 0).withReliability(brief));
        }
        assertThat(ends.client().heard().event(SctpNotification.SendFailed.class).stream())
                .isZero();
        ends.server().channel().autoRead(true);
        write(ends.client().channel(), SctpMessage.of(ascii("reliable"), 0));
        String last;
        do {
            last = ends.server().heard().message().text();
        } while (!last.equals("reliable"));
    }

    @Test
    void dataAreAuthenticated() {
        Ends ends =
                connect(Map.of(SctpOption.AUTH_SUPPORTED, true, AUTH_CHUNK, new byte[1])); // DATA
        write(ends.client().channel(), SctpMessage.of(ascii("signed"), 0)).join();
        assertThat(ends.server().heard().message().text()).isEqualTo("signed");
        byte[] chunks = get(ends.client().channel(), LOCAL_AUTH_CHUNKS);
        assertThat(chunks.length).isGreaterThan(8);
        assertThat(Arrays.copyOfRange(chunks, 8, chunks.length)).contains(0);
    }
}
