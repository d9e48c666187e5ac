package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.session.TopicFilterTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Subscriptions and retained messages of a broker.
final class MqttBrokerTopics {
    /// Manner in which a client gets a message, by all of its subscriptions that match.
    ///
    /// @param identifiers of them
    record Match(QoS qos, boolean retainAsPublished, List<Integer> identifiers) {
        private Match and(Match other) {
            List<Integer> all = new ArrayList<>(identifiers);
            all.addAll(other.identifiers);
            return new Match(
                    qos.compareTo(other.qos) >= 0 ? qos : other.qos,
                    retainAsPublished || other.retainAsPublished,
                    all);
        }
    }

    /// @param identifier 0 for none
    private record Subscribed(Subscription options, int identifier) {
        Match match() {
            return new Match(
                    options.qos(),
                    options.retainAsPublished(),
                    identifier == 0 ? List.of() : List.of(identifier));
        }
    }

    private static final int MAX_RETAINED = 10_000;
    private static final long MAX_RETAINED_BYTES = 16 << 20;

    /// @param until nanoseconds of the clock when it expires; [#FOREVER] for never
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Retained(QoS qos, MqttProperties properties, byte[] payload, long until) {
        static final long FOREVER = Long.MAX_VALUE;

        long left() {
            return until == FOREVER ? FOREVER : until - System.nanoTime();
        }

        /// The interval that is left, rounded up.
        MqttProperties current() {
            return until == FOREVER
                    ? properties
                    : properties.with(
                            MqttProperty.MESSAGE_EXPIRY_INTERVAL,
                            TimeUnit.NANOSECONDS.toSeconds(left()) + 1);
        }
    }

    /// Subscribers of a share, of whom the first is the next to get a message.
    private static final class Group extends LinkedHashMap<MqttBrokerClient, Subscribed> {
        private static final long serialVersionUID = 1L;

        Map.Entry<MqttBrokerClient, Subscribed> next() {
            Map.Entry<MqttBrokerClient, Subscribed> next = firstEntry();
            for (int i = size(); i > 0 && !next.getKey().isConnected(); i--) {
                rotate(next);
                next = firstEntry();
            }
            rotate(next);
            return next;
        }

        private void rotate(Map.Entry<MqttBrokerClient, Subscribed> entry) {
            putLast(entry.getKey(), entry.getValue());
        }
    }

    private final TopicFilterTree<Map<MqttBrokerClient, Subscribed>> plain =
            new TopicFilterTree<>();
    private final TopicFilterTree<Map<String, Group>> shared = new TopicFilterTree<>();
    private final Map<Topic, Retained> retained = new LinkedHashMap<>();
    private long retainedBytes;

    /// Returns true if the client has not had this subscription.
    boolean subscribe(MqttBrokerClient client, Subscription subscription, int identifier) {
        TopicFilter filter = subscription.filter();
        Subscribed subscribed = new Subscribed(subscription, identifier);
        client.filters.add(filter);
        String share = filter.shareName();
        if (share != null) {
            TopicFilter inner = filter.unshared();
            Map<String, Group> groups = shared.get(inner);
            if (groups == null) {
                groups = new HashMap<>();
                var _ = shared.put(inner, groups);
            }
            return groups.computeIfAbsent(share, s -> new Group()).put(client, subscribed) == null;
        }
        Map<MqttBrokerClient, Subscribed> subscribers = plain.get(filter);
        if (subscribers == null) {
            subscribers = new LinkedHashMap<>();
            var _ = plain.put(filter, subscribers);
        }
        return subscribers.put(client, subscribed) == null;
    }

