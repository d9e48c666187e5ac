package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.AsyncFile;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files are read and written without a loop that waits, whether the engine does it or threads do.
@EveryTransport
class AsyncFileTest {
    private static final OpenOption[] NEW_FILE = {
        StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW
    };

    private final Rig rig;
    private final EventLoop loop;
    private final long seed = Long.getLong("io.weft.test.seed", 1);

    @TempDir private Path directory;

    AsyncFileTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
        loop = rig.group.next();
    }

    /// Also sees to it that no descriptor and no buffer is left.
    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private AsyncFile open(String name, OpenOption... options) {
        return AsyncFile.open(loop, directory.resolve(name), options).join();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] taken(Future<Buffer> read) {
        try (Buffer buffer = read.join()) {
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            return bytes;
        }
    }

    private static Throwable failure(Future<?> future) {
        try {
            future.join();
        } catch (CompletionException | CancellationException e) {
            return e.getCause() == null ? e : e.getCause();
        }
        throw new AssertionError("succeeded (expected: failed)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 65_537, 3 << 20})
    void whatWasWrittenIsReadAgain(int length) throws IOException {
        byte[] bytes = bytes(length);
        AsyncFile file = open("new", NEW_FILE);
        file.write(0, Rig.buffer(bytes)).join();
        file.force().join();
        assertThat(file.size().join()).isEqualTo(length);
        assertThat(taken(file.read(0, length))).as("seed %d", seed).isEqualTo(bytes);
        file.close().join();
        assertThat(Files.readAllBytes(directory.resolve("new"))).isEqualTo(bytes);
    }

    @Test
    void readingStopsWhereTheFileEnds() throws IOException {
        Files.write(directory.resolve("short"), bytes(1_000));
        AsyncFile file = open("short");
        assertThat(taken(file.read(990, 100)))
                .isEqualTo(Arrays.copyOfRange(bytes(1_000), 990, 1_000));
        assertThat(taken(file.read(1_000, 100))).isEmpty();
        assertThat(taken(file.read(1L << 40, 100))).isEmpty();
    }

    @Test
    void aThousandPlacesAreReadAtOnce() throws IOException {
        byte[] bytes = bytes(1 << 20);
        Files.write(directory.resolve("large"), bytes);
        AsyncFile file = open("large");
        Random random = new Random(seed);
        List<Integer> places = new ArrayList<>();
        List<Future<Buffer>> reads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int place = random.nextInt(bytes.length - 1_000);
            places.add(place);
            reads.add(file.read(place, 1_000));
        }
        for (int i = 0; i < 1_000; i++) {
            int place = places.get(i);
            assertThat(taken(reads.get(i)))
                    .as("seed %d", seed)
                    .isEqualTo(Arrays.copyOfRange(bytes, place, place + 1_000));
        }
    }

    @Test
    void whatDoesNotOpenSaysWhy() throws IOException {
        Files.write(directory.resolve("there"), bytes(1));
        assertThat(failure(AsyncFile.open(loop, directory.resolve("none"))))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(failure(AsyncFile.open(loop, directory.resolve("there"), NEW_FILE)))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(failure(AsyncFile.open(loop, directory, StandardOpenOption.WRITE)))
                .isInstanceOf(FileSystemException.class);
        assertThatThrownBy(
                        () ->
                                AsyncFile.open(
                                        loop,
                                        directory.resolve("there"),
                                        StandardOpenOption.APPEND))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("APPEND");
    }

    @Test
    void aFileIsUsedAsItWasOpened() throws IOException {
        Files.write(directory.resolve("file"), bytes(10));
        AsyncFile read = open("file");
        try (Buffer buffer = Rig.buffer("x")) {
            assertThatThrownBy(() -> read.write(0, buffer))
                    .isInstanceOf(NonWritableChannelException.class);
        }
        AsyncFile written =
                open("file", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        assertThatThrownBy(() -> written.read(0, 1))
                .isInstanceOf(NonReadableChannelException.class);
        assertThat(written.size().join()).isZero();
    }

    @Test
    void aFileClosesAfterWhatIsUnderWay() throws IOException {
        Files.write(directory.resolve("file"), bytes(1 << 20));
        AsyncFile file = open("file");
        Future<Buffer> read = file.read(0, 1 << 20);
        file.close().join();
        file.close().join();
        assertThat(taken(read)).isEqualTo(bytes(1 << 20));
        assertThat(failure(file.read(0, 1))).isInstanceOf(ClosedChannelException.class);
        assertThat(failure(file.size())).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void whatIsGivenToAClosedFileIsReleased() {
        AsyncFile file = open("new", NEW_FILE);
        file.close().join();
        assertThat(failure(file.write(0, Rig.buffer("lost"))))
                .isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void aReadThatNobodyWaitsForLeavesNothing() throws IOException {
        Files.write(directory.resolve("file"), bytes(1 << 20));
        AsyncFile file = open("file");
        for (int i = 0; i < 100; i++) {
            Future<Buffer> read = file.read(0, 1 << 16);
            if (!read.cancel()) {
                taken(read);
            }
        }
    }

    @Test
    void aLoopThatEndsClosesItsFiles() throws IOException {
        AsyncFile file = open("new", NEW_FILE);
        Future<Void> written = file.write(0, Rig.buffer(bytes(1 << 20)));
        Rig.await(rig.group.shutdownGracefully().toCompletableFuture());
        assertThat(file.close().isSuccess()).isTrue();
        written.join();
        assertThat(Files.readAllBytes(directory.resolve("new"))).isEqualTo(bytes(1 << 20));
    }
}
