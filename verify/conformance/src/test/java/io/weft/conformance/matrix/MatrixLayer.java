package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelPipeline;
import io.weft.codec.brotli.BrotliCompressor;
import io.weft.codec.brotli.BrotliDecompressor;
import io.weft.codec.compression.Bzip2Compressor;
import io.weft.codec.compression.Bzip2Decompressor;
import io.weft.codec.compression.Compressor;
import io.weft.codec.compression.DecompressionDecoder;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateCompressor;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.codec.compression.Lz4Compressor;
import io.weft.codec.compression.Lz4Decompressor;
import io.weft.codec.framing.LengthField;
import io.weft.codec.framing.LengthFieldDecoder;
import io.weft.codec.framing.LengthFieldPrepender;
import io.weft.codec.framing.VarintDecoder;
import io.weft.codec.framing.VarintPrepender;
import io.weft.conformance.tls.TlsRig;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.flow.ChunkedWriteHandler;
import io.weft.handler.flow.FlowControlHandler;
import io.weft.handler.flow.FlushConsolidationHandler;
import io.weft.handler.logging.LoggingHandler;
import io.weft.handler.timeout.IdleStateHandler;
import io.weft.handler.timeout.ReadTimeoutHandler;
import io.weft.handler.timeout.WriteTimeoutHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.handler.traffic.RateLimit;
import io.weft.handler.traffic.TrafficShapingHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ResourceBundle;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A layer between a channel and the end of a [MatrixCase]. Either end may have most of them;
/// some both have or none.
enum MatrixLayer {
    PASS(false),
    LOGGING(false),
    IDLE(false),
    READ_TIMEOUT(false),
    WRITE_TIMEOUT(false),
    CONSOLIDATION(false),
    SHAPING(false),
    CHUNKED(false),
    FLOW(false),
    TLS(true),
    DEFLATE(true),
    LZ4(true),
    BZIP2(true),
    BROTLI(true),
    LENGTH_FRAMES(true),
    VARINT_FRAMES(true);

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final DecompressionLimits NONE =
            new DecompressionLimits(1 << 30, Integer.MAX_VALUE, 1 << 30);
    private static final Map<TlsEngineKind, TlsContext> SERVERS =
            new EnumMap<>(TlsEngineKind.class);
    private static final Map<TlsEngineKind, TlsContext> CLIENTS =
            new EnumMap<>(TlsEngineKind.class);

    /// Both ends have it.
    final boolean paired;

    MatrixLayer(boolean paired) {
        this.paired = paired;
    }

    boolean compresses() {
        return this == DEFLATE || this == LZ4 || this == BZIP2 || this == BROTLI;
    }

    /// Tells if it may flush what was only written: with a flush that it has kept back, when its
    /// turn comes, or behind it the end of its stream.
    boolean flushes() {
        return this == CONSOLIDATION || this == TLS || this == SHAPING || compresses();
    }

    /// Tells if it may keep back what was flushed, or has an end of its own: a shutdown of the
    /// output passes it by.
    boolean isPassedByAShutdown() {
        return this == SHAPING || this == CHUNKED || this == TLS || compresses();
    }

    static void prepare() throws Exception {
        TlsRig.warmUp();
        new BrotliCompressor().close(); // loads the library
        for (TlsEngineKind kind : TlsEngineKind.values()) {
            contexts(kind);
        }
    }

    private static void contexts(TlsEngineKind kind) {
        if (SERVERS.containsKey(kind)) {
            return;
        }
        try {
            CLIENTS.put(
                    kind,
                    TlsContext.client().trust(TlsRig.ROOT.certificate()).engine(kind).build());
            SERVERS.put(kind, TlsContext.server(TlsRig.SERVER).engine(kind).build());
        } catch (SSLException | RuntimeException e) {
            CLIENTS.remove(kind); // this machine has none
        }
    }

    void add(ChannelPipeline pipeline, boolean client, Random dice) {
        switch (this) {
            case PASS -> pipeline.addLast(new TrafficPass());
            case LOGGING -> {
                LoggingHandler.Format[] all = LoggingHandler.Format.values();
                LoggingHandler.Format format = all[dice.nextInt(all.length)];
                pipeline.addLast(
                        new LoggingHandler(new Nowhere(), System.Logger.Level.INFO, format));
            }
            case IDLE ->
                    pipeline.addLast(
                            new IdleStateHandler(
                                    Duration.ofMillis(1),
                                    Duration.ofMillis(1),
                                    Duration.ofMillis(2),
                                    dice.nextBoolean()));
            case READ_TIMEOUT -> pipeline.addLast(new ReadTimeoutHandler(LONG));
            case WRITE_TIMEOUT -> pipeline.addLast(new WriteTimeoutHandler(LONG));
            case CONSOLIDATION ->
                    pipeline.addLast(
                            new FlushConsolidationHandler(
                                    1 + dice.nextInt(10), dice.nextBoolean()));
            case SHAPING -> pipeline.addLast(new TrafficShapingHandler(limits(dice), limits(dice)));
            case CHUNKED -> pipeline.addLast(new ChunkedWriteHandler());
            case FLOW -> pipeline.addLast(new FlowControlHandler());
            case TLS -> tls(pipeline, client, dice);
            case DEFLATE ->
                    compression(
                            pipeline,
                            new DeflateCompressor(Deflate.GZIP),
                            new DeflateDecompressor(Deflate.GZIP, NONE));
            case LZ4 ->
                    compression(
                            pipeline,
                            new Lz4Compressor(),
                            new Lz4Decompressor(NONE, Lz4Decompressor.LARGEST_BLOCK));
            case BZIP2 ->
                    compression(pipeline, new Bzip2Compressor(1), new Bzip2Decompressor(NONE));
            case BROTLI ->
                    compression(pipeline, new BrotliCompressor(), new BrotliDecompressor(NONE));
            case LENGTH_FRAMES ->
                    pipeline.addLast(
                                    new DecoderHandler<>(
                                            new LengthFieldDecoder(
                                                    LengthField.of(4).strip(4), 1 << 20)))
                            .addLast(
                                    new EncoderHandler<>(
                                            Buffer.class, new LengthFieldPrepender(4)));
            case VARINT_FRAMES ->
                    pipeline.addLast(new DecoderHandler<>(new VarintDecoder(1 << 20)))
                            .addLast(new EncoderHandler<>(Buffer.class, new VarintPrepender()));
        }
    }

    private static List<RateLimit> limits(Random dice) {
        return dice.nextBoolean()
                ? List.of()
                : List.of(
                        RateLimit.of(2_000_000L + dice.nextInt(20_000_000), dice.nextInt(100_000)));
    }

    private static void tls(ChannelPipeline pipeline, boolean client, Random dice) {
        Map<TlsEngineKind, TlsContext> all = client ? CLIENTS : SERVERS;
        TlsContext context = all.values().toArray(TlsContext[]::new)[dice.nextInt(all.size())];
        pipeline.addLast(
                client ? TlsHandler.client(context, "localhost", 1) : TlsHandler.server(context));
    }

    private static void compression(ChannelPipeline pipeline, Compressor there, Decompressor back) {
        pipeline.addLast(new DecoderHandler<>(new DecompressionDecoder(back)))
                .addLast(new MatrixCompression(there));
    }

    /// Has every line made, and drops it.
    private static final class Nowhere implements System.Logger {
        @Override
        public String getName() {
            return "nowhere";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {}

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object... parameters) {}
    }
}
