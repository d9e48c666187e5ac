package io.weft.codec.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames as bytes, and the limits at which a frame is the longest or too long.
class FramesTest {
    private final List<String> discarded = new ArrayList<>();
    private final TooLong discard = TooLong.discard(e -> discarded.add(e.getMessage()));

    private static Buffer bytes(String latin1) {
        byte[] bytes = latin1.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private static List<String> frames(Decoder<Buffer> decoder, String... parts) {
        List<String> frames = new ArrayList<>();
        try (Buffer in = BufferAllocator.pooled().allocate(64)) {
            for (String part : parts) {
                in.writeBytes(part.getBytes(ISO_8859_1));
                decoder.decode(
                        in,
                        frame -> {
                            frames.add(frame.readString(ISO_8859_1));
                            frame.release();
                        });
            }
        }
        return frames;
    }

    private static byte[][] delimiters(String... latin1) {
        return Stream.of(latin1).map(d -> d.getBytes(ISO_8859_1)).toArray(byte[][]::new);
    }

    private static void refused(String message, Executable made) {
        assertThatThrownBy(made::execute)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void longestDelimiterIsCutOffInEachOrder() {
        for (byte[][] ends : List.of(delimiters("\n", "\r\n"), delimiters("\r\n", "\n"))) {
            assertThat(frames(new DelimiterDecoder(9, ends), "a\r\nb\n", "\r\n"))
                    .containsExactly("a", "b", "");
        }
    }

    @Test
    void firstDelimiterEndsTheFrameWithOrWithoutIt() {
        byte[][] ends = delimiters(";", "END");
        assertThat(frames(new DelimiterDecoder(9, false, TooLong.fail(), ends), "a;bEN", "D;"))
                .containsExactly("a;", "bEND", ";");
        assertThat(frames(new DelimiterDecoder(9, ends), "a;bEN", "D;"))
                .containsExactly("a", "b", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--", "-+"})
    void delimitedFrameMayBeAsLongAsTheLimit(String end) {
        byte[][] ends = delimiters(end, "++");
        assertThat(frames(new DelimiterDecoder(3, ends), "abc" + end)).containsExactly("abc");
        DelimiterDecoder decoder = new DelimiterDecoder(3, true, discard, ends);
        assertThat(frames(decoder, "abcd", end, "x" + end)).containsExactly("x");
        assertThat(discarded).containsExactly("frame bytes: 4 (expected: at most 3)");
    }

    @Test
    void endWithinADiscardedDelimitedFrameIsAnError() {
        DelimiterDecoder decoder = new DelimiterDecoder(1, true, discard, delimiters("--"));
        assertThat(frames(decoder, "abcd-")).isEmpty();
        assertThatThrownBy(() -> decoder.end(Buffer::release))
                .isInstanceOf(PrematureEndException.class);
    }

    @Test
    void delimitersAndLimitsThatMakeNoSenseAreRefused() {
        refused("delimiters: none", () -> new DelimiterDecoder(1));
        refused("delimiter: empty", () -> new DelimiterDecoder(1, delimiters("a", "")));
        refused("maxLength: -1", () -> new DelimiterDecoder(-1, delimiters("ab")));
        int most = Integer.MAX_VALUE - 2;
        refused("maxLength: " + (most + 1), () -> new DelimiterDecoder(most + 1, delimiters("ab")));
        assertThat(frames(new DelimiterDecoder(0, delimiters("ab")), "abab"))
                .containsExactly("", "");
        assertThat(frames(new DelimiterDecoder(most, delimiters("ab")), "xab"))
                .containsExactly("x");
    }

    @Test
    void lineMayBeAsLongAsTheLimit() {
        LineDecoder decoder = new LineDecoder(3, LineDecoder.End.LF_OR_CRLF, discard);
        assertThat(frames(decoder, "abc\n", "abc", "\r", "\n", "abcd\r\nx\r\n"))
                .containsExactly("abc", "abc", "x");
        assertThat(discarded).containsExactly("line bytes: 4 (expected: at most 3)");
        assertThat(frames(new LineDecoder(0), "\n\r\n")).containsExactly("", "");
        assertThat(frames(new LineDecoder(Integer.MAX_VALUE - 2), "x\n")).containsExactly("x");
        refused("maxLength: -1", () -> new LineDecoder(-1));
        refused("maxLength: 2147483646", () -> new LineDecoder(Integer.MAX_VALUE - 1));
    }

    @Test
    void lineWithoutCrIsQuotedFromItsLastBytes() {
        LineDecoder decoder = new LineDecoder(99, LineDecoder.End.CRLF, TooLong.fail());
        assertThatThrownBy(() -> frames(decoder, "0123456789abcdef\n"))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("\"6789abcdef\\x0a\" (expected: CR before LF)");
    }

    @Test
    void varintFrameMayBeAsLongAsTheLimit() {
        assertThat(frames(new VarintDecoder(3, discard), "\3abc\4abcd\1x"))
                .containsExactly("abc", "x");
        assertThat(discarded).containsExactly("frame bytes: 4 (expected: at most 3)");
        assertThat(frames(new VarintDecoder(0), "\0\0")).containsExactly("", "");
        refused("maxLength: -1", () -> new VarintDecoder(-1));
        assertThatThrownBy(() -> frames(new VarintDecoder(9), "\200\201\202\203\204x"))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("\\x80\\x81\\x82\\x83\\x84\" ");
    }

    @Test
    void frameOfOneLengthIsNotEmpty() {
        refused("length: 0", () -> new FixedLengthDecoder(0));
        assertThat(frames(new FixedLengthDecoder(1), "ab")).containsExactly("a", "b");
    }

    @Test
    void lengthFieldIsWhereAndWhatItsParametersSay() {
        LengthField field = LengthField.of(2).offset(1).adjustment(-3).strip(1).littleEndian();
        assertThat(frames(new LengthFieldDecoder(field, 9), "A\5\0xyB\3\0"))
                .containsExactly("\5\0xy", "\3\0");
        assertThat(field.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void frameMayBeAsLongAsTheLimitAndAsShortAsItsField() {
        LengthField field = LengthField.of(1).strip(0);
        LengthFieldDecoder decoder = new LengthFieldDecoder(field, 3, discard);
        assertThat(frames(decoder, "\2ab\3abc\0\1x")).containsExactly("\2ab", "\0", "\1x");
        assertThat(discarded).containsExactly("frame bytes: 4 (expected: at most 3)");
        assertThat(frames(new LengthFieldDecoder(LengthField.of(1), 1), "\0")).containsExactly("");
        assertThat(frames(new LengthFieldDecoder(field.strip(3), 3), "\2ab")).containsExactly("");
        refused("maxFrameLength: 2", () -> new LengthFieldDecoder(field.strip(3), 2));
        refused("strip: -1", () -> field.strip(-1));
        assertThatCode(() -> field.offset(Integer.MAX_VALUE - 8)).doesNotThrowAnyException();
        refused("offset: 2147483640", () -> field.offset(Integer.MAX_VALUE - 7));
    }

    @Test
    void lengthsUpToTheLargestOfTheFieldAreWritten() {
        assertThat(written(new LengthFieldPrepender(1), 255)).startsWith(255);
        LengthFieldPrepender less = new LengthFieldPrepender(1, ByteOrder.BIG_ENDIAN, -2, false);
        assertThat(written(less, 2)).containsExactly(0, 'x', 'x');
        assertThatThrownBy(() -> written(less, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length: -1 (expected: 0 to 255)");
    }

    private static int[] written(LengthFieldPrepender prepender, int length) {
        try (Output out = new Output();
                Buffer wire = BufferAllocator.pooled().allocate(length + 8)) {
            prepender.encode(bytes("x".repeat(length)), out);
            out.drain(
                    b -> {
                        try (b) {
                            wire.writeBytes(b);
                        }
                    });
            int[] all = new int[wire.readableBytes()];
            Arrays.setAll(all, _ -> wire.readUnsignedByte());
            return all;
        }
    }

    @Test
    void limitOfTheErrorIsTheDecoders() {
        assertThatThrownBy(() -> frames(new LineDecoder(2), "abcd\n"))
                .isInstanceOfSatisfying(
                        LimitExceededException.class, e -> assertThat(e.limit()).isEqualTo(2));
    }
}
