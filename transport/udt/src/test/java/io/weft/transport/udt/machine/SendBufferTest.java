package io.weft.transport.udt.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import org.junit.jupiter.api.Test;

class SendBufferTest {
    /// A million messages of one byte take more than a MiB.
    @Test
    void shortMessagesCountWithWhatTheyTakeBesides() {
        SendBuffer buffer = new SendBuffer(0);
        for (int i = 0; i < 100; i++) {
            Buffer payload = BufferAllocator.pooled().allocate(1).writeByte(i);
            buffer.add(new SendUnit(payload, Packets.FIRST | Packets.LAST, SendUnit.NEVER));
            buffer.sendNext();
        }
        assertThat(buffer.bytes()).isEqualTo(100 * (1 + SendUnit.OVERHEAD));
        buffer.acknowledged(60);
        assertThat(buffer.bytes()).isEqualTo(40 * (1 + SendUnit.OVERHEAD));
        buffer.clear();
        assertThat(buffer.bytes()).isZero();
    }
}
