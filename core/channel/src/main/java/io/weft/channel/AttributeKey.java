package io.weft.channel;

import java.util.Objects;

/// Names a value attached to a channel. To be kept in a constant: two keys are the same only if
/// they are the same object, so that no other code gets at an attribute by guessing a name.
///
/// @param <T> of its values
@SuppressWarnings("UnusedTypeParameter") // it is what the methods of Attributes go by
public final class AttributeKey<T> {
    private final String name;

    private AttributeKey(String name) {
        this.name = name;
    }

    /// A new key.
    ///
    /// @param name for messages
    public static <T> AttributeKey<T> of(String name) {
        return new AttributeKey<>(Objects.requireNonNull(name, "name"));
    }

    @Override
    public String toString() {
        return name;
    }
}
