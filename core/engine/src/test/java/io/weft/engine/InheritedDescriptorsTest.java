package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InheritedDescriptorsTest {
    private static final long PID = 42;

    private static Map<String, PassedDescriptor> of(Map<String, String> environment) {
        return InheritedDescriptors.named(environment, PID);
    }

    @Test
    void descriptorsAreCountedFromThree() {
        var found = of(Map.of("LISTEN_PID", "42", "LISTEN_FDS", "2"));
        assertThat(found.keySet()).containsExactly("3", "4");
        assertThat(found.values()).extracting(PassedDescriptor::number).containsExactly(3, 4);
    }

    @Test
    void namesAreThoseOfTheUnit() {
        var found =
                of(
                        Map.of(
                                "LISTEN_PID",
                                "42",
                                "LISTEN_FDS",
                                "4",
                                "LISTEN_FDNAMES",
                                "http:https:http"));
        assertThat(found.keySet()).containsExactly("http", "https", "5", "6");
    }

    @Test
    void anotherProcessesDescriptorsAreNotTaken() {
        assertThat(of(Map.of("LISTEN_PID", "41", "LISTEN_FDS", "2"))).isEmpty();
        assertThat(of(Map.of("LISTEN_FDS", "2"))).isEmpty();
        assertThat(of(Map.of("LISTEN_PID", "42"))).isEmpty();
        assertThat(InheritedDescriptors.listening()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "two", "1025", "99999"})
    void countThatIsNoneIsRefused(String count) {
        assertThatThrownBy(() -> of(Map.of("LISTEN_PID", "42", "LISTEN_FDS", count)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LISTEN_FDS");
    }
}
