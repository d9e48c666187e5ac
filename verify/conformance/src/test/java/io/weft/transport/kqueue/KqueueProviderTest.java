package io.weft.transport.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.EngineUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(OS.LINUX)
class KqueueProviderTest {
    @ParameterizedTest
    @CsvSource({
        "Mac OS X, x86_64, the C library has none",
        "Mac OS X, aarch64, the C library has none",
        "FreeBSD, amd64, the C library has none",
        "FreeBSD, aarch64, the C library has none",
        "FreeBSD, ppc64, 'processor: ppc64'",
        "Windows 11, amd64, 'os: Windows 11'",
        "Linux, amd64, 'os: Linux'",
    })
    void theReasonIsNamedWhereThereIsNoKqueue(String os, String processor, String reason) {
        assertThatThrownBy(() -> KqueueProvider.queue(os, processor, null))
                .isInstanceOf(EngineUnavailableException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void onLinuxALibraryIsAskedFor() {
        assertThatThrownBy(() -> KqueueProvider.queue("Linux", "riscv64", "/no/such/library.so"))
                .isInstanceOf(EngineUnavailableException.class)
                .hasMessageContaining("/no/such/library.so");
    }

    @Test
    void nioComesFirst() {
        assertThat(new KqueueProvider().priority()).isLessThan(10);
    }
}
