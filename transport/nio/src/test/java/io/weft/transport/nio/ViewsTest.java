package io.weft.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ViewsTest {
    private final Views views = new Views();

    @Test
    void showWhatIsAskedForAndNoMore() {
        try (Buffer buffer = BufferAllocator.pooled().allocate(64).writeAscii("0123456789")) {
            ByteBuffer view = views.of(buffer, 3, 4);
            assertThat(StandardCharsets.US_ASCII.decode(view).toString()).isEqualTo("3456");
            assertThat(view.hasRemaining()).isFalse();
            assertThat(views.of(buffer, 9, 0).hasRemaining()).isFalse();
        }
    }

    @Test
    void fillTheBuffer() {
        try (Buffer buffer = BufferAllocator.pooled().allocate(8)) {
            views.of(buffer, 2, 3).put("abc".getBytes(StandardCharsets.US_ASCII));
            assertThat((char) buffer.getByte(2)).isEqualTo('a');
            assertThat((char) buffer.getByte(4)).isEqualTo('c');
        }
    }

    @Test
    void areMovedRatherThanMade() {
        try (Buffer buffer = BufferAllocator.pooled().allocate(64)) {
            assertThat(views.of(buffer, 0, 8)).isSameAs(views.of(buffer, 1, 60));
        }
    }

    @Test
    void ofMoreThanAStretchAreMade() {
        int size = 9 << 20;
        try (Buffer buffer = BufferAllocator.pooled().allocate(size)) {
            ByteBuffer view = views.of(buffer, 0, size);
            assertThat(view.remaining()).isEqualTo(size);
            view.put(size - 1, (byte) 1);
            assertThat(buffer.getByte(size - 1)).isEqualTo((byte) 1);
        }
    }

    @Test
    void ofAClosedBufferAreRefused() {
        Buffer buffer = BufferAllocator.pooled().allocate(8);
        buffer.release();
        assertThatThrownBy(() -> views.of(buffer, 0, 8)).isInstanceOf(IllegalStateException.class);
    }
}
