package io.weft.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ResponseBodyTest {
    private int resumed;

    private final ResponseBody body =
            new ResponseBody(
                    new ResponseBody.Flow() {
                        @Override
                        public void resume() {
                            resumed++;
                        }

                        @Override
                        public void discard() {}
                    });

    private boolean add(int length) {
        return body.add(BufferAllocator.pooled().allocate(length).writeBytes(new byte[length]));
    }

    private void read(int length) throws HttpClientException {
        try (Buffer out = BufferAllocator.pooled().allocate(length)) {
            var _ = body.read(out);
        }
    }

    @Test
    void readerThatCatchesUpResumes() throws Exception {
        assertThat(add(ResponseBody.HIGH - 1)).isTrue();
        assertThat(add(1)).isFalse();
        read(ResponseBody.HIGH - ResponseBody.LOW);
        assertThat(resumed).isZero();
        read(1);
        assertThat(resumed).isEqualTo(1);
        body.close();
    }

    @Test
    void handsOverTheBuffersThatCame() throws Exception {
        Buffer first = BufferAllocator.pooled().allocate(8).writeAscii("abcdef");
        body.add(first);
        add(ResponseBody.HIGH);
        try (Buffer part = body.take(2)) {
            assertThat(part).isNotNull();
            assertThat(part.readableBytes()).isEqualTo(2);
        }
        read(1);
        assertThat(body.take(100)).isSameAs(first);
        assertThat(first.readableBytes()).isEqualTo(3);
        first.release();
        assertThat(resumed).isZero();
        try (Buffer large = body.take(ResponseBody.HIGH)) {
            assertThat(large).isNotNull();
        }
        assertThat(resumed).isEqualTo(1);
        assertThat(body.take(1)).isNull();
    }

    /// A piece may keep the whole buffer that it was received in.
    @Test
    void shortPiecesThatWaitAreGathered() {
        for (int i = 0; i < 1000; i++) {
            assertThat(body.add(BufferAllocator.pooled().allocate(1024).writeAscii("ab"))).isTrue();
        }
        Buffer large = BufferAllocator.pooled().allocate(5000).writeBytes(new byte[5000]);
        body.add(large);
        body.add(BufferAllocator.pooled().allocate(8).writeAscii("cd"));
        List<Integer> lengths = new ArrayList<>();
        for (Buffer next = body.take(10_000); next != null; next = body.take(10_000)) {
            lengths.add(next.readableBytes());
            next.release();
        }
        assertThat(lengths).containsExactly(2, 1998, 5000, 2);
    }

    @Test
    void gatheredPiecesThatAreReadInPartKeepTheirOrder() throws Exception {
        StringBuilder came = new StringBuilder();
        StringBuilder got = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            String piece = Integer.toString(i);
            came.append(piece);
            body.add(BufferAllocator.pooled().allocate(64).writeAscii(piece));
            if (i % 3 == 0) {
                try (Buffer out = BufferAllocator.pooled().allocate(5)) {
                    var _ = body.read(out);
                    got.append(out.readString(ISO_8859_1));
                }
            }
            if (i % 7 == 0) {
                take(got, 3);
            }
        }
        while (take(got, 1000)) {
            assertThat(came).startsWith(got);
        }
        assertThat(got).hasToString(came.toString());
    }

    private boolean take(StringBuilder to, int most) {
        try (Buffer taken = body.take(most)) {
            to.append(taken == null ? "" : taken.readString(ISO_8859_1));
            return taken != null;
        }
    }

    @Test
    void whatStillComesDoesNotHideThatTheReaderHasToResume() throws Exception {
        assertThat(add(ResponseBody.HIGH)).isFalse();
        read(ResponseBody.HIGH / 2);
        assertThat(add(1)).isFalse();
        read(ResponseBody.HIGH);
        assertThat(resumed).isEqualTo(1);
        assertThat(add(1)).isTrue();
        body.close();
    }

    private StreamedResponse response() {
        Request request = Request.get("http://s/");
        Origin origin = Origin.of(request.target());
        return new StreamedResponse(request, origin, Status.OK, Headers.EMPTY, body);
    }

    @Test
    void closedResponseFailsAReaderThatWaits() {
        StreamedResponse response = response();
        CompletableFuture<?> whole = response.collect(100).toCompletableFuture();
        add(1);
        assertThat(whole).isNotDone();
        response.close();
        assertThat(whole).isCompletedExceptionally();
        assertThatThrownBy(whole::join).hasCauseInstanceOf(Cancelled.class);
    }

    @Test
    void closedResponseWakesAReaderOutsideTheLock() {
        StreamedResponse response = response();
        List<Boolean> wakes = new ArrayList<>();
        response.source().onWake(() -> wakes.add(Thread.holdsLock(body)));
        response.close();
        response.close();
        assertThat(wakes).containsExactly(false);
    }

    @Test
    void closedResponseIsNotTakenForAWholeOne() throws Exception {
        StreamedResponse response = response();
        InputStream in = response.inputStream();
        add(2);
        body.end(Headers.EMPTY);
        response.close();
        assertThatThrownBy(in::read).isInstanceOf(Cancelled.class);
        in.close();
    }

    @Test
    void closingBehindTheEndDisturbsNoReader() throws Exception {
        StreamedResponse response = response();
        BodySource source = response.source();
        body.end(Headers.EMPTY);
        response.close();
        assertThat(Body.of(source).asInputStream().read()).isEqualTo(-1);
    }
}
