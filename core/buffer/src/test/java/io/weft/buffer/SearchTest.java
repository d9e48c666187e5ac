package io.weft.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.search.SearchPatterns;
import io.weft.buffer.search.SearchProcessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SearchTest {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static Buffer buffer(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeBytes(bytes(text));
    }

    /// Text of few letters, so that much of it begins like something else.
    private static String text(Random random, int length, int letters) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(letters)));
        }
        return text.toString();
    }

    @Test
    void aNeedleIsFoundWhereStringFindsIt() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 3000; i++) {
            String haystack = text(random, random.nextInt(600), 1 + random.nextInt(3));
            String needle =
                    haystack.isEmpty() || random.nextInt(3) == 0
                            ? text(random, random.nextInt(40), 2)
                            : haystack.substring(random.nextInt(haystack.length()));
            Buffer b = buffer(haystack);
            CompositeBuffer c = new CompositeBuffer(BufferAllocator.pooled());
            int middle = random.nextInt(haystack.length() + 1);
            c.add(buffer(haystack.substring(0, middle))).add(buffer(haystack.substring(middle)));
            assertThat(b.indexOf(bytes(needle))).isEqualTo(haystack.indexOf(needle));
            assertThat(c.indexOf(bytes(needle))).isEqualTo(haystack.indexOf(needle));
            b.release();
            c.release();
        }
    }

    @Test
    @Timeout(120)
    void aNeedleThatAlmostOccursEverywhereTakesLinearTime() {
        int length = 4_000_000;
        Buffer b = BufferAllocator.pooled().allocate(length);
        b.fill(0, length, 'a').writeOffset(length);
        byte[] needle = new byte[length / 2];
        Arrays.fill(needle, (byte) 'a');
        needle[needle.length - 1] = 'b';
        // Compared place by place: 4 x 10^12 bytes.
        assertThat(b.indexOf(needle)).isEqualTo(-1);
        b.setByte(length - 1, 'b');
        assertThat(b.indexOf(needle)).isEqualTo(length - needle.length);
        b.release();
    }

    private static List<String> expected(String haystack, List<String> needles) {
        List<String> found = new ArrayList<>();
        for (int end = 1; end <= haystack.length(); end++) {
            String seen = haystack.substring(0, end);
            int at = end;
            needles.stream()
                    .filter(seen::endsWith)
                    .sorted((a, b) -> b.length() - a.length())
                    .forEach(needle -> found.add(at + " " + needle));
        }
        return found;
    }

    @Test
    void allPatternsAreFoundWhereverBuffersEnd() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            String haystack = text(random, 200, 3);
            List<String> needles =
                    IntStream.range(0, 1 + random.nextInt(6))
                            .mapToObj(_ -> text(random, 1 + random.nextInt(5), 3))
                            .distinct()
                            .toList();
            SearchPatterns patterns =
                    SearchPatterns.of(
                            needles.stream().map(SearchTest::bytes).toArray(byte[][]::new));
            SearchProcessor search = patterns.newProcessor();
            List<String> found = new ArrayList<>();
            for (int start = 0; start < haystack.length(); ) {
                int end = Math.min(haystack.length(), start + random.nextInt(20));
                Buffer piece = buffer(haystack.substring(start, end));
                int at;
                while ((at = piece.forEachByte(search)) >= 0) {
                    int position = start + at + 1;
                    assertThat(search.foundLength()).isEqualTo(patterns.length(search.found()));
                    search.forEachFound(n -> found.add(position + " " + needles.get(n)));
                    piece.readOffset(at + 1);
                }
                piece.release();
                start = end;
            }
            assertThat(found).isEqualTo(expected(haystack, needles));
        }
    }

    @Test
    void afterAResetNothingHasBeenSeen() {
        SearchProcessor search = SearchPatterns.of(bytes("ab")).newProcessor();
        assertThat(search.process((byte) 'a')).isTrue();
        search.reset();
        assertThat(search.process((byte) 'b')).isTrue();
        assertThat(search.found()).isEqualTo(-1);
        assertThat(search.foundLength()).isZero();
    }

    @Test
    void patternsMayHaveAllBytes() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        SearchProcessor search = SearchPatterns.of(all, new byte[] {-1, 0}).newProcessor();
        Buffer b = BufferAllocator.pooled().allocate(300).writeByte(7).writeBytes(all).writeByte(0);
        assertThat(b.forEachByte(search)).isEqualTo(256);
        assertThat(search.found()).isZero();
        b.readOffset(257);
        assertThat(b.forEachByte(search)).isEqualTo(257);
        assertThat(search.found()).isEqualTo(1);
        b.release();
    }

    @Test
    void patternsThatCannotBeAreRefused() {
        assertThatThrownBy(SearchPatterns::of).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SearchPatterns.of(new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SearchPatterns.of(bytes("ab"), bytes("ab")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pattern 1: as pattern 0 (expected: another)");
        assertThatThrownBy(() -> SearchPatterns.of(new byte[SearchPatterns.MAX_LENGTH + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes of patterns: 16385 (expected: 1 to 16384)");
    }
}
