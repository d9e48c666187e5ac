package io.weft.http.model;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Contents that are those of a buffer.
class SharedBodyTest {
    private final Buffer buffer =
            BufferAllocator.pooled().allocate(16).writeAscii("--abcdef--").skipReadable(2);
    private final Body.Bytes body = Body.share(buffer.writeOffset(8));

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(buffer.release()).isTrue();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void isReadAsContentOnTheHeapIs() throws Exception {
        assertThat(body.isShared()).isTrue();
        assertThat(body.length()).isEqualTo(6);
        assertThat(body.asString(US_ASCII)).isEqualTo("abcdef");
        assertThat(body.toByteArray()).isEqualTo("abcdef".getBytes(US_ASCII));
        assertThat(body.asInputStream().readAllBytes()).isEqualTo("abcdef".getBytes(US_ASCII));
        assertThat(body.collect(6).toCompletableFuture().join()).isSameAs(body);
        try (Buffer out = BufferAllocator.pooled().allocate(3)) {
            body.writeTo(out);
            body.writeTo(out, 4, 2);
            assertThat(out.readString(US_ASCII)).isEqualTo("abcdefef");
        }
        long read =
                body.forEachPiece(
                                piece -> assertThat(piece.readString(US_ASCII)).isEqualTo("abcdef"))
                        .toCompletableFuture()
                        .join();
        assertThat(read).isEqualTo(6);
        assertThat(buffer.readableBytes()).isEqualTo(6);
    }

    @Test
    void aSliceLiesWhereTheContentDoes() {
        try (Buffer slice = body.slice(1, 4)) {
            assertThat(slice.address()).isEqualTo(buffer.address() + 3);
            assertThat(slice.readString(US_ASCII)).isEqualTo("bcde");
        }
    }

    @Test
    void bytesOutsideOfTheContentAreNotReached() {
        assertThatThrownBy(() -> body.slice(0, 7)).isInstanceOf(IndexOutOfBoundsException.class);
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            assertThatThrownBy(() -> body.writeTo(out, 3, 4))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(out.isReadable()).isFalse();
        }
        assertThatThrownBy(() -> Body.of("x").slice(0, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Body.of("x").isShared()).isFalse();
    }
}
