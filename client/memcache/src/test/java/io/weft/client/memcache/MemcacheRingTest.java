package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class MemcacheRingTest {
    private static final int KEYS = 10_000;

    private static byte[] key(int number) {
        return ("key-" + number).getBytes(UTF_8);
    }

    @Test
    void serversGetAboutTheSameNumberOfKeys() {
        Continuum four = new Continuum(List.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"));
        int[] counts = new int[4];
        for (int i = 0; i < KEYS; i++) {
            counts[four.server(key(i))]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(KEYS / 6, KEYS / 3);
        }
    }

    @Test
    void anotherServerTakesKeysOnlyForItself() {
        List<String> names = List.of("a", "b", "c", "d");
        Continuum before = new Continuum(names.subList(0, 3));
        Continuum after = new Continuum(names);
        int moved = 0;
        for (int i = 0; i < KEYS; i++) {
            int server = after.server(key(i));
            if (server != before.server(key(i))) {
                assertThat(server).isEqualTo(3);
                moved++;
            }
        }
        assertThat(moved).isBetween(KEYS / 8, KEYS / 2);
    }

    @Test
    void usualPortIsNotPartOfTheName() {
        assertThat(Continuum.name("h", 11211)).isEqualTo("h");
        assertThat(Continuum.name("h", 11212)).isEqualTo("h:11212");
    }

    @Test
    void keysAreSpreadAndFoundAgain() {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 2)) {
            ScriptedServer one = new ScriptedServer(group);
            ScriptedServer two = new ScriptedServer(group);
            List<InetSocketAddress> servers =
                    List.of(
                            InetSocketAddress.createUnresolved("127.0.0.1", one.port()),
                            InetSocketAddress.createUnresolved("127.0.0.1", two.port()));
            MemcacheClientLimits patient =
                    MemcacheClientLimits.DEFAULT.timeout(Duration.ofMinutes(5));
            try (MemcacheRing ring = new MemcacheRing(group, servers, s -> s.limits(patient))) {
                List<String> keys = new ArrayList<>();
                List<Future<?>> stored = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    keys.add("k" + i);
                    stored.add(ring.set("k" + i, "v" + i));
                }
                stored.forEach(Future::join);
                assertThat(one.size()).isPositive();
                assertThat(one.size() + two.size()).isEqualTo(200);
                var items = ring.get(keys).join();
                for (int i = 0; i < 200; i++) {
                    try (Item item = requireNonNull(items.get("k" + i))) {
                        assertThat(item.text()).isEqualTo("v" + i);
                    }
                }
                assertThat(ring.clients()).contains(ring.client("k0"));
            }
        }
    }

    @Test
    void oneServerAwayFailsItsKeysAlone() {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ScriptedServer one = new ScriptedServer(group);
            ScriptedServer away = new ScriptedServer(group);
            int port = away.port();
            away.close();
            List<InetSocketAddress> servers =
                    List.of(
                            InetSocketAddress.createUnresolved("127.0.0.1", one.port()),
                            InetSocketAddress.createUnresolved("127.0.0.1", port));
            MemcacheClientLimits limits =
                    MemcacheClientLimits.DEFAULT.timeout(Duration.ofMillis(500));
            try (MemcacheRing ring = new MemcacheRing(group, servers, s -> s.limits(limits))) {
                MemcacheClient lost = ring.clients().get(1);
                String key = "k";
                while (ring.client(key) != lost) {
                    key += "k";
                }
                String gone = key;
                assertThatThrownBy(() -> ring.set(gone, "v").join())
                        .hasRootCauseInstanceOf(MemcacheFailure.TimedOut.class);
            }
        }
    }

    @Test
    void serversAreOfSomeNumberAndDiffer() {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            InetSocketAddress one = InetSocketAddress.createUnresolved("127.0.0.1", 1);
            for (List<InetSocketAddress> servers :
                    List.of(List.<InetSocketAddress>of(), List.of(one, one))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> new MemcacheRing(group, servers, s -> s));
            }
        }
    }
}
