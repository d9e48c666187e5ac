package io.weft.codec.serialization;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferInputStream;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.MessageDecoder;
import io.weft.codec.framing.LengthField;
import io.weft.codec.framing.LengthFieldDecoder;
import java.io.IOException;
import java.util.function.Consumer;

/// Reads each frame as one serialized object, a stream of its own (Java Object Serialization
/// Specification, 6), of classes on a list. There is no decoder without a list.
///
/// **Errors.** [ForbiddenClassException] for a class that is not on the list,
/// [LimitExceededException] at a limit, [CorruptedFrameException] for the rest, also when a class
/// refuses its contents.
///
/// @param <T> what every object is
public final class ObjectDecoder<T> implements MessageDecoder<Buffer, T> {
    private static final int LENGTH_BYTES = 4;

    private final Class<T> type;
    private final AllowList allowed;
    private final SerializationLimits limits;
    private final ClassLoader loader;

    /// With the default limits, and the class loader of `type`.
    ///
    /// @param type the class or interface of the objects; it has to be on the list as well where a
    ///     class of it is serialized
    public ObjectDecoder(Class<T> type, AllowList allowed) {
        this(type, allowed, SerializationLimits.DEFAULT, loader(type));
    }

    /// @param loader that finds the classes on the list
    public ObjectDecoder(
            Class<T> type, AllowList allowed, SerializationLimits limits, ClassLoader loader) {
        this.type = type;
        this.allowed = allowed;
        this.limits = limits;
        this.loader = loader;
    }

    private static ClassLoader loader(Class<?> type) {
        ClassLoader own = type.getClassLoader();
        return own == null ? ClassLoader.getPlatformClassLoader() : own;
    }

    /// Decodes a stream of objects, each behind its length in four bytes.
    public static <T> Decoder<T> framed(Class<T> type, AllowList allowed) {
        return framed(type, allowed, SerializationLimits.DEFAULT, loader(type));
    }

    /// As above.
    public static <T> Decoder<T> framed(
            Class<T> type, AllowList allowed, SerializationLimits limits, ClassLoader loader) {
        return new LengthFieldDecoder(
                        LengthField.of(LENGTH_BYTES), Math.addExact(limits.bytes(), LENGTH_BYTES))
                .then(new ObjectDecoder<>(type, allowed, limits, loader));
    }

    @Override
    public void decode(Buffer in, Consumer<? super T> out) {
        T object;
        try (in) {
            object = read(in);
        }
        out.accept(object);
    }

    private T read(Buffer in) {
        int length = in.readableBytes();
        if (length > limits.bytes()) {
            throw new LimitExceededException("object bytes", length, limits.bytes());
        }
        FilteredInput input;
        try {
            input = new FilteredInput(new BufferInputStream(in), length, allowed, limits, loader);
        } catch (IOException e) {
            throw corrupted(e);
        }
        Object object;
        try {
            object = input.readObject();
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            // Also what classes on the list throw when they do not like what they are given.
            DecoderException refusal = input.refusal();
            throw refusal == null ? corrupted(e) : refusal;
        }
        if (in.isReadable()) {
            throw new CorruptedFrameException(
                    "serialized object: "
                            + in.readableBytes()
                            + " bytes behind it (expected: none)");
        }
        if (!type.isInstance(object)) {
            throw new CorruptedFrameException(
                    "object: "
                            + (object == null ? "null" : object.getClass().getName())
                            + " (expected: "
                            + type.getName()
                            + ")");
        }
        return type.cast(object);
    }

    /// Messages of others may quote the peer, so only their class is told.
    private static CorruptedFrameException corrupted(Throwable e) {
        return new CorruptedFrameException(
                "serialized object: "
                        + e.getClass().getName()
                        + " (expected: an object that can be read)");
    }
}
