package io.weft.codec.mqtt;

import static io.weft.codec.mqtt.MqttProperties.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Packets of all types, with all properties.
final class Samples {
    static final MqttProperties USER = NONE.withUser("a", "1").withUser("a", "2");

    private Samples() {}

    static Connect connect(MqttVersion version) {
        return Connect.of(version, "me")
                .cleanStart(false)
                .keepAlive(30)
                .will(Will.of(Topic.of("gone"), QoS.EXACTLY_ONCE, true, Binary.of("bye")))
                .credentials("user", Binary.of("secret"));
    }

    static Connect connect5() {
        MqttProperties will =
                NONE.with(MqttProperty.WILL_DELAY_INTERVAL, 5L)
                        .with(MqttProperty.PAYLOAD_FORMAT_INDICATOR, true)
                        .with(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 4_294_967_295L)
                        .with(MqttProperty.CONTENT_TYPE, "text/plain")
                        .with(MqttProperty.RESPONSE_TOPIC, "a/b")
                        .with(MqttProperty.CORRELATION_DATA, Binary.of("x"))
                        .withUser("u", "v");
        return connect(MqttVersion.V5)
                .will(new Will(Topic.of("gone"), QoS.AT_LEAST_ONCE, false, will, Binary.EMPTY))
                .properties(
                        USER.with(MqttProperty.SESSION_EXPIRY_INTERVAL, 3600L)
                                .with(MqttProperty.RECEIVE_MAXIMUM, 10)
                                .with(MqttProperty.MAXIMUM_PACKET_SIZE, 65_536L)
                                .with(MqttProperty.TOPIC_ALIAS_MAXIMUM, 5)
                                .with(MqttProperty.REQUEST_RESPONSE_INFORMATION, true)
                                .with(MqttProperty.REQUEST_PROBLEM_INFORMATION, false)
                                .with(MqttProperty.AUTHENTICATION_METHOD, "m")
                                .with(MqttProperty.AUTHENTICATION_DATA, Binary.of("d")));
    }

    static ConnAck connAck5() {
        return new ConnAck(
                true,
                ReasonCode.SUCCESS,
                USER.with(MqttProperty.SESSION_EXPIRY_INTERVAL, 0L)
                        .with(MqttProperty.RECEIVE_MAXIMUM, 65_535)
                        .with(MqttProperty.MAXIMUM_QOS, 1)
                        .with(MqttProperty.RETAIN_AVAILABLE, false)
                        .with(MqttProperty.MAXIMUM_PACKET_SIZE, 1L)
                        .with(MqttProperty.ASSIGNED_CLIENT_IDENTIFIER, "you")
                        .with(MqttProperty.TOPIC_ALIAS_MAXIMUM, 0)
                        .with(MqttProperty.REASON_STRING, "ok")
                        .with(MqttProperty.WILDCARD_SUBSCRIPTION_AVAILABLE, true)
                        .with(MqttProperty.SUBSCRIPTION_IDENTIFIERS_AVAILABLE, true)
                        .with(MqttProperty.SHARED_SUBSCRIPTION_AVAILABLE, false)
                        .with(MqttProperty.SERVER_KEEP_ALIVE, 60)
                        .with(MqttProperty.RESPONSE_INFORMATION, "r/")
                        .with(MqttProperty.SERVER_REFERENCE, "there")
                        .with(MqttProperty.AUTHENTICATION_METHOD, "m")
                        .with(MqttProperty.AUTHENTICATION_DATA, Binary.EMPTY));
    }

    static MqttProperties publishProperties() {
        return USER.with(MqttProperty.PAYLOAD_FORMAT_INDICATOR, true)
                .with(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 7L)
                .with(MqttProperty.TOPIC_ALIAS, 3)
                .with(MqttProperty.RESPONSE_TOPIC, "r")
                .with(MqttProperty.CORRELATION_DATA, Binary.of("abc"))
                .with(MqttProperty.CONTENT_TYPE, "é");
    }

    private static MqttProperties reason() {
        return USER.with(MqttProperty.REASON_STRING, "why");
    }

