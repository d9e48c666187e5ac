package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Channel;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parts of files arrive as they are on disk, between what was written before and after.
@EveryTransport
class FileRegionTest {
    private final Rig rig;
    private final long seed = Long.getLong("io.weft.test.seed", 1);
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final SocketAddress address;

    @TempDir private Path directory;

    FileRegionTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
        address = rig.listen(accepted::complete);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("file"), bytes);
    }

    private Channel channel() {
        return Rig.await(accepted);
    }

    /// @param told whether its descriptor is told, which others may share then: io_uring reads the
    ///     files of such a channel, and sends those of others with calls
    private Channel channel(boolean told) {
        Channel channel = channel();
        if (told) {
            Rig.onLoop(channel, channel::descriptor);
        }
        return channel;
    }

    @ParameterizedTest
    @CsvSource({
        "0, false", "1, false", "65535, false", "65536, false", "65537, false", "3145728, false",
        "0, true", "1, true", "65535, true", "65536, true", "65537, true", "3145728, true"
    })
    void aFileTravelsBetweenBuffers(int length, boolean told) throws Exception {
        byte[] bytes = bytes(length);
        Socket peer = rig.connect(address);
        Channel channel = channel(told);
        FileRegion region = FileRegion.open(file(bytes));
        Promise<Void> done = channel.newPromise();
        channel.write(Rig.buffer("head"));
        channel.write(region, done);
        channel.write(Rig.buffer("tail"));
        channel.flush();
        assertThat(Rig.receive(peer, 4)).isEqualTo("head");
        byte[] received = peer.getInputStream().readNBytes(length);
        assertThat(Arrays.equals(received, bytes)).as("seed %d", seed).isTrue();
        assertThat(Rig.receive(peer, 4)).isEqualTo("tail");
        done.join();
        assertThat(region.file().isOpen()).isFalse();
        peer.close(); // a close in order would wait for it
        channel.close().join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalPartsTravelInTurnToAPeerThatReadsSlowly(boolean told) throws Exception {
        byte[] bytes = bytes(2 << 20);
        Path file = file(bytes);
        Socket peer = rig.connect(address, 4 << 10);
        Channel channel = channel(told);
        channel.write(FileRegion.open(file, 1 << 20, 1 << 20));
        channel.write(FileRegion.open(file, 5, 0));
        channel.write(FileRegion.open(file, 0, 1 << 20));
        channel.flush();
        var _ = channel.close(); // in order: what was flushed is sent first
        byte[] received = new byte[bytes.length];
        for (int at = 0; at < received.length; ) {
            int n = peer.getInputStream().read(received, at, Math.min(3000, received.length - at));
            assertThat(n).as("at %d", at).isPositive();
            at += n;
        }
        assertThat(Arrays.equals(received, 1 << 20, 2 << 20, bytes, 0, 1 << 20)).isTrue();
        assertThat(Arrays.equals(received, 0, 1 << 20, bytes, 1 << 20, 2 << 20)).isTrue();
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aFileCountsInWritabilityButNotAgainstTheCap() throws Exception {
        Socket peer = rig.connect(address, 4 << 10);
        Channel channel = channel();
        byte[] bytes = bytes(16 << 20);
        Path file = file(bytes);
        FileRegion region = FileRegion.open(file);
        Promise<Void> tail = channel.newPromise();
        long[] pending = new long[1];
        boolean[] writable = new boolean[1];
        Rig.onLoop(
                channel,
                () -> {
                    channel.write(region);
                    channel.write(Rig.buffer("tail"), tail);
                    pending[0] = channel.pendingBytes();
                    writable[0] = channel.isWritable();
                    channel.flush();
                });
        assertThat(pending[0]).isEqualTo((16 << 20) + 4);
        assertThat(writable[0]).isFalse();
        assertThat(peer.getInputStream().readNBytes(16 << 20)).hasSize(16 << 20);
        assertThat(Rig.receive(peer, 4)).isEqualTo("tail");
        tail.join();
        Rig.awaitTrue("writable", channel::isWritable);
        peer.close(); // a close in order would wait for it
        channel.close().join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatShrinksBreaksTheConnection(boolean told) throws Exception {
        Path file = file(bytes(8 << 20));
        Socket peer = rig.connect(address, 4 << 10);
        Channel channel = channel(told);
        FileRegion region = FileRegion.open(file);
        Promise<Void> done = channel.newPromise();
        channel.writeAndFlush(region, done);
        byte[] _ = peer.getInputStream().readNBytes(1000);
        try (FileChannel shrinking = FileChannel.open(file, StandardOpenOption.WRITE)) {
            shrinking.truncate(10);
        }
        assertThatThrownBy(
                        () -> {
                            byte[] all = peer.getInputStream().readAllBytes();
                            assertThat(all).hasSizeLessThan(8 << 20);
                            throw new IOException("ended early");
                        })
                .isInstanceOf(IOException.class);
        Rig.awaitTrue("done", done::isDone);
        assertThat(done.cause()).isInstanceOf(ClosedChannelException.class);
        assertThat(region.file().isOpen()).isFalse();
        channel.closeFuture().join();
    }

    @Test
    void aFileThatWasReplacedIsSentAsItWasOpened() throws Exception {
        byte[] bytes = bytes(100_000);
        Path file = file(bytes);
        FileRegion region = FileRegion.open(file);
        Files.delete(file);
        Files.write(file, new byte[10]);
        Socket peer = rig.connect(address);
        Channel channel = channel();
        channel.writeAndFlush(region);
        assertThat(peer.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
        peer.close(); // a close in order would wait for it
        channel.close().join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closingInTheMidstClosesTheFile(boolean told) throws Exception {
        Socket peer = rig.connect(address, 4 << 10);
        Channel channel = channel(told);
        FileRegion region = FileRegion.open(file(bytes(8 << 20)));
        FileRegion behind = FileRegion.open(directory.resolve("file"));
        Promise<Void> done = channel.newPromise();
        channel.write(region, done);
        channel.writeAndFlush(behind);
        byte[] _ = peer.getInputStream().readNBytes(1000);
        channel.abort().join();
        assertThat(done.cause()).isInstanceOf(ClosedChannelException.class);
        assertThat(region.file().isOpen()).isFalse();
        assertThat(behind.file().isOpen()).isFalse();
        FileRegion late = FileRegion.open(directory.resolve("file"));
        Promise<Void> refused = channel.newPromise();
        channel.write(late, refused);
        Rig.awaitTrue("refused", refused::isDone);
        assertThat(late.file().isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeerThatGoesAwayClosesTheFile(boolean told) throws Exception {
        Socket peer = rig.connect(address, 4 << 10);
        Channel channel = channel(told);
        FileRegion region = FileRegion.open(file(bytes(8 << 20)));
        channel.writeAndFlush(region);
        byte[] _ = peer.getInputStream().readNBytes(1000);
        Rig.reset(peer);
        channel.closeFuture().join();
        assertThat(region.file().isOpen()).isFalse();
    }

    @Test
    void whatAFileDoesNotHaveIsRefused() throws IOException {
        Path file = file(new byte[10]);
        assertThatThrownBy(() -> FileRegion.open(file, 5, 6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("position: 5, count: 6 (expected: within the size 10)");
        assertThatThrownBy(() -> FileRegion.open(file, 11, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileRegion.open(directory.resolve("none")))
                .isInstanceOf(IOException.class);
        FileRegion all = FileRegion.open(file, 4, Long.MAX_VALUE);
        assertThat(all.remaining()).isEqualTo(6);
        all.close();
        all.close();
    }
}
