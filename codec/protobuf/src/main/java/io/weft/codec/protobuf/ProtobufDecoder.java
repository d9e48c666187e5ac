package io.weft.codec.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.MessageDecoder;
import io.weft.codec.framing.VarintDecoder;
import java.util.function.Consumer;

/// Parses each frame as one message of Protocol Buffers. The messages are immutable and hold no
/// part of the frame.
///
/// Protocol Buffers do not say where a message ends, so something has to cut frames first:
/// [#delimited] does as `parseDelimitedFrom` does, a length field or an HTTP body does as well.
///
/// **Errors.** A frame that is longer than the limit is a [LimitExceededException]; one that is no
/// message, is nested too deeply or lacks a required field a [CorruptedFrameException].
///
/// @param <M> the one type of messages; for several, a message with a `oneof`
public final class ProtobufDecoder<M extends MessageLite> implements MessageDecoder<Buffer, M> {
    private final Parser<M> parser;
    private final ExtensionRegistryLite extensions;
    private final ProtobufLimits limits;

    /// Without extensions and with the default limits.
    ///
    /// @param prototype any message of the type, usually `Type.getDefaultInstance()`
    public ProtobufDecoder(M prototype) {
        this(prototype, ExtensionRegistryLite.getEmptyRegistry(), ProtobufLimits.DEFAULT);
    }

    /// @param extensions that are parsed as such; others stay unknown fields
    public ProtobufDecoder(M prototype, ExtensionRegistryLite extensions, ProtobufLimits limits) {
        this(parser(prototype), extensions, limits);
    }

    public ProtobufDecoder(
            Parser<M> parser, ExtensionRegistryLite extensions, ProtobufLimits limits) {
        this.parser = parser;
        this.extensions = extensions;
        this.limits = limits;
    }

    @SuppressWarnings("unchecked") // the parser of a message makes messages of its class
    private static <M extends MessageLite> Parser<M> parser(M prototype) {
        return (Parser<M>) prototype.getParserForType();
    }

    /// Decodes a stream of messages, each behind its length as a varint.
    public static <M extends MessageLite> Decoder<M> delimited(M prototype) {
        return delimited(
                prototype, ExtensionRegistryLite.getEmptyRegistry(), ProtobufLimits.DEFAULT);
    }

    /// As above.
    public static <M extends MessageLite> Decoder<M> delimited(
            M prototype, ExtensionRegistryLite extensions, ProtobufLimits limits) {
        return new VarintDecoder(limits.messageBytes())
                .then(new ProtobufDecoder<>(prototype, extensions, limits));
    }

    @Override
    public void decode(Buffer in, Consumer<? super M> out) {
        M message;
        try (in) {
            message = parse(in);
        }
        out.accept(message);
    }

    private M parse(Buffer in) {
        int length = in.readableBytes();
        if (length > limits.messageBytes()) {
            throw new LimitExceededException("message bytes", length, limits.messageBytes());
        }
        // Aliasing stays off: the memory is not the message's.
        CodedInputStream input =
                CodedInputStream.newInstance(in.byteBuffer(in.readOffset(), length));
        input.setRecursionLimit(limits.recursion());
        try {
            M message = parser.parseFrom(input, extensions);
            input.checkLastTagWas(0); // or the end of a group that never began ends the message
            return message;
        } catch (InvalidProtocolBufferException e) {
            throw corrupted(e);
        }
    }

    private static DecoderException corrupted(InvalidProtocolBufferException e) {
        return new CorruptedFrameException(
                "protobuf message: " + e.getMessage() + " (expected: a whole message)");
    }
}
