package io.weft.http.model;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Contents that are read piece by piece.
class BodyPiecesTest {
    private final List<String> pieces = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Gives what the test adds, and ends when told.
    private static final class Slow implements BodySource {
        private final ArrayDeque<String> ready = new ArrayDeque<>();
        private Runnable wake = () -> {};
        private boolean ended;
        private boolean closed;
        private boolean breaks;

        @Override
        public void onWake(Runnable runnable) {
            wake = runnable;
        }

        @Override
        public Step read(Buffer out) throws IOException {
            if (breaks) {
                throw new IOException("broken");
            }
            String next = ready.poll();
            if (next != null) {
                out.writeAscii(next);
                return Step.MORE;
            }
            return ended ? Step.END : Step.WAIT;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private CompletionStage<Long> read(Body body) {
        return body.forEachPiece(piece -> pieces.add(piece.readString(US_ASCII)));
    }

    private static long length(CompletionStage<Long> read) {
        return read.toCompletableFuture().join();
    }

    @Test
    void contentInMemoryComesWhole() {
        String text = "0123456789".repeat(10_000);
        assertThat(length(read(Body.of(text)))).isEqualTo(100_000);
        assertThat(String.join("", pieces)).isEqualTo(text);
        pieces.clear();
        assertThat(length(read(Body.empty()))).isZero();
        assertThat(length(read(Body.of("")))).isZero();
        assertThat(pieces).isEmpty();
    }

    @Test
    void piecesOfAStreamComeAsItHasThem() {
        Slow source = new Slow();
        CompletionStage<Long> read = read(Body.of(source));
        assertThat(pieces).isEmpty();
        source.ready.addAll(List.of("ab", "c"));
        source.wake.run();
        source.wake.run(); // one too many
        assertThat(pieces).containsExactly("ab", "c");
        assertThat(source.closed).isFalse();
        source.ended = true;
        source.wake.run();
        assertThat(length(read)).isEqualTo(3);
        assertThat(source.closed).isTrue();
    }

    @Test
    void aStreamThatBreaksFailsAndIsClosed() {
        Slow source = new Slow();
        CompletionStage<Long> read = read(Body.of(source));
        source.breaks = true;
        source.wake.run();
        assertThatThrownBy(() -> length(read)).rootCause().hasMessage("broken");
        assertThat(source.closed).isTrue();
    }

    @Test
    void anActionThatThrowsGivesTheBodyUp() {
        Slow source = new Slow();
        source.ready.add("a");
        CompletionStage<Long> read =
                Body.of(source)
                        .forEachPiece(
                                _ -> {
                                    throw new IllegalStateException("on purpose");
                                });
        assertThatThrownBy(() -> length(read)).rootCause().hasMessage("on purpose");
        assertThat(source.closed).isTrue();
    }
}
