package io.weft.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
    private final Buffer b = BufferAllocator.pooled().allocate(16);

    @AfterEach
    void everyBufferWasReleased() {
        b.release();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void isEncodedAsTheJdkDoes(String text) {
        byte[] expected = text.getBytes(UTF_8);
        for (CharSequence each : new CharSequence[] {text, CharBuffer.wrap(text)}) {
            try (Buffer to = BufferAllocator.pooled().allocate(0)) {
                assertThat(to.writeUtf8(each)).isEqualTo(expected.length);
                byte[] bytes = new byte[to.readableBytes()];
                to.readBytes(bytes);
                assertThat(bytes).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ascii",
                "\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff",
                "a\ud83d\ude00b",
                "\ud83d",
                "\ude00",
                "\ud83dx",
                "\ude00\ud83d",
                "\ud83d\ud83d\ude00\ude00"
            })
    void edgesOfUtf8(String text) {
        isEncodedAsTheJdkDoes(text);
    }

    @Test
    void anyCharsInUtf8() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        int[] bounds = {0x80, 0x800, 0x10000};
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(100); i > 0; i--) {
                text.append(
                        random.nextInt(4) == 0
                                ? (char) (0xD800 + random.nextInt(0x800))
                                : (char) random.nextInt(bounds[random.nextInt(3)]));
            }
            isEncodedAsTheJdkDoes(text.toString());
        }
    }

    @Test
    void aStringReservesWhatItNeeds() {
        try (Buffer exact = BufferAllocator.pooled().allocate(6, 6)) {
            assertThat(exact.writeUtf8("äöü")).isEqualTo(6);
            assertThatThrownBy(() -> exact.writeUtf8("x")).isInstanceOf(MemoryLimitException.class);
            assertThat(exact.readString(UTF_8)).isEqualTo("äöü");
        }
    }

    @Test
    void aTextThatThrowsLeavesNoGarbage() {
        CharSequence broken =
                new CharSequence() {
                    @Override
                    public int length() {
                        return 5;
                    }

                    @Override
                    public char charAt(int index) {
                        throw new IndexOutOfBoundsException(index);
                    }

                    @Override
                    public CharSequence subSequence(int start, int end) {
                        return this;
                    }
                };
        assertThatThrownBy(() -> b.writeUtf8(broken)).hasMessageContaining("0");
        assertThatThrownBy(() -> b.writeLatin1(broken)).hasMessageContaining("0");
        assertThatThrownBy(() -> b.writeAscii(broken)).hasMessageContaining("0");
        assertThat(b.isReadable()).isFalse();
    }

    @Test
    void latin1HasNothingAboveFf() {
        assertThat(b.writeLatin1("aÿ\u0100€").readString(ISO_8859_1)).isEqualTo("aÿ??");
    }

    @Test
    void textIsReadByLength() {
        b.writeAscii("one,two");
        assertThat(b.readString(3, US_ASCII)).isEqualTo("one");
        assertThat(b.getString(4, 3, US_ASCII)).isEqualTo("two");
        assertThat(b.readOffset()).isEqualTo(3);
        assertThatThrownBy(() -> b.readString(5, US_ASCII))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> b.readString(-1, US_ASCII))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aHexDumpShowsOffsetBytesAndAscii() {
        b.writeAscii("\r\nhello, buffers ~\u007f");
        assertThat(b.skipReadable(1).hexDump())
                .isEqualTo(
                        """
                        00000000  0a 68 65 6c 6c 6f 2c 20  62 75 66 66 65 72 73 20  |.hello, buffers |
                        00000010  7e 7f                                             |~.|
                        """);
    }
}
