package io.weft.codec.redis;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/// The elements of an aggregate: an unmodifiable view of the decoder's array, which is not copied.
final class Elements extends AbstractList<RespValue> implements RandomAccess {
    private final RespValue[] values;
    private final int size;

    Elements(RespValue[] values, int size) {
        this.values = values;
        this.size = size;
    }

    static List<RespValue> of(List<RespValue> elements) {
        return elements instanceof Elements ? elements : List.copyOf(elements);
    }

    @Override
    public RespValue get(int index) {
        return values[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Object[] toArray() {
        return Arrays.copyOf(values, size, Object[].class);
    }
}
