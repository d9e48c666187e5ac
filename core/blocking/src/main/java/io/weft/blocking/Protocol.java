package io.weft.blocking;

import io.weft.channel.ChannelInitializer;
import io.weft.codec.Codec;
import io.weft.codec.Decoder;
import io.weft.codec.Encoder;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.time.Duration;
import java.util.function.Supplier;

/// The messages that connections exchange, and the limits: codecs, options of the channel,
/// time-outs. Immutable.
///
/// ```java
/// Protocol<String, String> lines =
///         Protocol.<String, String>of(() -> new LineDecoder(1024).then(new StringDecoder()), LineEncoder::new)
///                 .readTimeout(Duration.ofSeconds(10));
/// ```
///
/// @param <In> messages that are read
/// @param <Out> messages that are written
public final class Protocol<In, Out> {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ChannelOptions OPTIONS =
            ChannelOptions.DEFAULT
                    .with(ChannelOption.AUTO_READ, false)
                    .with(ChannelOption.ALLOW_HALF_CLOSURE, true);

    final Supplier<? extends Decoder<? extends In>> decoder;
    final Supplier<? extends Encoder<? super Out>> encoder;
    final ChannelOptions options;
    final ChannelInitializer handlers;
    final Duration readTimeout;
    final Duration writeTimeout;

    private Protocol(
            Supplier<? extends Decoder<? extends In>> decoder,
            Supplier<? extends Encoder<? super Out>> encoder,
            ChannelOptions options,
            ChannelInitializer handlers,
            Duration readTimeout,
            Duration writeTimeout) {
        this.decoder = decoder;
        this.encoder = encoder;
        this.options = options;
        this.handlers = handlers;
        this.readTimeout = readTimeout;
        this.writeTimeout = writeTimeout;
    }

    /// A protocol of a codec, which pipelines take as well, with default options and timeouts of a
    /// minute.
    public static <In, Out> Protocol<In, Out> of(Codec<In, Out> codec) {
        return of(codec.decoder(), codec.encoder());
    }

    /// A protocol with default options and timeouts of a minute.
    ///
    /// @param decoder makes the decoder of one connection
    /// @param encoder makes the encoder of one connection
    public static <In, Out> Protocol<In, Out> of(
            Supplier<? extends Decoder<? extends In>> decoder,
            Supplier<? extends Encoder<? super Out>> encoder) {
        return new Protocol<>(decoder, encoder, OPTIONS, _ -> {}, PATIENCE, PATIENCE);
    }

    /// With an option of the channel: `WRITE_BUFFER_WATER_MARK` bounds what a writer may have on
    /// its way, `CONNECT_TIMEOUT` a connect. `AUTO_READ` and `ALLOW_HALF_CLOSURE` are the
    /// connection's own.
    public <T> Protocol<In, Out> option(ChannelOption<T> option, T value) {
        return new Protocol<>(
                decoder, encoder, options.with(option, value), handlers, readTimeout, writeTimeout);
    }

    /// With handlers between the network and the codecs, such as TLS; they run on the loop and read
    /// and write buffers.
    public Protocol<In, Out> handlers(ChannelInitializer initializer) {
        return new Protocol<>(decoder, encoder, options, initializer, readTimeout, writeTimeout);
    }

    /// With another limit on how long a read may wait for a message; zero for none.
    ///
    /// @throws IllegalArgumentException when it is negative
    public Protocol<In, Out> readTimeout(Duration timeout) {
        return new Protocol<>(
                decoder, encoder, options, handlers, check("readTimeout", timeout), writeTimeout);
    }

    /// With another limit on how long a write may wait for the peer to take what was written
    /// before; zero for none.
    ///
    /// @throws IllegalArgumentException when it is negative
    public Protocol<In, Out> writeTimeout(Duration timeout) {
        return new Protocol<>(
                decoder, encoder, options, handlers, readTimeout, check("writeTimeout", timeout));
    }

    static Duration check(String name, Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(name + ": " + timeout + " (expected: >= 0)");
        }
        return timeout;
    }
}
