package io.weft.codec.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.mqtt.session.TopicFilterTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicTest {
    /// Examples of MQTT 5.0, 4.7, and around them.
    @ParameterizedTest
    @CsvSource({
        "sport/tennis/player1/#, sport/tennis/player1, true",
        "sport/tennis/player1/#, sport/tennis/player1/ranking, true",
        "sport/tennis/player1/#, sport/tennis/player1/score/wimbledon, true",
        "sport/#, sport, true",
        "sport/#, sports, false",
        "#, sport/a, true",
        "#, /, true",
        "sport/tennis/+, sport/tennis/player1, true",
        "sport/tennis/+, sport/tennis/player1/ranking, false",
        "sport/+, sport, false",
        "sport/+, sport/, true",
        "+, sport, true",
        "+, /finance, false",
        "+/+, /finance, true",
        "/+, /finance, true",
        "+/tennis/#, sport/tennis, true",
        "+/#, sport, true",
        "#, $SYS/a, false",
        "+/monitor/Clients, $SYS/monitor/Clients, false",
        "$SYS/#, $SYS/a, true",
        "$SYS/#, $SYS, true",
        "$SYS/monitor/+, $SYS/monitor/Clients, true",
        "a/+/c, a//c, true",
        "a/+/c, a/b/d, false",
        "a, a, true",
        "a, ab, false",
        "ab, a, false",
        "a, A, false",
        "ACCOUNTS, Accounts, false",
        "$share/g/a/+, a/b, true",
        "$share/g/#, $SYS/a, false",
        "é/+, é/ü, true",
    })
    void filtersMatchAsTheSpecificationSays(String filter, String topic, boolean matches) {
        assertThat(TopicFilter.of(filter).matches(Topic.of(topic))).isEqualTo(matches);
        TopicFilterTree<String> tree = new TopicFilterTree<>();
        var _ = tree.put(TopicFilter.of(filter), "x");
        List<String> found = new ArrayList<>();
        tree.forEachMatch(Topic.of(topic), (f, value) -> found.add(value));
        assertThat(found).hasSize(matches ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a+", "+", "#", "a/#", "\0", "a\uD800", "\uDC00b"})
    void topicsWithWildcardsOrControlsAreRefused(String text) {
        assertThatThrownBy(() -> Topic.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void longTopicsAreRefused() {
        assertThat(Topic.of("x".repeat(65_535)).length()).isEqualTo(65_535);
        assertThatThrownBy(() -> Topic.of("x".repeat(65_536))).hasMessageContaining("65535");
        assertThatThrownBy(() -> Topic.of("é".repeat(32_768))).hasMessageContaining("65535");
    }

    @Test
    void sharesHaveANameAndAFilter() {
        TopicFilter filter = TopicFilter.of("$share/group/a/#");
        assertThat(filter.isShared()).isTrue();
        assertThat(filter.shareName()).isEqualTo("group");
        assertThat(filter.unshared()).isEqualTo(TopicFilter.of("a/#"));
        assertThat(filter.levels()).isEqualTo(2);
        assertThat(filter).hasToString("$share/group/a/#");
        assertThat(TopicFilter.of("$shared/a").isShared()).isFalse();
        assertThat(TopicFilter.of("$share").isShared()).isFalse();
    }

    @Test
    void topicsThatComeAgainAreTheSameObjects() {
        byte[] one =
                Wire.encode(
                        MqttVersion.V5,
                        Wire.publish("a/b", "x", QoS.AT_MOST_ONCE, 0, Samples.USER));
        MqttDecoder decoder = MqttDecoder.server();
        List<Publish> publishes = new ArrayList<>();
        byte[] connect = Wire.encode(MqttVersion.V5, Connect.of(MqttVersion.V5, "me"));
        for (byte[] bytes : List.of(connect, one, one)) {
            try (var in = Wire.buffer(bytes)) {
                decoder.decode(
                        in,
                        m -> {
                            if (m instanceof Publish p) {
                                publishes.add(p);
                            }
                        });
            }
        }
        assertThat(publishes.get(0).topic()).isSameAs(publishes.get(1).topic());
        assertThat(publishes.get(0).properties()).isSameAs(publishes.get(1).properties());
        publishes.forEach(Publish::close);
    }

    /// The tree finds what one after the other finds.
    @Test
    void treeAgreesWithFilters() {
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        TopicFilterTree<Integer> tree = new TopicFilterTree<>();
        List<TopicFilter> filters = new ArrayList<>();
        for (int round = 0; round < 3000; round++) {
            if (filters.size() < 40 && random.nextBoolean()) {
                TopicFilter filter = TopicFilter.of(filter(random));
                if (tree.put(filter, round) == null) {
                    filters.add(filter);
                }
            } else if (!filters.isEmpty() && random.nextInt(4) == 0) {
                TopicFilter gone = filters.remove(random.nextInt(filters.size()));
                assertThat(tree.remove(gone)).isNotNull();
            }
            Topic topic = Topic.of(topic(random));
            List<TopicFilter> found = new ArrayList<>();
            tree.forEachMatch(topic, (filter, value) -> found.add(filter));
            assertThat(found)
                    .as("%s of %s", topic, filters)
                    .containsExactlyInAnyOrderElementsOf(
                            filters.stream().filter(f -> f.matches(topic)).toList());
            assertThat(tree.size()).isEqualTo(filters.size());
        }
    }

    private static final String[] LEVELS = {"a", "b", "", "$SYS", "+", "#"};

    private static String topic(Random random) {
        String text = LEVELS[random.nextInt(4)];
        for (int n = random.nextInt(3); n > 0; n--) {
            text += "/" + LEVELS[random.nextInt(3)];
        }
        return text.isEmpty() ? "a" : text;
    }

    private static String filter(Random random) {
        String text = LEVELS[random.nextInt(5)];
        for (int n = random.nextInt(3); n > 0; n--) {
            text += "/" + LEVELS[random.nextInt(5)];
        }
        text = random.nextInt(3) == 0 ? text + "/#" : text;
        return text.isEmpty() ? "#" : text;
    }

    @Test
    void sharesOfSharesAreNotTakenApartTwice() {
        TopicFilter filter = TopicFilter.of("$share/g/$share/b/secret");
        TopicFilter unshared = filter.unshared();
        assertThat(unshared.isShared()).isFalse();
        assertThat(unshared.unshared()).isSameAs(unshared).hasToString("$share/b/secret");
        assertThat(unshared).isNotEqualTo(TopicFilter.of("$share/b/secret"));
        TopicFilterTree<String> tree = new TopicFilterTree<>();
        tree.put(filter, "a");
        tree.put(TopicFilter.of("$share/g/$share/x"), "b");
        List<String> found = new ArrayList<>();
        for (String topic : List.of("secret", "$share/b/secret", "$share/x")) {
            tree.forEachMatch(Topic.of(topic), (f, value) -> found.add(topic + " " + value));
        }
        assertThat(found).containsExactly("$share/b/secret a", "$share/x b");
        assertThat(tree.remove(TopicFilter.of("$share/g/$share/x"))).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$share/x", "$share/b/secret", "$share//"})
    void filtersOfATopicMatchItAlone(String text) {
        Topic topic = Topic.of(text);
        TopicFilter filter = TopicFilter.of(topic);
        assertThat(filter.matches(topic)).isTrue();
        assertThat(filter.isShared()).isFalse();
        assertThat(filter.matches(Topic.of("secret"))).isFalse();
    }
}
