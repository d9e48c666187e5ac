package io.weft.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// An immutable set of option values; what is not set has its default.
public final class ChannelOptions {
    public static final ChannelOptions DEFAULT = new ChannelOptions(Map.of());

    private final Map<ChannelOption<?>, Object> values;

    /// Asked for several times for each write.
    private final WriteBufferWaterMark waterMark;

    private ChannelOptions(Map<ChannelOption<?>, Object> values) {
        this.values = values;
        this.waterMark = get(ChannelOption.WRITE_BUFFER_WATER_MARK);
    }

    public <T> ChannelOptions with(ChannelOption<T> option, T value) {
        Map<ChannelOption<?>, Object> copy = new HashMap<>(values);
        copy.put(option, value);
        return new ChannelOptions(Map.copyOf(copy));
    }

    /// The value that was given, else the default.
    ///
    /// @throws IllegalStateException when there is neither
    public <T> T get(ChannelOption<T> option) {
        Object value = values.get(option);
        return value == null ? option.defaultValue() : option.cast(value);
    }

    /// As [#get] of [ChannelOption#WRITE_BUFFER_WATER_MARK], without a search.
    public WriteBufferWaterMark waterMark() {
        return waterMark;
    }

    /// Tells if a value was given, be it the default.
    public boolean isSet(ChannelOption<?> option) {
        return values.containsKey(option);
    }

    /// The options that were given a value.
    public Set<ChannelOption<?>> set() {
        return values.keySet();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
