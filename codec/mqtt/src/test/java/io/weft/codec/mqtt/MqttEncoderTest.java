package io.weft.codec.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.codec.Output;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MqttEncoderTest {
    @Test
    void specificationsExampleOfConnect() {
        Connect connect =
                new Connect(
                        MqttVersion.V3_1_1,
                        true,
                        10,
                        MqttProperties.NONE,
                        "id",
                        Will.of(Topic.of("w"), QoS.AT_LEAST_ONCE, false, Binary.of("m")),
                        "u",
                        Binary.of("p"));
        assertThat(Wire.hex(Wire.encode(MqttVersion.V5, connect)))
                .isEqualTo("101a00044d51545404ce000a0002696400017700016d000175000170");
    }

    @Test
    void successesAreLeftOut() {
        assertThat(Wire.encode(MqttVersion.V5, PubAck.of(5))).isEqualTo(Wire.hex("40 02 0005"));
        assertThat(Wire.encode(MqttVersion.V5, Disconnect.normal())).isEqualTo(Wire.hex("e0 00"));
        assertThat(
                        Wire.encode(
                                MqttVersion.V5,
                                new PubRec(5, ReasonCode.QUOTA_EXCEEDED, MqttProperties.NONE)))
                .isEqualTo(Wire.hex("50 03 0005 97"));
    }

    @Test
    void reasonsOf5BecomeReturnCodes() {
        assertThat(Wire.encode(MqttVersion.V3_1_1, ConnAck.refused(ReasonCode.QUOTA_EXCEEDED)))
                .isEqualTo(Wire.hex("20 02 00 03"));
        assertThat(
                        Wire.encode(
                                MqttVersion.V3_1_1,
                                new SubAck(
                                        1,
                                        MqttProperties.NONE,
                                        List.of(ReasonCode.NOT_AUTHORIZED))))
                .isEqualTo(Wire.hex("90 03 0001 80"));
        for (ReasonCode code : ReasonCode.values()) {
            assertThat(code.returnCode()).isBetween(0, 5);
            assertThat(code.returnCode() == 0).isEqualTo(code == ReasonCode.SUCCESS);
        }
    }

    @Test
    void whatCannotBeEncodedWritesNothingAndReleases() {
        MqttEncoder v5 = new MqttEncoder(MqttVersion.V5);
        v5.maximumPacketSize(20);
        List<MqttMessage> bad =
                List.of(
                        Wire.publish("a", "x".repeat(15), QoS.AT_MOST_ONCE, 0),
                        Wire.publish("a", "x", QoS.AT_LEAST_ONCE, 0),
                        Wire.publish(
                                "a",
                                "x",
                                QoS.AT_MOST_ONCE,
                                0,
                                MqttProperties.of(MqttProperty.MAXIMUM_QOS, 1)),
                        new Publish(
                                Topic.NONE,
                                Wire.buffer("x"),
                                QoS.AT_MOST_ONCE,
                                false,
                                false,
                                0,
                                MqttProperties.NONE),
                        new Auth(ReasonCode.SUCCESS, MqttProperties.NONE),
                        new UnsubAck(1, MqttProperties.NONE, List.of()),
                        new PublishPart(Wire.buffer("x"), true),
                        Connect.of(MqttVersion.V5, "a\0b"));
        try (Output out = new Output()) {
            for (MqttMessage message : bad) {
                assertThatThrownBy(() -> v5.encode(message, out))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("(expected: ");
                assertThat(out.size()).isZero();
            }
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void propertiesBefore5AreRefused() {
        assertThatThrownBy(
                        () ->
                                Wire.encode(
                                        MqttVersion.V3_1_1,
                                        new ConnAck(false, ReasonCode.SUCCESS, Samples.USER)))
                .hasMessageContaining("none in V3_1_1");
        assertThatThrownBy(
                        () ->
                                Wire.encode(
                                        MqttVersion.V3_1_1,
                                        new Auth(
                                                ReasonCode.SUCCESS,
                                                MqttProperties.of(
                                                        MqttProperty.AUTHENTICATION_METHOD, "m"))))
                .hasMessageContaining("AUTH");
    }

    @Test
    void versionStaysWhenAConnectCannotBeEncoded() {
        MqttEncoder encoder = new MqttEncoder(MqttVersion.V3_1);
        try (Output out = new Output()) {
            assertThatThrownBy(() -> encoder.encode(Connect.of(MqttVersion.V5, "\0"), out))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(encoder.version()).isEqualTo(MqttVersion.V3_1);
        }
    }

    @Test
    void partsMustHaveTheBytesThatWereSaid() {
        MqttEncoder encoder = new MqttEncoder(MqttVersion.V5);
        PublishStart start =
                new PublishStart(
                        Topic.of("a"), QoS.AT_MOST_ONCE, false, false, 0, MqttProperties.NONE, 3);
        try (Output out = new Output()) {
            encoder.encode(start, out);
            assertThatThrownBy(() -> encoder.encode(PingReq.INSTANCE, out))
                    .hasMessageContaining("3 bytes of payload");
            assertThatThrownBy(
                            () -> encoder.encode(new PublishPart(Wire.buffer("abcd"), true), out))
                    .isInstanceOf(IllegalArgumentException.class);
            encoder.encode(new PublishPart(Wire.buffer("ab"), false), out);
            assertThatThrownBy(() -> encoder.encode(new PublishPart(Wire.buffer("c"), false), out))
                    .isInstanceOf(IllegalArgumentException.class);
            encoder.encode(new PublishPart(Wire.buffer("c"), true), out);
            encoder.encode(PingReq.INSTANCE, out);
        }
    }

    @Test
    void lengthsAreThoseOfTheBytes() {
        for (int length : new int[] {0, 1, 122, 123, 124, 125, 16_376, 16_380, 16_385, 2_097_160}) {
            byte[] wire =
                    Wire.encode(
                            MqttVersion.V5,
                            Connect.of(MqttVersion.V5, "me"),
                            Wire.publish("a", "x".repeat(length), QoS.AT_MOST_ONCE, 0));
            MqttLimits limits = MqttLimits.DEFAULT.packetBytes(1 << 22).wholePayload(1 << 22);
            Publish publish = (Publish) Wire.decode(MqttDecoder.server(limits), wire).get(1);
            assertThat(publish.payload().readableBytes()).isEqualTo(length);
            publish.close();
        }
    }

    @Test
    void everyPropertyMayStandWhereTheTableSays() {
        assertThat(MqttProperty.all()).hasSize(27);
        int places = 0;
        for (MqttProperty<?> property : MqttProperty.all()) {
            Set<PacketType> in = EnumSet.noneOf(PacketType.class);
            for (PacketType type : PacketType.values()) {
                if (property.isOf(type)) {
                    in.add(type);
                }
            }
            places += in.size() + (property.isOfWills() ? 1 : 0);
            assertThat(in).doesNotContain(PacketType.PINGREQ, PacketType.PINGRESP);
            assertThat(MqttProperty.of(property.id())).isSameAs(property);
        }
        assertThat(places).isEqualTo(64); // marks in table 2-4 of MQTT 5.0
        assertThat(MqttProperty.of(0)).isNull();
        assertThat(MqttProperty.of(43)).isNull();
    }

    @Test
    void propertiesAreReadAndReplaced() {
        MqttProperties p =
                MqttProperties.of(MqttProperty.TOPIC_ALIAS, 3)
                        .withUser("k", "v")
                        .with(MqttProperty.TOPIC_ALIAS, 4)
                        .with(MqttProperty.SUBSCRIPTION_IDENTIFIER, 1)
                        .with(MqttProperty.SUBSCRIPTION_IDENTIFIER, 200);
        assertThat(p.number(MqttProperty.TOPIC_ALIAS, -1)).isEqualTo(4);
        assertThat(p.all(MqttProperty.SUBSCRIPTION_IDENTIFIER)).containsExactly(1, 200);
        assertThat(p.user()).containsExactly(new UserProperty("k", "v"));
        assertThat(p.get(MqttProperty.CONTENT_TYPE)).isNull();
        assertThat(p.get(MqttProperty.CONTENT_TYPE, "x")).isEqualTo("x");
        assertThat(p.without(MqttProperty.TOPIC_ALIAS).contains(MqttProperty.TOPIC_ALIAS))
                .isFalse();
        assertThat(p)
                .hasToString(
                        "{user property: UserProperty[name=k, value=v], topic alias: 4,"
                                + " subscription identifier: 1, subscription identifier: 200}");
        assertThatThrownBy(() -> p.with(MqttProperty.RECEIVE_MAXIMUM, 0))
                .hasMessageContaining("receive maximum: 0 (expected: 1 to 65535)");
        assertThatThrownBy(() -> p.with(MqttProperty.RESPONSE_TOPIC, "a/#"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void passwordsAreNotPrinted() {
        assertThat(Samples.connect5().toString()).doesNotContain("secret").contains("6 bytes");
    }

    @Test
    void repliesWithinAPayloadAreLeftOut() {
        MqttEncoder encoder = new MqttEncoder(MqttVersion.V5);
        PublishStart start =
                new PublishStart(
                        Topic.of("a"), QoS.AT_MOST_ONCE, false, false, 0, MqttProperties.NONE, 3);
        try (Output out = new Output()) {
            encoder.encode(start, out);
            long size = out.size();
            encoder.reply(fault(), out);
            assertThat(out.size()).isEqualTo(size);
            encoder.encode(new PublishPart(Wire.buffer("abc"), true), out);
            encoder.reply(fault(), out);
            assertThat(out.size()).isGreaterThan(size + 3);
        }
    }

    @Test
    void versionStaysWhenAReplyCannotBeEncoded() {
        MqttEncoder encoder = new MqttEncoder(MqttVersion.V3_1);
        encoder.maximumPacketSize(1);
        try (Output out = new Output()) {
            assertThatThrownBy(() -> encoder.reply(fault(), out))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(out.size()).isZero();
        }
        assertThat(encoder.version()).isEqualTo(MqttVersion.V3_1);
    }

    private static MqttException fault() {
        return new MqttException(
                ReasonCode.PROTOCOL_ERROR,
                "fault",
                MqttVersion.V5,
                Disconnect.of(ReasonCode.PROTOCOL_ERROR));
    }
}
