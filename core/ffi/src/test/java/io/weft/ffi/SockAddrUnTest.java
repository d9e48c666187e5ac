package io.weft.ffi;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SockAddrUnTest {
    private final long at = Memory.allocate(SockAddrUn.SIZE, 8);

    @AfterEach
    void free() {
        Memory.free(at, SockAddrUn.SIZE);
    }

    @Test
    void aPathEndsWithAZero() {
        int length = SockAddrUn.writePath("/run/x".getBytes(US_ASCII), at);
        assertThat(length).isEqualTo(2 + 6 + 1);
        assertThat(Memory.getShort(at)).isEqualTo((short) Sockets.AF_UNIX);
        assertThat(SockAddrUn.isAbstract(at, length)).isFalse();
        assertThat(SockAddrUn.name(at, length)).asString().isEqualTo("/run/x");
        assertThat(SockAddrUn.name(at, length - 1)).asString().isEqualTo("/run/x");
    }

    @Test
    void anAbstractNameMayHoldAnyByte() {
        byte[] name = {'a', 0, 'b'};
        int length = SockAddrUn.writeAbstract(name, at);
        assertThat(length).isEqualTo(2 + 1 + 3);
        assertThat(SockAddrUn.isAbstract(at, length)).isTrue();
        assertThat(SockAddrUn.name(at, length)).isEqualTo(name);
    }

    @Test
    void anUnnamedSocketHasOnlyAFamily() {
        int length = SockAddrUn.writePath(new byte[0], at);
        assertThat(length).isEqualTo(2);
        assertThat(SockAddrUn.isAbstract(at, length)).isFalse();
        assertThat(SockAddrUn.name(at, length)).isEmpty();
    }

    @Test
    void whatDoesNotFitIsRefused() {
        byte[] longest = new byte[SockAddrUn.MAX_PATH];
        Arrays.fill(longest, (byte) 'x');
        assertThat(SockAddrUn.writePath(longest, at)).isEqualTo(SockAddrUn.SIZE);
        assertThat(SockAddrUn.writeAbstract(longest, at)).isEqualTo(SockAddrUn.SIZE);
        byte[] tooLong = new byte[SockAddrUn.MAX_PATH + 1];
        Arrays.fill(tooLong, (byte) 'x');
        assertThatIllegalArgumentException().isThrownBy(() -> SockAddrUn.writePath(tooLong, at));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SockAddrUn.writeAbstract(tooLong, at));
        byte[] zero = {'a', 0};
        assertThatIllegalArgumentException().isThrownBy(() -> SockAddrUn.writePath(zero, at));
    }
}
