package io.weft.examples.broker;

import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Retained messages that one connection is to get for its new subscriptions, as fast as it takes
/// them. The broker's lock guards it.
///
/// To find the messages of a filter takes a look at all topics. A SUBSCRIBE has a thousand filters
/// and one read many of those, so that only a few are looked for in one turn of the loop.
final class MqttBrokerRetained {
    /// Subscriptions that wait; a client that asks again and again does without.
    private static final int MAX_ASKED = 2_000;

    /// Messages of QoS 1 and 2 in flight above which the next ones wait.
    private static final int MAX_PENDING = 200;

    /// Filters whose messages are looked for in one turn.
    private static final int MAX_SEARCHES = 4;

    private record Asked(Subscription subscription, int identifier) {}

    private final MqttBrokerTopics topics;
    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();

    /// The subscription whose messages are sent now.
    private @Nullable Asked current;

    private Iterator<Topic> left = Collections.emptyIterator();

    MqttBrokerRetained(MqttBrokerTopics topics) {
        this.topics = topics;
    }

    /// Adds the messages of a subscription, by their topics: each is sent as it is then.
    void add(Subscription subscription, int identifier) {
        if (waiting.size() < MAX_ASKED) {
            waiting.add(new Asked(subscription, identifier));
        }
    }

    /// Sends what the client takes. Returns true if there is more to look for in another turn.
    boolean send(MqttBrokerConnection connection, MqttBrokerClient client) {
        int searches = 0;
        while (connection.keepsUp() && client.session.pending() < MAX_PENDING) {
            Asked asked = current;
            if (asked != null && left.hasNext()) {
                topics.sendRetained(left.next(), client, asked.subscription, asked.identifier);
                continue;
            }
            if (waiting.isEmpty()) {
                current = null;
                return false;
            }
            if (searches == MAX_SEARCHES) {
                return true;
            }
            searches++;
            Asked next = waiting.remove();
            current = next;
            left = topics.retained(next.subscription.filter()).iterator();
        }
        return false; // it goes on when the client takes more
    }
}
