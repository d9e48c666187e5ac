package io.weft.http.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.Http2Connection.Role;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Frames between small buffers and payloads that are not copied. The ledger of buffers counts what
/// becomes of them.
class OutgoingFramesTest {
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);
    private static final int WINDOW = 1 << 30;

    private final OutgoingFrames frames = new OutgoingFrames(BufferAllocator::pooled);
    private final Silent events = new Silent();
    private final Http2Connection h2 = connection(frames);

    /// Hears nothing of interest.
    private static final class Silent implements Http2Events {
        @Override
        public void data(Http2Stream stream, Buffer data, boolean end) {
            data.release();
        }

        @Override
        public void trailers(Http2Stream stream, Headers trailers) {}

        @Override
        public void reset(Http2Stream stream, int code) {}

        @Override
        public void send(Http2Stream stream) {}

        @Override
        public void failed(Http2Exception cause) {
            throw cause;
        }
    }

    private Http2Connection connection(FrameOutput out) {
        Http2Connection made =
                new Http2Connection(Role.CLIENT, Http2Limits.DEFAULT, () -> 0, out, events);
        made.start();
        Buffer peer = BufferAllocator.pooled().allocate(64);
        FrameEncoder.settings(Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, WINDOW), peer);
        FrameEncoder.windowUpdate(0, WINDOW, peer);
        made.receive(peer);
        return made;
    }

    private Http2Stream post(Http2Connection of) {
        return of.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
    }

    @AfterEach
    void close() {
        h2.close();
        frames.release();
    }

    /// Returns the bytes that have been written, by the buffers that they are in.
    private List<byte[]> drained() {
        List<byte[]> all = new ArrayList<>();
        var _ =
                frames.drainTo(
                        buffer -> {
                            try (buffer) {
                                all.add(bytes(buffer));
                            }
                        });
        return all;
    }

    private static byte[] bytes(Buffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private static Buffer filled(Buffer buffer, int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return buffer.writeBytes(bytes);
    }

    private static Buffer payload(int length, int seed) {
        return filled(BufferAllocator.pooled().allocate(length), length, seed);
    }

    @Test
    void aLargePayloadIsHandedOnBehindItsHeader() {
        Http2Stream stream = post(h2);
        drained();
        Buffer payload = payload(10_000, 1);
        stream.data(payload.retain(), false);
        List<Buffer> written = new ArrayList<>();
        assertThat(frames.bytes()).isEqualTo(10_009);
        assertThat(frames.drainTo(written::add)).isTrue();
        assertThat(written).hasSize(2);
        assertThat(written.getFirst().readableBytes()).isEqualTo(9);
        assertThat(written.getLast()).isSameAs(payload);
        assertThat(frames.bytes()).isZero();
        assertThat(payload.references()).isEqualTo(2);
        written.forEach(Buffer::release);
        payload.release();
    }

    @Test
    void aPieceHasItsHeaderBeforeIt() {
        Http2Stream stream = post(h2);
        drained();
        Buffer piece =
                filled(
                        OutgoingFrames.piece(BufferAllocator.pooled(), 1 << 20),
                        OutgoingFrames.PIECE,
                        1);
        assertThat(piece.writableBytes()).isZero();
        stream.frame(piece, false);
        List<byte[]> written = drained();
        assertThat(written).hasSize(1);
        assertThat(written.getFirst()).hasSize(16 << 10);
        assertThat(piece.references()).isZero();
    }

    @Test
    void smallFramesShareABuffer() {
        Http2Stream stream = post(h2);
        for (int i = 0; i < 50; i++) {
            stream.data(payload(100, i), false);
            stream.frame(
                    filled(OutgoingFrames.piece(BufferAllocator.pooled(), 100), 100, i), false);
        }
        assertThat(drained()).hasSizeLessThan(4);
        for (int i = 0; i < 300; i++) {
            stream.data(payload(100, i), false);
        }
        assertThat(drained()).hasSizeLessThan(5);
        stream.data(payload(100, 1), false);
        assertThat(drained()).hasSize(1);
    }

    @Test
    void aPayloadThatKeepsMuchMemoryForFewBytesIsCopied() {
        Http2Stream stream = post(h2);
        drained();
        Buffer piece = OutgoingFrames.piece(BufferAllocator.pooled(), OutgoingFrames.PIECE);
        stream.frame(filled(piece, 3000, 1), false);
        assertThat(piece.references()).isZero();
        assertThat(frames.bytes()).isEqualTo(3009);
    }

    @Test
    void aPartOfABufferThatHasOtherOwnersIsCopied() {
        Http2Stream stream = post(h2);
        try (Buffer shared = payload(8000, 1)) {
            drained();
            shared.retain();
            stream.data(shared, 10, 4000);
            assertThat(drained()).hasSize(1);
            shared.release();
            stream.data(shared, 10, 4000);
            assertThat(drained()).hasSize(2);
        }
    }

    @Test
    void aBodyInMemoryFillsBuffersOfARecord() {
        Http2Stream stream = post(h2);
        Body.Bytes body = Body.wrap(new byte[64 << 10]);
        List<Integer> lengths = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            lengths.clear();
            stream = post(h2);
            for (int at = 0, sent; (sent = stream.data(body, at, true)) > 0; at += sent) {
                assertThat(sent).isLessThanOrEqualTo(OutgoingFrames.PIECE);
            }
            drained().forEach(bytes -> lengths.add(bytes.length));
        }
        assertThat(lengths).hasSize(5);
        assertThat(lengths.subList(0, 4)).allMatch(length -> length == 16 << 10);
        assertThat(stream.maySend()).isFalse();
    }

    @Test
    void aResetComesBehindThePayloadsThatWait() {
        Http2Stream stream = post(h2);
        Buffer payload = payload(4000, 1);
        stream.data(payload, false);
        stream.reset(ErrorCode.CANCEL);
        Buffer late = payload(4000, 1);
        stream.data(late, true);
        assertThat(late.references()).isZero();
        List<byte[]> written = drained();
        assertThat(written.getLast()).hasSize(13).startsWith(0, 0, 4, 3);
        assertThat(payload.references()).isZero();
    }

    @Test
    void whatIsNotWrittenIsReleased() {
        Http2Stream stream = post(h2);
        Buffer payload = payload(4000, 1);
        stream.data(payload, false);
        stream.end();
        h2.close();
        frames.release();
        assertThat(payload.references()).isZero();
        assertThat(frames.bytes()).isZero();
    }

    @Test
    void aPayloadWithoutRoomIsReleased() {
        Http2Stream stream = post(h2);
        Buffer payload = payload(20_000, 1);
        assertThatThrownBy(() -> stream.data(payload, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("data: 20000 (expected: at most 16384)");
        assertThat(payload.references()).isZero();
    }

    @Test
    void anEmptyPayloadIsReleasedAndNotSent() {
        Http2Stream stream = post(h2);
        drained();
        Buffer payload = payload(0, 1);
        stream.data(payload, false);
        assertThat(payload.references()).isZero();
        assertThat(drained()).isEmpty();
    }

    @Test
    void whatIsWrittenWhileOthersAreTakenFollowsThem() {
        Http2Stream stream = post(h2);
        stream.data(payload(3000, 1), false);
        stream.data(payload(3000, 2), false);
        List<Integer> lengths = new ArrayList<>();
        boolean[] once = new boolean[1];
        drainAndWriteOnce(stream, lengths, once);
        assertThat(lengths.subList(1, lengths.size())).containsExactly(3000, 9, 3000, 9, 3000);
    }

    private void drainAndWriteOnce(Http2Stream stream, List<Integer> lengths, boolean[] once) {
        var _ =
                frames.drainTo(
                        buffer -> {
                            lengths.add(buffer.readableBytes());
                            buffer.release();
                            if (!once[0]) {
                                once[0] = true;
                                stream.data(payload(3000, 3), false);
                                drainAndWriteOnce(stream, lengths, once);
                            }
                        });
    }

    /// The same calls with an output that copies everything into one buffer write the same bytes.
    @Test
    void theBytesAreThoseOfCopies() {
        Random random = new Random(SEED);
        Buffer copies = BufferAllocator.pooled().allocate(256);
        List<byte[]> written = new ArrayList<>();
        Http2Connection copying = connection(() -> copies);
        try {
            Http2Stream stream = post(h2);
            Http2Stream copied = post(copying);
            for (int i = 0; i < 2000; i++) {
                int length = 1 + random.nextInt(random.nextBoolean() ? 16_384 : 600);
                int seed = random.nextInt();
                switch (random.nextInt(6)) {
                    case 0 -> both(stream, copied, s -> send(s, payload(length, seed), false));
                    case 1 -> both(stream, copied, s -> send(s, piece(length, seed), true));
                    case 2 -> both(stream, copied, s -> sendPart(s, length, seed));
                    case 3 -> {
                        h2.ping(seed);
                        copying.ping(seed);
                    }
                    case 4 -> {
                        stream.end();
                        copied.end();
                        stream = post(h2);
                        copied = post(copying);
                    }
                    default -> written.addAll(drained());
                }
                if (!h2.mayOpen()) {
                    resetAll(h2);
                    resetAll(copying);
                    stream = post(h2);
                    copied = post(copying);
                }
            }
            written.addAll(drained());
            Buffer all = BufferAllocator.pooled().allocate(256);
            written.forEach(all::writeBytes);
            try (all) {
                assertThat(Arrays.equals(bytes(all), bytes(copies))).isTrue();
            }
        } finally {
            copying.close();
            copies.release();
        }
    }

    private static void resetAll(Http2Connection of) {
        Http2Stream[] streams = of.streams();
        Arrays.sort(streams, (a, b) -> Integer.compare(a.id(), b.id()));
        for (Http2Stream stream : streams) {
            stream.reset(ErrorCode.CANCEL);
        }
    }

    private static void both(Http2Stream a, Http2Stream b, Function<Http2Stream, Integer> step) {
        assertThat(step.apply(a)).isEqualTo(step.apply(b));
    }

    private static Buffer piece(int length, int seed) {
        int fits = Math.min(length, OutgoingFrames.PIECE);
        return filled(OutgoingFrames.piece(BufferAllocator.pooled(), fits), fits, seed);
    }

    private static int send(Http2Stream stream, Buffer payload, boolean inPlace) {
        int length = payload.readableBytes();
        if (inPlace) {
            stream.frame(payload, false);
        } else {
            stream.data(payload, false);
        }
        assertThat(stream.sent()).isPositive();
        return length;
    }

    private static int sendPart(Http2Stream stream, int length, int seed) {
        try (Buffer whole = payload(length + 10, seed)) {
            stream.data(whole, 5, length);
            return whole.readableBytes();
        }
    }
}
