package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AsciiStringTest {
    @Test
    void isTheTextThatItWasMadeOf() {
        AsciiString text = AsciiString.of("Content-Type");
        assertThat(text.toString()).isEqualTo("Content-Type").hasSize(text.length());
        assertThat(text.charAt(7)).isEqualTo('-');
        assertThat((Object) text.subSequence(8, 12)).isEqualTo(AsciiString.of("Type"));
        assertThat((Object) AsciiString.of(text)).isSameAs(text);
        assertThat((Object) AsciiString.of("")).isSameAs(AsciiString.EMPTY);
    }

    @Test
    void refusesWhatIsNotAscii() {
        assertThatThrownBy(() -> AsciiString.of("naïve"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("character 2: U+00EF (expected: at most U+007F)");
        try (Buffer buffer = BufferAllocator.pooled().allocate(2).writeByte('a').writeByte(0xFF)) {
            assertThatThrownBy(() -> AsciiString.of(buffer, 0, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("byte 1: 0xFF (expected: at most 0x7F)");
            assertThatThrownBy(() -> AsciiString.of(buffer, 0, 99_999))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void goesToABufferAndBack() {
        AsciiString text = AsciiString.of("EHLO");
        try (Buffer buffer = BufferAllocator.pooled().allocate(8).writeByte('>')) {
            text.writeTo(buffer);
            assertThat((Object) AsciiString.of(buffer, 1, 4))
                    .isEqualTo(text)
                    .hasSameHashCodeAs(text);
            assertThat(text.isAt(buffer, 1)).isTrue();
            assertThat(text.isAt(buffer, 0)).isFalse();
        }
    }

    @Test
    void ignoresTheCaseOfAToZAlone() {
        AsciiString kelvin = AsciiString.of("k");
        assertThat(kelvin.equalsIgnoreCase("K")).isTrue();
        assertThat(kelvin.equalsIgnoreCase("\u212A"))
                .isFalse(); // the Kelvin sign, as String has it
        assertThat(AsciiString.of("@[`{").equalsIgnoreCase("`{@[")).isFalse();
        assertThat(kelvin.equals(AsciiString.of("K"))).isFalse();
        assertThat(AsciiString.of("aZ-09").toLowerCase().toString()).isEqualTo("az-09");
        assertThat((Object) kelvin.toLowerCase()).isSameAs(kelvin);
    }

    @Test
    void textsEqualButForCaseHaveTheSameHash() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        for (int n = 0; n < 1000; n++) {
            String text =
                    random.ints(random.nextInt(20), 0, 0x80)
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            AsciiString upper = AsciiString.of(text.toUpperCase(Locale.ROOT));
            AsciiString lower = AsciiString.of(text.toLowerCase(Locale.ROOT));
            assertThat(upper.equalsIgnoreCase(lower)).isTrue();
            assertThat(lower.hashIgnoreCase()).isEqualTo(upper.hashIgnoreCase());
            assertThat(AsciiString.hashIgnoreCase(text)).isEqualTo(upper.hashIgnoreCase());
            assertThat((Object) upper.toLowerCase()).isEqualTo(lower);
        }
    }

    @Test
    void isOrderedAsStringsAre() {
        assertThat(AsciiString.of("ab").compareTo(AsciiString.of("b"))).isNegative();
        assertThat(AsciiString.of("a").compareTo(AsciiString.of("ab"))).isNegative();
    }
}
