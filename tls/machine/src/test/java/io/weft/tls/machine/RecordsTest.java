package io.weft.tls.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {
    private static int next(String hex, boolean first) throws TlsException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
            return Records.next(in, first);
        }
    }

    @Test
    void aRecordIsWholeOrNotYet() throws TlsException {
        assertThat(next("", true)).isEqualTo(-1);
        assertThat(next("16", true)).isEqualTo(-1);
        assertThat(next("16030100", true)).isEqualTo(-1);
        assertThat(next("160301000201", true)).isEqualTo(-1);
        assertThat(next("16030100020100", true)).isEqualTo(7);
        assertThat(next("1703030000", false)).isEqualTo(5);
        assertThat(next("17030348006162", false)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"47", "4745", "8080010301", "00", "17", "1603014001", "16020000", "1604"})
    void otherProtocolsShowInTheirFirstBytes(String hex) {
        assertThatThrownBy(() -> next(hex, true)).isInstanceOf(TlsException.NotTls.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"18", "13", "170303ffff", "1703034801", "1603030000", "1503030000", "1702"})
    void aHeaderThatNoRecordHasIsRefusedAtOnce(String hex) {
        assertThatThrownBy(() -> next(hex, false)).isInstanceOf(TlsException.BadRecord.class);
    }
}
