package io.weft.examples.broker;

import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import java.util.ArrayDeque;

/// Retained messages that one connection is to get for its new subscriptions, as fast as it takes
/// them. The broker's lock guards it.
final class MqttBrokerRetained {
    /// Messages of all subscriptions that wait; a client that asks for more again and again does
    /// without.
    private static final int MAX_WAITING = 20_000;

    /// Messages of QoS 1 and 2 in flight above which the next ones wait.
    private static final int MAX_PENDING = 200;

    private record Waiting(Topic topic, Subscription subscription, int identifier) {}

    private final MqttBrokerTopics topics;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    MqttBrokerRetained(MqttBrokerTopics topics) {
        this.topics = topics;
    }

    /// Adds the messages of a subscription, by their topics: each is sent as it is then.
    void add(Subscription subscription, int identifier) {
        for (Topic topic : topics.retained(subscription.filter())) {
            if (waiting.size() < MAX_WAITING) {
                waiting.add(new Waiting(topic, subscription, identifier));
            }
        }
    }

    void send(MqttBrokerConnection connection, MqttBrokerClient client) {
        while (!waiting.isEmpty()
                && connection.keepsUp()
                && client.session.pending() < MAX_PENDING) {
            Waiting next = waiting.remove();
            topics.sendRetained(next.topic, client, next.subscription, next.identifier);
        }
    }
}
