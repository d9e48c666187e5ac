package io.weft.http.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameEncoderTest {
    @AfterEach
    void grantMemory() {
        AllocationTap.set(null);
    }

    /// Part of a frame would have the peer take the next one for its payload.
    @Test
    void frameThatFindsNoMemoryIsNotBegun() {
        List<Consumer<Buffer>> frames =
                List.of(
                        out -> FrameEncoder.ping(true, 1, out),
                        out -> FrameEncoder.rstStream(1, ErrorCode.CANCEL, out),
                        out -> FrameEncoder.goAway(1, ErrorCode.NO_ERROR, "why", out),
                        out -> FrameEncoder.windowUpdate(1, 1, out),
                        out ->
                                FrameEncoder.settings(
                                        Settings.EMPTY.with(Setting.ENABLE_PUSH, 0), out),
                        out -> FrameEncoder.priorityUpdate(1, "u=1", out));
        for (Consumer<Buffer> frame : frames) {
            for (int free = 0; free <= 12; free++) {
                try (Buffer out = BufferAllocator.pooled().allocate(256)) {
                    out.writeBytes(new byte[out.writableBytes() - free]);
                    int before = out.readableBytes();
                    AllocationTap.set(
                            capacity -> {
                                throw AllocationTap.refusal(capacity);
                            });
                    assertThatThrownBy(() -> frame.accept(out))
                            .isInstanceOf(MemoryLimitException.class);
                    AllocationTap.set(null);
                    assertThat(out.readableBytes()).isEqualTo(before);
                }
            }
        }
    }
}
