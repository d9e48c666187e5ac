package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.xml.XmlDecoder;
import io.weft.codec.xml.XmlFrameDecoder;
import io.weft.codec.xml.XmlLimits;
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

/// Sixteen stanzas of a stream in one buffer, decoded to events; and sixteen documents, cut into
/// frames. Netty's codec, which parses by Aalto, is in a channel in memory; it has no encoder.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class XmlBenchmark {
    /// Stanzas.
    public enum Traffic {
        /// An empty element.
        SMALL("<presence/>"),
        /// A message with attributes, children and references.
        MIXED(
                "<message to='a@example.org' id='m1' type='chat'><body>1 &lt; 2, say</body>"
                        + "<active xmlns='urn:x'/></message>"),
        /// A text of 4 KiB.
        LARGE("<message><body>" + "text ".repeat(820) + "</body></message>");

        private final String stanza;

        Traffic(String stanza) {
            this.stanza = stanza;
        }
    }

    private static final int MESSAGES = 16;
    private static final byte[] ROOT = "<stream>".getBytes(US_ASCII);

    @Param Traffic traffic = Traffic.SMALL;

    private byte[] bytes = {};
    private final XmlDecoder decoder =
            new XmlDecoder(
                    new XmlLimits(64, 64, 1_024, 1_024, 65_536, 1 << 20, 1 << 22, Long.MAX_VALUE));
    private final XmlFrameDecoder frames = new XmlFrameDecoder(1 << 20);
    private final EmbeddedChannel netty =
            new EmbeddedChannel(new io.netty.handler.codec.xml.XmlDecoder());
    private final EmbeddedChannel nettyFrames =
            new EmbeddedChannel(new io.netty.handler.codec.xml.XmlFrameDecoder(1 << 20));
    private int seen;

    @Setup
    public void make() {
        bytes = traffic.stanza.repeat(MESSAGES).getBytes(US_ASCII);
        try (Buffer in = BufferAllocator.pooled().allocate(16).writeBytes(ROOT)) {
            decoder.decode(in, _ -> seen++);
        }
        netty.writeInbound(ByteBufAllocator.DEFAULT.directBuffer(16).writeBytes(ROOT));
    }

    @TearDown
    public void release() {
        decoder.close();
        netty.releaseInbound();
        nettyFrames.finishAndReleaseAll();
    }

    private Buffer weftInput() {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private ByteBuf nettyInput() {
        return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    private int read(EmbeddedChannel from) {
        for (Object message; (message = from.readInbound()) != null; ) {
            ReferenceCountUtil.release(message);
            seen++;
        }
        return seen;
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer in = weftInput()) {
            decoder.decode(in, _ -> seen++);
        }
        return seen;
    }

    @Benchmark
    public int nettyDecode() {
        netty.writeInbound(nettyInput());
        return read(netty);
    }

    @Benchmark
    public int weftFrames() {
        try (Buffer in = weftInput()) {
            frames.decode(
                    in,
                    frame -> {
                        frame.release();
                        seen++;
                    });
        }
        return seen;
    }

    @Benchmark
    public int nettyFrames() {
        nettyFrames.writeInbound(nettyInput());
        return read(nettyFrames);
    }
}
