package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferTest {
    private final Buffer b = BufferAllocator.pooled().allocate(16);
    private final byte[] bytes = new byte[20_000];

    TransferTest() {
        new Random(6).nextBytes(bytes);
    }

    @AfterEach
    void everyBufferWasReleased() {
        b.release();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void holds(int from, int to) {
        assertThat(b.readableBytes()).isEqualTo(to - from);
        assertThat(b.contentEquals(b.readOffset(), bytes, from, to - from)).isTrue();
    }

    @Test
    void throughStreams() throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        assertThat(b.writeBytes(in, 15_000)).isEqualTo(15_000);
        assertThat(b.writeBytes(in, 15_000)).isEqualTo(5_000);
        assertThat(b.writeBytes(in, 15_000)).isEqualTo(-1);
        holds(0, 20_000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        b.readBytes(out, 19_000);
        holds(19_000, 20_000);
        b.readBytes(out, 1_000);
        assertThat(out.toByteArray()).isEqualTo(bytes);
        assertThatThrownBy(() -> b.readBytes(out, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void throughChannels(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("bytes");
        b.writeBytes(bytes);
        try (FileChannel to =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (b.isReadable()) {
                assertThat(b.readBytes(to, b.readableBytes())).isPositive();
            }
        }
        b.clear();
        try (FileChannel from = FileChannel.open(file)) {
            int n;
            do {
                n = b.writeBytes(from, 30_000);
            } while (n > 0);
            assertThat(n).isEqualTo(-1);
        }
        holds(0, 20_000);
    }

    @Test
    void throughByteBuffers() {
        b.writeBytes(ByteBuffer.wrap(bytes)).skipReadable(5);
        ByteBuffer to = ByteBuffer.allocate(19_995);
        b.readBytes(to);
        assertThat(to.flip()).isEqualTo(ByteBuffer.wrap(bytes).position(5));
        assertThat(b.isReadable()).isFalse();
        assertThatThrownBy(() -> b.readBytes(ByteBuffer.allocate(1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void asStreams() throws IOException {
        try (BufferOutputStream out = new BufferOutputStream(b)) {
            out.write(0x1FF);
            out.write(bytes);
        }
        try (BufferInputStream in = new BufferInputStream(b)) {
            assertThat(in.read()).isEqualTo(0xFF);
            in.mark(0);
            assertThat(in.skip(10)).isEqualTo(10);
            assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOfRange(bytes, 10, 110));
            in.reset();
            assertThat(in.available()).isEqualTo(20_000);
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[1])).isEqualTo(-1);
            assertThat(in.skip(1)).isZero();
        }
        assertThat(b.references()).isEqualTo(1);
    }
}
