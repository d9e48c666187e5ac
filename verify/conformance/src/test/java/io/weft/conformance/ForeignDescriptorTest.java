package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.Readiness;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A loop watches what belongs to somebody else: descriptors, or with NIO channels of the JDK.
@EveryTransport
class ForeignDescriptorTest {
    private final Rig rig;
    private final EventLoop loop;
    private final Foreign foreign;
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

    /// False where each direction is an event of its own.
    private final boolean tellsBothAtOnce;

    ForeignDescriptorTest(String transport) throws IOException {
        tellsBothAtOnce = !transport.endsWith("kqueue");
        rig = Rig.ofSockets(transport, 1);
        loop = rig.group.next();
        foreign = transport.equals("nio") ? new JdkPipe() : new Counter();
    }

    @AfterEach
    void close() throws Exception {
        // A loop that watches something ends all the same.
        Rig.await(rig.group.shutdownGracefully().toCompletableFuture());
        foreign.close();
        rig.close();
    }

    /// Something that can be made readable, and is writable.
    private interface Foreign extends AutoCloseable {
        Readiness watch(EventLoop by, Readiness.Listener listener) throws IOException;

        void fill() throws IOException;

        /// Reads what is there.
        void drain() throws IOException;

        @Override
        void close() throws IOException;
    }

    private static final class Counter implements Foreign {
        private final int fd = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        private final long value = Memory.allocate(16, 8);

        @Override
        public Readiness watch(EventLoop by, Readiness.Listener listener) throws IOException {
            return by.watch(fd, listener);
        }

        @Override
        public void fill() {
            Memory.putLong(value, 1);
            assertThat(Libc.write(fd, value, 8)).isEqualTo(8);
        }

        @Override
        public void drain() {
            assertThat(Libc.read(fd, value + 8, 8)).isEqualTo(8);
        }

        @Override
        public void close() {
            Libc.close(fd);
            Memory.free(value, 16);
        }
    }

    private static final class JdkPipe implements Foreign {
        private final Pipe pipe = Pipe.open();

        JdkPipe() throws IOException {
            pipe.source().configureBlocking(false);
        }

        @Override
        public Readiness watch(EventLoop by, Readiness.Listener listener) throws IOException {
            return by.watch(pipe.source(), listener);
        }

        @Override
        public void fill() throws IOException {
            assertThat(pipe.sink().write(ByteBuffer.allocate(1))).isEqualTo(1);
        }

        @Override
        public void drain() throws IOException {
            assertThat(pipe.source().read(ByteBuffer.allocate(10))).isPositive();
        }

        @Override
        public void close() throws IOException {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    private <T> T onLoop(Callable<T> call) {
        return loop.submit(call).join();
    }

    private String next() throws InterruptedException {
        return String.valueOf(told.poll(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private Readiness watch(Readiness.Listener listener) {
        return onLoop(() -> foreign.watch(loop, listener));
    }

    private void interest(Readiness readiness, boolean readable, boolean writable) {
        onLoop(
                () -> {
                    readiness.interest(readable, writable);
                    return true;
                });
    }

    @Test
    void isToldWhenItCanBeRead() throws Exception {
        Readiness readiness =
                watch(
                        (_, readable, writable) -> {
                            foreign.drain();
                            told.add(readable + " " + writable + " " + loop.inLoop());
                        });
        foreign.fill();
        assertThat(onLoop(() -> told.isEmpty())).isTrue(); // no interest yet
        interest(readiness, true, false);
        assertThat(next()).isEqualTo("true false true");
        foreign.fill();
        assertThat(next()).isEqualTo("true false true");
        interest(readiness, false, false);
        foreign.fill();
        for (int i = 0; i < 3; i++) {
            assertThat(onLoop(() -> told.isEmpty())).isTrue();
        }
        interest(readiness, true, false);
        assertThat(next()).isEqualTo("true false true");
    }

    @Test
    void isToldAgainUntilTheCauseIsGone() throws Exception {
        Readiness readiness =
                watch(
                        (source, _, _) -> {
                            told.add("ready");
                            if (told.size() == 5) {
                                foreign.drain();
                            }
                        });
        foreign.fill();
        interest(readiness, true, false);
        Rig.awaitTrue("five times", () -> told.size() >= 5);
        for (int i = 0; i < 3; i++) {
            assertThat(onLoop(told::size)).isEqualTo(5);
        }
    }

    @Test
    void isToldWhenItCanBeWritten() throws Exception {
        assumeThat(foreign).as("a pipe's source is not written").isInstanceOf(Counter.class);
        Readiness readiness =
                watch(
                        (source, readable, writable) -> {
                            source.interest(false, false);
                            told.add(readable + " " + writable);
                        });
        interest(readiness, true, true);
        assertThat(next()).isEqualTo("false true");
        foreign.fill();
        interest(readiness, true, true);
        assertThat(next()).isEqualTo(tellsBothAtOnce ? "true true" : "true false");
    }

    @Test
    void whenClosedNothingIsTold() throws Exception {
        Readiness readiness = watch((_, _, _) -> told.add("ready"));
        interest(readiness, true, false);
        onLoop(
                () -> {
                    readiness.close();
                    readiness.close();
                    return readiness.isOpen();
                });
        foreign.fill();
        for (int i = 0; i < 3; i++) {
            assertThat(onLoop(() -> told.isEmpty())).isTrue();
        }
        assertThatThrownBy(() -> interest(readiness, true, true))
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void oneThatIsWatchedAgainIsToldAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            Readiness readiness =
                    watch(
                            (source, _, _) -> {
                                foreign.drain();
                                told.add("ready");
                                source.close();
                            });
            interest(readiness, true, false);
            foreign.fill();
            assertThat(next()).isEqualTo("ready");
        }
    }

    @Test
    void oneThatItsListenerWatchesAgainIsToldAgain() throws Exception {
        Readiness readiness =
                watch(
                        (source, _, _) -> {
                            source.close();
                            foreign.watch(loop, (_, _, _) -> told.add("the second")).close();
                            Readiness last =
                                    foreign.watch(
                                            loop,
                                            (third, readable, _) -> {
                                                foreign.drain();
                                                third.close();
                                                told.add("the third: " + readable);
                                            });
                            last.interest(true, false);
                        });
        interest(readiness, true, false);
        foreign.fill();
        assertThat(next()).isEqualTo("the third: true");
    }

    @Test
    void aListenerThatThrowsEndsItsWatchAndNothingElse() throws Exception {
        CompletableFuture<Readiness> thrown = new CompletableFuture<>();
        Readiness readiness =
                watch(
                        (source, _, _) -> {
                            thrown.complete(source);
                            throw new IOException("expected in the log");
                        });
        interest(readiness, true, false);
        foreign.fill();
        assertThat(Rig.await(thrown)).isSameAs(readiness);
        assertThat(onLoop(readiness::isOpen)).isFalse();
        assertThat(onLoop(() -> "alive")).isEqualTo("alive");
    }

    @Test
    void isForTheLoopsThreadAndForWhatThereIs() {
        assertThatThrownBy(() -> foreign.watch(loop, (_, _, _) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: the loop's thread");
        if (foreign instanceof Counter) {
            assertThatThrownBy(() -> onLoop(() -> loop.watch(1 << 20, (_, _, _) -> {})))
                    .hasCauseInstanceOf(IOException.class);
        } else {
            assertThatThrownBy(() -> onLoop(() -> loop.watch(0, (_, _, _) -> {})))
                    .hasCauseInstanceOf(UnsupportedOperationException.class);
        }
    }
}