    /// Returns false if the client has no such subscription.
    boolean unsubscribe(MqttBrokerClient client, TopicFilter filter) {
        if (!client.filters.remove(filter)) {
            return false;
        }
        String share = filter.shareName();
        if (share == null) {
            Map<MqttBrokerClient, Subscribed> subscribers = plain.get(filter);
            if (subscribers != null
                    && subscribers.remove(client) != null
                    && subscribers.isEmpty()) {
                var _ = plain.remove(filter);
            }
            return true;
        }
        Map<String, Group> groups = shared.get(filter.unshared());
        Group group = groups == null ? null : groups.get(share);
        if (groups != null && group != null) {
            group.remove(client);
            if (group.isEmpty()) {
                groups.remove(share);
            }
            if (groups.isEmpty()) {
                var _ = shared.remove(filter.unshared());
            }
        }
        return true;
    }

    void unsubscribe(MqttBrokerClient client) {
        for (TopicFilter filter : List.copyOf(client.filters)) {
            unsubscribe(client, filter);
        }
    }

    /// Adds the clients that get a message, each once, to `matches`.
    void match(Topic topic, @Nullable MqttBrokerClient from, Map<MqttBrokerClient, Match> matches) {
        plain.forEachMatch(
                topic,
                (filter, subscribers) ->
                        subscribers.forEach(
                                (client, s) -> {
                                    if (client != from || !s.options.noLocal()) {
                                        matches.merge(client, s.match(), Match::and);
                                    }
                                }));
        shared.forEachMatch(
                topic,
                (filter, groups) ->
                        groups.values()
                                .forEach(
                                        group -> {
                                            var next = group.next();
                                            matches.merge(
                                                    next.getKey(),
                                                    next.getValue().match(),
                                                    Match::and);
                                        }));
    }

    /// Keeps a message, or forgets the one of its topic when it is empty. Returns false when there
    /// is no room for it.
    boolean retain(Publish publish) {
        Retained old = retained.get(publish.topic());
        Buffer payload = publish.payload();
        byte[] bytes = new byte[payload.readableBytes()];
        payload.getBytes(payload.readOffset(), bytes, 0, bytes.length);
        if (bytes.length == 0) {
            forget(publish.topic());
            return true;
        }
        MqttProperties properties = publish.properties();
        long size = size(publish.topic(), properties, bytes);
        long before = old == null ? 0 : size(publish.topic(), old.properties, old.payload);
        if ((old == null && retained.size() == MAX_RETAINED)
                || retainedBytes - before + size > MAX_RETAINED_BYTES) {
            return false;
        }
        long seconds = properties.number(MqttProperty.MESSAGE_EXPIRY_INTERVAL, Retained.FOREVER);
        long until =
                seconds == Retained.FOREVER
                        ? seconds
                        : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        retained.put(publish.topic(), new Retained(publish.qos(), properties, bytes, until));
        retainedBytes += size - before;
        return true;
    }

    private static long size(Topic topic, MqttProperties properties, byte[] payload) {
        return (long) topic.length() + properties.length() + payload.length;
    }

    private void forget(Topic topic) {
        Retained old = retained.remove(topic);
        if (old != null) {
            retainedBytes -= size(topic, old.properties, old.payload);
        }
    }

    /// Topics with a retained message that a filter matches.
    List<Topic> retained(TopicFilter filter) {
        if (!filter.hasWildcard()) {
            Topic topic = Topic.of(filter.toString());
            return retained.containsKey(topic) ? List.of(topic) : List.of();
        }
        return retained.keySet().stream().filter(filter::matches).toList();
    }

    /// Sends the retained message of a topic, if there still is one.
    void sendRetained(
            Topic topic, MqttBrokerClient client, Subscription subscription, int identifier) {
        Retained message = retained.get(topic);
        if (message == null) {
            return;
        }
        if (message.left() <= 0) {
            forget(topic);
            return;
        }
        Match match = new Subscribed(subscription, identifier).match();
        try (Buffer payload = BufferAllocator.pooled().allocate(message.payload.length)) {
            payload.writeBytes(message.payload);
            client.deliver(
                    new Publish(topic, payload, message.qos, true, false, 0, message.current()),
                    true,
                    match);
        }
    }
}
