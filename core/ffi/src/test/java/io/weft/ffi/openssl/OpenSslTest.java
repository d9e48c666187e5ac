package io.weft.ffi.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSslTest {
    @Test
    void isThereOrSaysWhyNot() {
        if (OpenSsl.available()) {
            assertThat(OpenSsl.refusal()).isNull();
            assertThat(OpenSsl.version()).startsWith("OpenSSL 3.");
        } else {
            assertThat(OpenSsl.refusal()).isNotBlank();
            assertThat(OpenSsl.version()).isEmpty();
        }
    }

    @Test
    void aFolderWithoutItIsNamed(@TempDir Path empty) {
        assertThatThrownBy(() -> OpenSsl.find(empty.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("io.weft.openssl.path: " + empty + " (expected: a folder");
    }
}
