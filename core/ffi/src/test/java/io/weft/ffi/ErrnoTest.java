package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void namesAndDescribes() {
        assertThat(Errno.name(Errno.ECONNRESET)).isEqualTo("ECONNRESET");
        assertThat(Errno.describe(Errno.ECONNRESET))
                .isEqualTo("ECONNRESET (connection reset by peer)");
    }

    @Test
    void unknownNumbersStayReadable() {
        assertThat(Errno.name(4711)).isEqualTo("errno 4711");
        assertThat(Errno.describe(-1)).isEqualTo("errno -1");
        assertThat(Errno.name(0)).isEqualTo("errno 0");
        assertThat(Errno.name(41)).isEqualTo("errno 41");
    }

    @Test
    void everyConstantHasItsName() throws IllegalAccessException {
        for (var field : Errno.class.getFields()) {
            assertThat(Errno.name(field.getInt(null))).isEqualTo(field.getName());
        }
    }
}
