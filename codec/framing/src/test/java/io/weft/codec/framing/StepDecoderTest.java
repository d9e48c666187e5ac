package io.weft.codec.framing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.StepDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StepDecoderTest {
    private final List<String> lines = new ArrayList<>();

    private static Buffer bytes(String ascii) {
        return BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii);
    }

    private void take(Buffer line) {
        lines.add(line.readString(US_ASCII));
        line.release();
    }

    @Test
    void aPausedDecoderLeavesTheRestUnread() {
        LineDecoder decoder = new LineDecoder(10);
        try (Buffer in = bytes("a\nb\nc\n")) {
            decoder.decode(
                    in,
                    line -> {
                        take(line);
                        decoder.pause();
                    });
            assertThat(lines).containsExactly("a");
            assertThat(in.readableBytes()).isEqualTo(4);
            decoder.resume();
            decoder.decode(in, this::take);
            assertThat(lines).containsExactly("a", "b", "c");
        }
    }

    @Test
    void aStepThatLeadsNowhereIsAnErrorAndNoLoop() {
        StepDecoder<Buffer> stuck =
                new StepDecoder<>() {
                    @Override
                    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
                        return true;
                    }
                };
        try (Buffer in = bytes("a")) {
            assertThatThrownBy(() -> stuck.decode(in, this::take))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expected: progress");
        }
    }

    @Test
    void whatAConsumerThrowsDoesNotEndTheDecoder() {
        LineDecoder decoder = new LineDecoder(10);
        try (Buffer in = bytes("a\nb\n")) {
            assertThatThrownBy(
                            () ->
                                    decoder.decode(
                                            in,
                                            line -> {
                                                take(line);
                                                throw new IllegalStateException("consumer");
                                            }))
                    .hasMessage("consumer");
            decoder.decode(in, this::take);
        }
        assertThat(lines).containsExactly("a", "b");
    }

    @Test
    void theListenerHearsOfEachDiscardedFrameOnce() {
        List<Long> limits = new ArrayList<>();
        LineDecoder decoder =
                new LineDecoder(
                        2, LineDecoder.End.LF_OR_CRLF, TooLong.discard(e -> limits.add(e.limit())));
        try (Buffer in = bytes("aaaaaaaaaaaa\nb\nccc\n")) {
            decoder.decode(in, this::take);
        }
        assertThat(limits).containsExactly(2L, 2L);
        assertThat(lines).containsExactly("b");
    }
}
