package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
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
}
