package io.weft.codec.serialization;

import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/// Reads one object. Names of classes are checked before anything is looked up, and everything else
/// by the filter that the stream asks before it makes an object or an array. Objects are measured
/// before another one can hash them.
final class FilteredInput extends ObjectInputStream implements ObjectInputFilter {
    private final AllowList allowed;
    private final SerializationLimits limits;
    private final ClassLoader loader;
    private final int bytes;

    /// Bytes that all arrays so far must have in the stream.
    private long declared;

    private final Expansion expansion = new Expansion();
    private long references;
    private long largest;

    private @Nullable DecoderException refusal;

    /// @param bytes that `in` has
    FilteredInput(
            InputStream in,
            int bytes,
            AllowList allowed,
            SerializationLimits limits,
            ClassLoader loader)
            throws IOException {
        super(in);
        this.allowed = allowed;
        this.limits = limits;
        this.loader = loader;
        this.bytes = bytes;
        setObjectInputFilter(this);
        enableResolveObject(true);
    }

    /// Why the stream failed, when it was refused here.
    @Nullable DecoderException refusal() {
        return refusal;
    }

    private InvalidClassException forbidden(String name) {
        refusal = new ForbiddenClassException(name);
        return new InvalidClassException("not on the allow-list");
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
            throws IOException, ClassNotFoundException {
        String name = description.getName();
        if (!allowed.allows(name)) {
            throw forbidden(name);
        }
        return Class.forName(name, false, loader);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
        throw forbidden("proxy of " + String.join("; ", interfaces));
    }

    @Override
    public Status checkInput(FilterInfo info) {
        refusal = refused(info);
        return refusal == null ? Status.ALLOWED : Status.REJECTED;
    }

    @Override
    protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
        if (object != null) {
            long size = expansion.add(object, steps());
            largest = Math.max(largest, size);
            refusal = hashing();
            if (refusal != null) {
                throw new InvalidClassException("too many steps to hash it");
            }
        }
        return object;
    }

    /// Hash codes take ten times what they would if each reference were to an object of all the
    /// others: parts that many share count for each of them.
    private long steps() {
        return 10L * limits.references() * limits.references();
    }

    /// Each reference may be to an element of a set, or a key, which is hashed then, also if it is
    /// there.
    private @Nullable DecoderException hashing() {
        long each = Math.max(1, references);
        return largest <= steps() / each
                ? null
                : new LimitExceededException(
                        "steps to hash objects",
                        each * Math.min(largest, Long.MAX_VALUE / each),
                        steps());
    }

    private @Nullable DecoderException refused(FilterInfo info) {
        if (info.depth() > limits.depth()) {
            return new LimitExceededException("levels of objects", info.depth(), limits.depth());
        }
        if (info.references() > limits.references()) {
            return new LimitExceededException("references", info.references(), limits.references());
        }
        references = info.references();
        DecoderException tooSlow = hashing();
        if (tooSlow != null) {
            return tooSlow;
        }
        Class<?> type = info.serialClass();
        if (info.arrayLength() >= 0 && type != null) {
            return array(type.componentType(), info.arrayLength());
        }
        // By name already; but here also what a subclass of this stream's would let in.
        return type == null || type.isArray() || allowed.allows(type.getName())
                ? null
                : new ForbiddenClassException(type.getName());
    }

    /// Collections ask for the arrays that they are about to make, too.
    private @Nullable DecoderException array(Class<?> component, long length) {
        if (length > limits.arrayLength()) {
            return new LimitExceededException("array elements", length, limits.arrayLength());
        }
        declared += length * leastBytes(component);
        return declared <= bytes
                ? null
                : new LimitExceededException("bytes of all arrays", declared, bytes);
    }

    /// Of an element in the stream: a null or a reference takes one byte at least.
    private static int leastBytes(Class<?> component) {
        if (component == long.class || component == double.class) {
            return Long.BYTES;
        }
        if (component == int.class || component == float.class) {
            return Integer.BYTES;
        }
        return component == short.class || component == char.class ? Short.BYTES : 1;
    }
}
