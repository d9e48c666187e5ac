package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The lab passes a decoder that is right, and finds each fault in one that is not.
class CodecLabTest {
    /// Frames of one length byte; 0xFF is refused. Each fault is one thing that real decoders got
    /// wrong.
    private static class Frames implements Machine {
        int skip;
        private boolean dead;

        @Override
        public void decode(Buffer in, Consumer<Object> out) {
            if (dead) {
                in.skipReadable(in.readableBytes());
            }
            while (in.isReadable()) {
                int length = in.getUnsignedByte(in.readOffset());
                if (length == 0xFF) {
                    dead = true;
                    throw new IllegalStateException("length: 255");
                }
                if (in.readableBytes() <= length) {
                    waiting(in, length);
                    return;
                }
                in.skipReadable(1);
                out.accept(in.split(length));
            }
        }

        @SuppressWarnings("UnusedVariable") // for the broken twins that override it
        void waiting(Buffer in, int length) {}

        @Override
        public void end(Consumer<Object> out) {}

        @Override
        public void close() {}
    }

    private static Subject subject(String name, java.util.function.Supplier<Machine> machine) {
        return Subject.named(name)
                .decoder(machine, IllegalStateException.class)
                .sample("\4abcd\0\2xy")
                .endless(n -> endless(n));
    }

    private static byte[] endless(int n) {
        byte[] wire = new byte[n];
        wire[0] = (byte) 0xFE;
        return wire;
    }

    private static LabChecks checks(Subject subject) {
        return new LabChecks(subject, Labs.class);
    }

    /// Subjects for the meter, which makes them anew.
    static final class Labs implements CodecLab {
        @Override
        public List<Subject> subjects() {
            return List.of(
                    subject("right", Frames::new),
                    subject("rescanning", CodecLabTest::rescanning).endless(CodecLabTest::endless));
        }
    }

    private static Machine rescanning() {
        return new Frames() {
            @Override
            public void decode(Buffer in, Consumer<Object> out) {
                for (int i = in.readOffset(); i < in.writeOffset(); i++) {
                    skip += in.getByte(i);
                }
                if (in.capacity() == in.writeOffset()) {
                    super.decode(in, out);
                }
            }
        };
    }

    @AfterEach
    void whatBrokenOnesLeft() {
        Ledger.takeOpen();
    }

    @Test
    void passesADecoderThatIsRight() {
        Subject subject =
                subject("right", Frames::new)
                        .refuses("255", "\1a\377", IllegalStateException.class)
                        .roundTrip(() -> new byte[] {1, 'a'}, "a");
        LabChecks checks = checks(subject);
        assertThatCode(
                        () -> {
                            checks.segments();
                            checks.truncation();
                            checks.refusals();
                            checks.roundTrips();
                            checks.faults();
                            checks.fuzz();
                            checks.linearTime();
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void findsADecoderThatDependsOnSegments() {
        Subject subject =
                subject(
                        "segments",
                        () ->
                                new Frames() {
                                    @Override
                                    void waiting(Buffer in, int length) {
                                        in.skipReadable(1); // as if the rest were another frame
                                    }
                                });
        assertThatThrownBy(() -> checks(subject).segments())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it gives");
    }

    @Test
    void findsADecoderThatReservesWhatAPeerDeclares() {
        Subject subject =
                subject(
                        "declared",
                        () ->
                                new Frames() {
                                    @Override
                                    void waiting(Buffer in, int length) {
                                        BufferAllocator.pooled().allocate(length << 12).release();
                                    }
                                });
        assertThatThrownBy(() -> checks(subject).segments())
                .hasMessageContaining("one allocation")
                .hasMessageContaining("expected: at most 4096");
    }

    @Test
    void findsADecoderThatReservesHeap() {
        Subject subject =
                subject(
                        "heap",
                        () ->
                                new Frames() {
                                    @Override
                                    void waiting(Buffer in, int length) {
                                        skip = new byte[length << 20].length;
                                    }
                                });
        assertThatThrownBy(() -> checks(subject).segments()).hasMessageContaining("heap");
    }

    @Test
    void findsADecoderThatLeaksWhenMemoryRunsOut() {
        Subject subject =
                subject(
                        "faults",
                        () ->
                                new Frames() {
                                    @Override
                                    void waiting(Buffer in, int length) {
                                        Buffer first = BufferAllocator.pooled().allocate(1);
                                        BufferAllocator.pooled().allocate(2).release();
                                        first.release();
                                    }
                                });
        assertThatThrownBy(() -> checks(subject.sample("\4abcd\2x")).faults())
                .hasMessageContaining("allocation 2 fails, buffers open: 1");
    }

    @Test
    void findsADecoderThatLooksAtBytesAgain() {
        Subject subject = subject("rescanning", CodecLabTest::rescanning);
        assertThatThrownBy(() -> checks(subject).linearTime())
                .hasMessageContaining("expected: at most 2.2 times");
    }

    @Test
    void findsUndeclaredErrors() {
        Subject subject =
                subject(
                        "undeclared",
                        () ->
                                new Frames() {
                                    @Override
                                    void waiting(Buffer in, int length) {
                                        if (length == 0x80) {
                                            throw new IndexOutOfBoundsException("fuzzed");
                                        }
                                    }
                                });
        assertThatThrownBy(() -> checks(subject).fuzz())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("from seed")
                .hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void findsMissingRefusals() {
        Subject subject =
                subject("lax", Frames::new).refuses("1", "\1a", IllegalStateException.class);
        assertThatThrownBy(() -> checks(subject).refusals()).hasMessageContaining("1: no class");
    }

    @Test
    void findsInjection() {
        Subject subject =
                Subject.named("encoder")
                        .injection(
                                text ->
                                        (text + "\r\n")
                                                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThatThrownBy(() -> checks(subject).injections())
                .hasMessageContaining("control 0 is emitted");
    }
}
