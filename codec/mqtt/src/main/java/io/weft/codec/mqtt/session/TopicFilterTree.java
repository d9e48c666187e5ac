package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Topic filters with a value each, such as the subscriptions of a server, in a tree of their
/// levels: finding those that match a topic takes time by the topic's levels, not by the filters.
/// The name of a share makes no difference to it, so shared filters need a tree, or values, of
/// their own.
///
/// Each level of a filter takes memory:
/// [MqttLimits#topicLevels][io.weft.codec.mqtt.MqttLimits#topicLevels] bounds what a peer can make
/// of it.
///
/// Not thread-safe.
///
/// @param <V> the values
public final class TopicFilterTree<V> {
    private static final class Node<V> {
        final @Nullable Node<V> parent;
        final String level;
        final Map<String, Node<V>> children = new HashMap<>(2);
        @Nullable TopicFilter filter;
        @Nullable V value;

        Node(@Nullable Node<V> parent, String level) {
            this.parent = parent;
            this.level = level;
        }
    }

    private final Node<V> root = new Node<>(null, "");
    private int size;

    /// Without filters.
    public TopicFilterTree() {}

    /// The number of filters.
    public int size() {
        return size;
    }

    /// Sets the value of `filter`, and returns the one that it had; null for none.
    public @Nullable V put(TopicFilter filter, V value) {
        Node<V> node = root;
        for (String level : levels(filter)) {
            Node<V> parent = node;
            node = node.children.computeIfAbsent(level, l -> new Node<>(parent, l));
        }
        V before = node.value;
        if (before == null) {
            size++;
        }
        node.filter = filter;
        node.value = value;
        return before;
    }

    /// Returns the value of `filter`; null without one.
    public @Nullable V get(TopicFilter filter) {
        Node<V> node = find(filter);
        return node == null ? null : node.value;
    }

    private static String[] levels(TopicFilter filter) {
        return filter.unshared().toString().split("/", -1);
    }

    private @Nullable Node<V> find(TopicFilter filter) {
        Node<V> node = root;
        for (String level : levels(filter)) {
            node = node.children.get(level);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    /// Removes `filter` and returns the value that it had; null for none.
    public @Nullable V remove(TopicFilter filter) {
        Node<V> node = find(filter);
        if (node == null || node.value == null) {
            return null;
        }
        V before = node.value;
        node.value = null;
        node.filter = null;
        size--;
        while (node.parent != null && node.value == null && node.children.isEmpty()) {
            node.parent.children.remove(node.level);
            node = node.parent;
        }
        return before;
    }

    /// Hands each filter that matches `topic`, and its value, to `action`, which must not change
    /// the tree.
    public void forEachMatch(Topic topic, BiConsumer<TopicFilter, V> action) {
        if (!topic.isNone() && size > 0) {
            match(root, topic.toString(), 0, action);
        }
    }

    /// @param at where the level begins that children of `node` are compared with; behind the end
    ///   of the text when none is left
    private void match(Node<V> node, String text, int at, BiConsumer<TopicFilter, V> action) {
        // MQTT 5.0, 4.7.2: a leading wildcard does not match a server's topic.
        boolean wildcards = at > 0 || text.charAt(0) != '$';
        Node<V> rest = wildcards ? node.children.get("#") : null;
        if (rest != null) {
            tell(rest, action);
        }
        if (at > text.length()) {
            tell(node, action);
            return;
        }
        int slash = text.indexOf('/', at);
        int end = slash < 0 ? text.length() : slash;
        Node<V> same = node.children.get(text.substring(at, end));
        if (same != null) {
            match(same, text, end + 1, action);
        }
        Node<V> any = wildcards ? node.children.get("+") : null;
        if (any != null) {
            match(any, text, end + 1, action);
        }
    }

    private static <V> void tell(Node<V> node, BiConsumer<TopicFilter, V> action) {
        V value = node.value;
        if (node.filter != null && value != null) {
            action.accept(node.filter, value);
        }
    }
}
