package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares `struct kevent` and its numbers with figures of published headers, which
/// `kevent.figures` has. Constants are found by reflection, so that none can be forgotten.
class KeventTest {
    private static Kevent layout(String system) {
        return switch (system) {
            case "macos" -> Kevent.MACOS;
            case "freebsd" -> Kevent.FREEBSD;
            default -> Kevent.LIBKQUEUE;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd", "libkqueue"})
    void numbersAreThoseOfTheHeaders(String system) throws Exception {
        Map<String, Long> ours = new TreeMap<>();
        for (Field field : Kevent.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                boolean member = !field.getName().contains("_");
                String name = member ? field.getName().toLowerCase(Locale.ROOT) : field.getName();
                ours.put(name, (long) field.getInt(null));
            }
        }
        ours.put("size", (long) layout(system).size());
        ours.put("EVFILT_USER", (long) layout(system).userFilter());
        assertThat(ours).isEqualTo(Figures.of("kevent.figures", system)).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd", "libkqueue"})
    void anEventIsReadAsItWasWritten(String system) {
        Kevent layout = layout(system);
        long array = Memory.allocate(3L * layout.size(), 8);
        try {
            Memory.fill(array, 3L * layout.size(), (byte) -1);
            long at = layout.element(array, 1);
            layout.put(at, 7, layout.userFilter(), Kevent.EV_EOF | Kevent.EV_ADD, -3, 1L << 40);
            assertThat(Kevent.ident(at)).isEqualTo(7);
            assertThat(Kevent.filter(at)).isEqualTo(layout.userFilter());
            assertThat(Kevent.flags(at)).isEqualTo(Kevent.EV_EOF | Kevent.EV_ADD);
            assertThat(Kevent.fflags(at)).isEqualTo(-3);
            assertThat(Kevent.data(at)).isZero();
            assertThat(Kevent.udata(at)).isEqualTo(1L << 40);
            assertThat(Memory.getByte(at - 1)).isEqualTo((byte) -1);
            assertThat(Memory.getByte(at + layout.size())).isEqualTo((byte) -1);
        } finally {
            Memory.free(array, 3L * layout.size());
        }
    }

    @Test
    void aLibraryThatIsMissingIsNamed() {
        assertThatThrownBy(() -> Kqueue.ofLibrary("/no/such/library.so"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("/no/such/library.so");
    }
}