    /// Packets of a client, without its CONNECT.
    static List<Supplier<MqttMessage>> ofClient(MqttVersion version) {
        boolean v5 = version.isV5();
        MqttProperties user = v5 ? USER : NONE;
        List<Supplier<MqttMessage>> all = new ArrayList<>(both(version));
        all.add(
                () ->
                        new Subscribe(
                                7,
                                v5
                                        ? USER.with(
                                                MqttProperty.SUBSCRIPTION_IDENTIFIER, 268_435_455)
                                        : NONE,
                                List.of(
                                        Subscription.of(TopicFilter.of("a/+/#"), QoS.EXACTLY_ONCE),
                                        new Subscription(
                                                TopicFilter.of("$share/g/b"),
                                                QoS.AT_LEAST_ONCE,
                                                false,
                                                v5,
                                                v5
                                                        ? RetainHandling.DO_NOT_SEND
                                                        : RetainHandling.SEND))));
        if (v5) {
            all.add(
                    () ->
                            Subscribe.of(
                                    8,
                                    new Subscription(
                                            TopicFilter.of("c"),
                                            QoS.AT_MOST_ONCE,
                                            true,
                                            false,
                                            RetainHandling.SEND_IF_NEW)));
            all.add(
                    () ->
                            new Auth(
                                    ReasonCode.REAUTHENTICATE,
                                    reason().with(MqttProperty.AUTHENTICATION_METHOD, "m")));
        }
        all.add(
                () ->
                        new Unsubscribe(
                                9, user, List.of(TopicFilter.of("a/+/#"), TopicFilter.of("/"))));
        all.add(() -> PingReq.INSTANCE);
        all.add(
                () ->
                        v5
                                ? new Disconnect(
                                        ReasonCode.DISCONNECT_WITH_WILL,
                                        reason().with(MqttProperty.SESSION_EXPIRY_INTERVAL, 1L))
                                : Disconnect.normal());
        return all;
    }

    /// Packets of a server, without its CONNACK.
    static List<Supplier<MqttMessage>> ofServer(MqttVersion version) {
        boolean v5 = version.isV5();
        List<Supplier<MqttMessage>> all = new ArrayList<>(both(version));
        if (v5) {
            all.add(
                    () ->
                            Wire.publish(
                                    "a/b",
                                    "two subscriptions",
                                    QoS.AT_LEAST_ONCE,
                                    3,
                                    NONE.with(MqttProperty.SUBSCRIPTION_IDENTIFIER, 1)
                                            .with(MqttProperty.SUBSCRIPTION_IDENTIFIER, 300)));
            all.add(
                    () ->
                            new Auth(
                                    ReasonCode.CONTINUE_AUTHENTICATION,
                                    MqttProperties.of(MqttProperty.AUTHENTICATION_METHOD, "m")));
        }
        all.add(
                () ->
                        new SubAck(
                                7,
                                v5 ? reason() : NONE,
                                List.of(
                                        ReasonCode.GRANTED_QOS_2,
                                        ReasonCode.SUCCESS,
                                        v5
                                                ? ReasonCode.QUOTA_EXCEEDED
                                                : ReasonCode.UNSPECIFIED_ERROR)));
        all.add(
                () ->
                        new UnsubAck(
                                9,
                                v5 ? reason() : NONE,
                                v5
                                        ? List.of(
                                                ReasonCode.SUCCESS,
                                                ReasonCode.NO_SUBSCRIPTION_EXISTED)
                                        : List.of()));
        all.add(() -> PingResp.INSTANCE);
        if (v5) {
            all.add(
                    () ->
                            new Disconnect(
                                    ReasonCode.SERVER_MOVED,
                                    reason().with(MqttProperty.SERVER_REFERENCE, "there")));
        }
        return all;
    }

    private static List<Supplier<MqttMessage>> both(MqttVersion version) {
        boolean v5 = version.isV5();
        MqttProperties none = NONE;
        List<Supplier<MqttMessage>> all = new ArrayList<>();
        all.add(() -> Wire.publish("a/b", "", QoS.AT_MOST_ONCE, 0));
        all.add(() -> Wire.publish("a/b", "again", QoS.AT_MOST_ONCE, 0));
        all.add(
                () ->
                        new Publish(
                                Topic.of("größe/€/🌀"),
                                Wire.buffer("wörd"),
                                QoS.EXACTLY_ONCE,
                                true,
                                true,
                                65_535,
                                v5 ? publishProperties() : none));
        if (v5) {
            all.add(
                    () ->
                            new Publish(
                                    Topic.NONE,
                                    Wire.buffer("by alias"),
                                    QoS.AT_LEAST_ONCE,
                                    false,
                                    false,
                                    1,
                                    publishProperties()));
        }
        all.add(() -> PubAck.of(1));
        all.add(() -> PubRec.of(2));
        all.add(() -> PubRel.of(3));
        all.add(() -> PubComp.of(4));
        if (v5) {
            all.add(() -> new PubAck(1, ReasonCode.NO_MATCHING_SUBSCRIBERS, none));
            all.add(() -> new PubRec(2, ReasonCode.QUOTA_EXCEEDED, reason()));
            all.add(() -> new PubRel(3, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, none));
            all.add(() -> new PubComp(4, ReasonCode.SUCCESS, reason()));
        }
        return all;
    }
}
