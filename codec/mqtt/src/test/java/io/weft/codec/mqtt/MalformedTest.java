package io.weft.codec.mqtt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedTest {
    private static final MqttLimits LIMITS =
            MqttLimits.DEFAULT.packetBytes(4000).wholePayload(100).propertyBytes(500).filters(20);

    static List<Malformed.Vector> ofClients() {
        return Malformed.ofClients();
    }

    static Stream<Malformed.Vector> ofServers3() {
        return Malformed.ofServers(MqttVersion.V3_1_1).stream();
    }

    static Stream<Malformed.Vector> ofServers5() {
        return Malformed.ofServers(MqttVersion.V5).stream();
    }

    private static MqttException refused(MqttDecoder decoder, byte[] wire) {
        return catchThrowableOfType(MqttException.class, () -> Wire.decode(decoder, wire));
    }

    @ParameterizedTest
    @MethodSource("ofClients")
    void serverRefusesWithTheReason(Malformed.Vector vector) {
        MqttException e = refused(MqttDecoder.server(LIMITS), vector.wire());
        assertThat(e.reason()).as(e.getMessage()).isEqualTo(vector.reason());
        assertThat(e).hasMessageContaining("(expected: ");
        assertReply(e);
    }

    @ParameterizedTest
    @MethodSource("ofServers3")
    void oldClientRefusesWithTheReason(Malformed.Vector vector) {
        MqttException e = refused(MqttDecoder.client(MqttVersion.V3_1_1), vector.wire());
        assertThat(e.reason()).as(e.getMessage()).isEqualTo(vector.reason());
        assertThat(e.reply()).isNull();
    }

    @ParameterizedTest
    @MethodSource("ofServers5")
    void clientRefusesWithTheReason(Malformed.Vector vector) {
        MqttException e = refused(MqttDecoder.client(MqttVersion.V5), vector.wire());
        assertThat(e.reason()).as(e.getMessage()).isEqualTo(vector.reason());
        assertThat(e.reply()).isInstanceOf(Disconnect.class);
        assertReply(e);
    }

    /// A reply can be sent, and says the reason if its packet may.
    private static void assertReply(MqttException e) {
        MqttPacket reply = e.reply();
        if (reply == null) {
            return;
        }
        byte[] wire = Wire.encode(e.version(), reply);
        assertThat(wire).isNotEmpty();
        if (reply instanceof Disconnect d && e.reason().isOf(PacketType.DISCONNECT)) {
            assertThat(d.reason()).isEqualTo(e.reason());
        }
        if (reply instanceof ConnAck a && e.reason().isOf(PacketType.CONNACK)) {
            assertThat(a.reason()).isEqualTo(e.reason());
        }
    }

    @Test
    void versionsOfTheFutureAreAnsweredAsThoseOf311() {
        MqttException e =
                refused(MqttDecoder.server(), Wire.hex("10 0c 0004 4d515454 06 02 0000 0000"));
        assertThat(Wire.encode(e.version(), requireNonNull(e.reply())))
                .isEqualTo(Wire.hex("20 02 00 01"));
    }

    @Test
    void faultOfAConnectOf5IsAnsweredByConnAck() {
        MqttException e =
                refused(MqttDecoder.server(), Wire.hex("10 0d 0004 4d515454 05 03 0000 00 0000"));
        assertThat(Wire.encode(e.version(), requireNonNull(e.reply())))
                .isEqualTo(Wire.hex("20 03 00 81 00"));
    }

    @Test
    void faultAfterConnectOf5IsAnsweredByDisconnect() {
        MqttException e =
                refused(MqttDecoder.server(), Wire.hex(Malformed.V5 + "30 04 0001 2b 00"));
        assertThat(Wire.encode(e.version(), requireNonNull(e.reply())))
                .isEqualTo(Wire.hex("e0 01 90"));
    }

    @Test
    void faultsBefore5HaveNoAnswer() {
        MqttException e = refused(MqttDecoder.server(), Wire.hex(Malformed.V3 + "36 03 0001 61"));
        assertThat(e.reply()).isNull();
        assertThat(e.version()).isEqualTo(MqttVersion.V3_1_1);
    }

    @Test
    void lengthsAreCheckedBeforeTheirBytesArrive() {
        byte[] wire = Wire.hex(Malformed.V5 + "30 ff ff ff 7f");
        assertThat(refused(MqttDecoder.server(), wire).reason())
                .isEqualTo(ReasonCode.PACKET_TOO_LARGE);
    }

    @Test
    void longLengthsAreTakenBefore5() {
        byte[] wire = Wire.hex(Malformed.V3 + "c0 80 80 00");
        assertThat(Wire.decode(MqttDecoder.server(), wire)).hasSize(2);
    }

    @Test
    void duplicateFlagsOfOldPacketsAreTaken() {
        byte[] wire = Wire.hex(Malformed.OLD + "8a 06 0001 0001 61 00 6a 02 0001");
        assertThat(Wire.decode(MqttDecoder.server(), wire)).hasSize(3);
    }

    @Test
    void credentialsMayMissInOldConnects() {
        byte[] wire = Wire.hex("10 0f 0006 4d5149736470 03 c2 0000 0001 61");
        Connect connect = (Connect) Wire.decode(MqttDecoder.server(), wire).getFirst();
        assertThat(connect.userName()).isNull();
        assertThat(connect.password()).isNull();
    }

    @Test
    void inputBehindAFaultIsIgnored() {
        byte[] wire = Arrays.copyOf(Wire.hex("00 00"), 100);
        assertThat(refused(MqttDecoder.server(), wire).reply()).isNull();
    }
}
