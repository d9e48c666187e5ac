package io.weft.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CumulationTest {
    private final Cumulation cumulation = new Cumulation();

    @AfterEach
    void everyBufferWasReleased() {
        cumulation.release();
    }

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    @Test
    void handsOnWholeInputWithoutACopy() {
        Buffer in = text("whole");
        assertThat(cumulation.add(in)).isSameAs(in);
        in.skipReadable(5);
        cumulation.trim();
        assertThat(cumulation.bytes()).isNull();
        assertThat(in.references()).isZero();
    }

    @Test
    void keepsTheRestAndLetsTheReceiveBufferGo() {
        Buffer in = text("used rest");
        cumulation.add(in).skipReadable(5);
        cumulation.trim();
        assertThat(in.references()).isZero();
        Buffer all = cumulation.add(text(" and more"));
        assertThat(all.readString(US_ASCII)).isEqualTo("rest and more");
    }

    @Test
    void appendsBeforeTrimming() {
        cumulation.add(text("ab"));
        assertThat(cumulation.add(text("cd")).readString(US_ASCII)).isEqualTo("abcd");
    }

    @Test
    void fedByteByByteItCopiesALogarithmicNumberOfTimes() {
        int copies = 0;
        Buffer last = null;
        for (int i = 0; i < 100_000; i++) {
            Buffer now = cumulation.add(text("x"));
            cumulation.trim();
            if (now != last) {
                copies++;
                last = now;
            }
        }
        assertThat(cumulation.size()).isEqualTo(100_000);
        assertThat(copies).isLessThan(40);
    }

    @Test
    void appendingDoesNotTouchPartsThatWereSplitOff() {
        cumulation.add(text("headtail"));
        cumulation.trim();
        Buffer bytes = cumulation.bytes();
        assertThat(bytes).isNotNull();
        try (Buffer head = bytes.split(4)) {
            cumulation.add(text("-----------------------"));
            assertThat(head.readString(US_ASCII)).isEqualTo("head");
        }
    }

    @Test
    void aLongMessageIsCopiedAConstantNumberOfTimes() {
        List<Integer> allocated = new ArrayList<>();
        Cumulation cumulation = new Cumulation();
        AllocationTap.set(allocated::add);
        try {
            for (int i = 0; i < 512; i++) {
                cumulation.add(BufferAllocator.pooled().allocate(16_384).writeOffset(16_384));
                cumulation.trim();
            }
        } finally {
            AllocationTap.set(null);
            cumulation.release();
        }
        long copied = allocated.stream().filter(size -> size > 16_384).mapToLong(i -> i).sum();
        assertThat(copied).isLessThanOrEqualTo(4L * 512 * 16_384);
    }
}
