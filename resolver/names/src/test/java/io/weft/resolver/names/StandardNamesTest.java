package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardNamesTest {
    @TempDir private Path dir;
    private final ManualClock clock = new ManualClock();
    private final ManualExecutor loop = new ManualExecutor(clock);
    private final ScriptedResolver upstream =
            new ScriptedResolver().answers("www.example", "192.0.2.1");
    private NameResolver resolver;

    @BeforeEach
    void make() throws IOException {
        Path hosts =
                Files.writeString(
                        dir.resolve("hosts"), "192.0.2.9 file.example\n192.0.2.8 localhost\n");
        resolver =
                StandardNames.of(
                        upstream,
                        NameCacheLimits.DEFAULT,
                        new HostsResolver(hosts, Duration.ofSeconds(5), clock, Runnable::run));
    }

    private String ask(String host) {
        return new Asked(resolver, host, loop).addresses();
    }

    @Test
    void literalsSpecialNamesAndTheFileComeBeforeTheNetwork() {
        assertThat(ask("192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(ask("localhost")).isEqualTo("0:0:0:0:0:0:0:1 127.0.0.1");
        assertThat(ask("File.Example")).isEqualTo("192.0.2.9");
        assertThat(ask("a.invalid")).isEmpty();
        assertThat(ask("127.1")).isEmpty();
        assertThat(upstream.asked()).isEmpty();
    }

    @Test
    void formsOfANameShareAnEntryOfTheCache() {
        assertThat(ask("www.example")).isEqualTo("192.0.2.1");
        assertThat(ask("WWW.Example")).isEqualTo("192.0.2.1");
        assertThat(upstream.asked()).containsExactly("www.example");
    }

    @Test
    void serviceLoaderFindsIt() {
        assertThat(NameResolver.standard())
                .isInstanceOf(LiteralResolver.class)
                .isSameAs(NameResolver.standard());
    }
}
