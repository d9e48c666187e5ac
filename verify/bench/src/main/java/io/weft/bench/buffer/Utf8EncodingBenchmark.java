package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// One of 64 texts of 1 to 128 characters written in UTF-8, as a String and as another
/// CharSequence.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Utf8EncodingBenchmark {
    private static final int ROOM = 1024;

    /// The alphabets of a text's characters.
    public enum Alphabet {
        ASCII(' ', '~'),
        /// Half of one byte, half of two.
        MIXED(' ', '\u00ff'),
        /// CJK ideographs, three bytes each.
        THREE_BYTES('\u4e00', '\u9fff');

        private final int first;
        private final int last;

        Alphabet(int first, int last) {
            this.first = first;
            this.last = last;
        }

        String text(SplittableRandom random, int length) {
            StringBuilder text = new StringBuilder();
            while (text.length() < length) {
                int c = random.nextInt(first, last + 1);
                if (!Character.isISOControl(c)) {
                    text.append((char) c);
                }
            }
            return text.toString();
        }
    }

    @State(Scope.Thread)
    public static class Texts {
        private static final int COUNT = 64;
        private static final int LONGEST = 128;

        @Param Alphabet text = Alphabet.ASCII;

        private final String[] strings = new String[COUNT];
        private final StringBuilder[] builders = new StringBuilder[COUNT];
        private int i;

        @Setup
        public void draw() {
            SplittableRandom random = new SplittableRandom(42);
            for (int n = 0; n < COUNT; n++) {
                strings[n] = text.text(random, random.nextInt(1, LONGEST + 1));
                builders[n] = new StringBuilder(strings[n]);
            }
        }

        String nextString() {
            return strings[i++ & (COUNT - 1)];
        }

        CharSequence nextSequence() {
            return builders[i++ & (COUNT - 1)];
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        final Buffer buffer = BufferAllocator.pooled().allocate(ROOM);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final ByteBuf buffer = Unpooled.directBuffer(ROOM);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @Benchmark
    public int weftString(Weft weft, Texts texts) {
        return weft.buffer.clear().writeUtf8(texts.nextString());
    }

    @Benchmark
    public int nettyString(Netty netty, Texts texts) {
        return ByteBufUtil.writeUtf8(netty.buffer.clear(), texts.nextString());
    }

    @Benchmark
    public int weftCharSequence(Weft weft, Texts texts) {
        return weft.buffer.clear().writeUtf8(texts.nextSequence());
    }

    @Benchmark
    public int nettyCharSequence(Netty netty, Texts texts) {
        return ByteBufUtil.writeUtf8(netty.buffer.clear(), texts.nextSequence());
    }
}
