package io.weft.transport.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private final Slots<String> slots = new Slots<>(100);

    @Test
    void whatIsLateForAFreedSlotReachesNobody() {
        int slot = slots.add("first");
        int generation = slots.generation(slot);
        slots.remove(slot);
        assertThat(slots.add("second")).isEqualTo(slot);
        assertThat(slots.get(slot, generation)).isNull();
        assertThat(slots.get(slot, slots.generation(slot))).isEqualTo("second");
    }

    @Test
    void thereIsALimit() {
        for (int i = 0; i < 100; i++) {
            assertThat(slots.add("target " + i)).isEqualTo(i);
        }
        assertThatThrownBy(() -> slots.add("one more")).hasMessageContaining("100");
        slots.remove(50);
        assertThat(slots.add("one more")).isEqualTo(50);
    }

    @Test
    void targetsMayRemoveThemselvesWhileAllAreVisited() {
        List<Integer> mine = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            mine.add(slots.add("target"));
        }
        slots.forEach(target -> slots.remove(mine.removeFirst()));
        assertThat(mine).isEmpty();
        assertThat(slots.isEmpty()).isTrue();
    }
}
