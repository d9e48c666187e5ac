package io.weft.bench.loop;

import io.weft.loop.ObjectPool;
import java.util.ArrayList;

/// A list from a pool of Weft's, which does what Netty's `RecyclableArrayList` does: it has room
/// for as many elements as were asked for, is empty when it is given back, and refuses null.
final class PooledList extends ArrayList<Object> {
    private static final long serialVersionUID = 1;

    private static final ObjectPool<PooledList> POOL = new ObjectPool<>(4096, PooledList::new);

    @SuppressWarnings("serial") // never serialized
    private final ObjectPool.Handle<PooledList> handle;

    private PooledList(ObjectPool.Handle<PooledList> handle) {
        super(8);
        this.handle = handle;
    }

    static PooledList take(int capacity) {
        PooledList list = POOL.get();
        list.ensureCapacity(capacity);
        return list;
    }

    boolean recycle() {
        clear();
        handle.recycle();
        return true;
    }
}
