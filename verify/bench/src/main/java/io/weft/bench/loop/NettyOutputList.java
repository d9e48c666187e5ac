package io.weft.bench.loop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.AbstractList;

/// Netty's `CodecOutputList`, which its package keeps to itself. The handles are constants, so that
/// calls through them are compiled as plain ones.
final class NettyOutputList {
    private static final MethodHandle NEW_INSTANCE;
    private static final MethodHandle RECYCLE;

    static {
        try {
            Class<?> list = Class.forName("io.netty.handler.codec.CodecOutputList");
            MethodHandles.Lookup in = MethodHandles.privateLookupIn(list, MethodHandles.lookup());
            NEW_INSTANCE =
                    in.findStatic(list, "newInstance", MethodType.methodType(list))
                            .asType(MethodType.methodType(AbstractList.class));
            RECYCLE =
                    in.findVirtual(list, "recycle", MethodType.methodType(void.class))
                            .asType(MethodType.methodType(void.class, AbstractList.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private NettyOutputList() {}

    @SuppressWarnings("unchecked") // it is an AbstractList<Object>
    static AbstractList<Object> newInstance() {
        try {
            return (AbstractList<Object>)
                    (AbstractList<?>) (AbstractList) NEW_INSTANCE.invokeExact();
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    static void recycle(AbstractList<Object> list) {
        try {
            RECYCLE.invokeExact((AbstractList) list);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
