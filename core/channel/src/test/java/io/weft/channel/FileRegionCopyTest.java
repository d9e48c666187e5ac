package io.weft.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Regions of files where the engine cannot send them by itself.
class FileRegionCopyTest {
    @TempDir private Path directory;

    private final byte[] bytes = new byte[200_000];

    FileRegionCopyTest() {
        new Random(1).nextBytes(bytes);
    }

    private Path file() throws IOException {
        return Files.write(directory.resolve("file"), bytes);
    }

    @Test
    void itIsReadInPieces() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            Promise<Void> done = channel.newPromise();
            FileRegion region = FileRegion.open(file());
            channel.write(text("head"));
            channel.write(region, done);
            channel.writeAndFlush(text("tail"));
            byte[] sent = embedded.takeOutbound();
            assertThat(sent).hasSize(200_008).startsWith("head".getBytes(US_ASCII));
            assertThat(Arrays.copyOfRange(sent, 4, 200_004)).isEqualTo(bytes);
            assertThat(done.isSuccess()).isTrue();
            assertThat(region.file().isOpen()).isFalse();
            assertThat(channel.pendingBytes()).isZero();
        }
    }

    /// A directory can be opened like a file, and would fail when its length has been told to the
    /// peer.
    @Test
    void aDirectoryIsNoFile() {
        assertThatThrownBy(() -> FileRegion.open(directory))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(directory + ": is a directory");
    }

    private static Buffer text(String ascii) {
        return BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii);
    }

    @Test
    void aPeerThatReadsSlowlyGetsItBitByBit() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            embedded.limitWindow(0);
            channel.writeAndFlush(FileRegion.open(file()));
            assertThat(channel.isWritable()).isFalse();
            int total = 0;
            for (int i = 0; i < 1000 && total < bytes.length; i++) {
                embedded.openWindow(777);
                total += embedded.takeOutbound().length;
            }
            assertThat(total).isEqualTo(bytes.length);
            assertThat(channel.isWritable()).isTrue();
            assertThat(channel.pendingBytes()).isZero();
        }
    }

    @Test
    void aFileThatShrankBreaksTheConnection() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            FileRegion region = FileRegion.open(file());
            try (FileChannel shrinking =
                    FileChannel.open(region.path(), StandardOpenOption.WRITE)) {
                shrinking.truncate(100);
            }
            Promise<Void> done = channel.newPromise();
            channel.writeAndFlush(region, done);
            embedded.runPending();
            assertThat(done.cause()).isInstanceOf(ClosedChannelException.class);
            assertThat(embedded.isReset()).isTrue();
            assertThat(region.file().isOpen()).isFalse();
        }
    }

    @Test
    void whatIsNotFlushedIsClosedWithTheChannel() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            FileRegion region = FileRegion.open(file());
            embedded.channel().write(region);
            assertThat(embedded.channel().pendingBytes()).isEqualTo(200_000);
            var _ = embedded.channel().close();
            embedded.runPending();
            assertThat(region.file().isOpen()).isFalse();
            assertThat(embedded.channel().pendingBytes()).isZero();
        }
    }

    @Test
    void anInterruptBreaksNothingAndIsKept() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Path file = file();
            Thread.currentThread().interrupt();
            embedded.channel().writeAndFlush(FileRegion.open(file));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(embedded.takeOutbound()).isEqualTo(bytes);
        }
    }

    @Test
    void anInterruptInTheMidstOfACallIsKeptToo() throws IOException {
        try (FileRegion region = FileRegion.open(file())) {
            AtomicInteger calls = new AtomicInteger();
            ByteBuffer into = ByteBuffer.allocate(100);
            long read =
                    region.uninterrupted(
                            file -> {
                                if (calls.incrementAndGet() == 1) {
                                    Thread.currentThread().interrupt();
                                }
                                return file.read(into, 50);
                            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(calls).hasValue(2);
            assertThat(read).isEqualTo(100);
            assertThat(into.array()).isEqualTo(Arrays.copyOfRange(bytes, 50, 150));
        }
    }

    @Test
    void aFileThatWasReplacedIsNotOpenedAgain() throws IOException {
        try (FileRegion region = FileRegion.open(file())) {
            Path other = Files.write(directory.resolve("other"), new byte[200_000]);
            Files.move(other, region.path(), StandardCopyOption.REPLACE_EXISTING);
            assertThatThrownBy(
                            () ->
                                    region.uninterrupted(
                                            file -> {
                                                Thread.currentThread().interrupt();
                                                return file.read(ByteBuffer.allocate(1), 0);
                                            }))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void noBytesAreSentAtOnce() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            embedded.limitWindow(0);
            Promise<Void> atTheEnd = embedded.channel().newPromise();
            Promise<Void> inTheMidst = embedded.channel().newPromise();
            embedded.channel().write(FileRegion.open(file(), 200_000, 0), atTheEnd);
            embedded.channel().writeAndFlush(FileRegion.open(file(), 7, 0), inTheMidst);
            assertThat(atTheEnd.isSuccess()).isTrue();
            assertThat(inTheMidst.isSuccess()).isTrue();
        }
    }
}
