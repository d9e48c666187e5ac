package io.weft.channel;

import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;

/// Which events a class of handlers overrides, as bits; found once a class.
final class HandlerMask {
    static final int ACTIVE = 1;
    static final int INACTIVE = 1 << 1;
    static final int READ = 1 << 2;
    static final int READ_COMPLETE = 1 << 3;
    static final int INPUT_CLOSED = 1 << 4;
    static final int WRITABILITY = 1 << 5;
    static final int USER_EVENT = 1 << 6;
    static final int EXCEPTION = 1 << 7;
    static final int WRITE = 1 << 8;
    static final int FLUSH = 1 << 9;
    static final int ASK = 1 << 10;
    static final int CLOSE = 1 << 11;
    static final int SHUTDOWN = 1 << 12;

    private static final ClassValue<Integer> MASKS =
            new ClassValue<>() {
                @Override
                protected Integer computeValue(Class<?> type) {
                    return compute(type);
                }
            };

    private HandlerMask() {}

    static int of(Class<? extends ChannelHandler> type) {
        return MASKS.get(type);
    }

    private static int compute(Class<?> type) {
        int mask = 0;
        for (Event event : Event.ALL) {
            if (overrides(type, event)) {
                mask |= event.bit;
            }
        }
        return mask;
    }

    private static boolean overrides(Class<?> type, Event event) {
        try {
            Class<?>[] parameters = event.parameters.toArray(Class<?>[]::new);
            return type.getMethod(event.name, parameters).getDeclaringClass()
                    != ChannelHandler.class;
        } catch (NoSuchMethodException | LinkageError e) {
            return true; // not to be seen by reflection: calling it is always right
        }
    }

    /// A method of [ChannelHandler]. Written down, not asked of the interface: an image of
    /// `native-image` knows no methods that it was not told of.
    record Event(int bit, String name, List<Class<?>> parameters) {
        static final List<Event> ALL =
                List.of(
                        event(ACTIVE, "channelActive"),
                        event(INACTIVE, "channelInactive"),
                        event(READ, "channelRead", Object.class),
                        event(READ_COMPLETE, "channelReadComplete"),
                        event(INPUT_CLOSED, "channelInputClosed"),
                        event(WRITABILITY, "channelWritabilityChanged"),
                        event(USER_EVENT, "userEventTriggered", Object.class),
                        event(EXCEPTION, "exceptionCaught", Throwable.class),
                        event(WRITE, "write", Object.class, Promise.class),
                        event(FLUSH, "flush"),
                        event(ASK, "read"),
                        event(CLOSE, "close"),
                        event(SHUTDOWN, "shutdownOutput"));

        /// All have the context first.
        private static Event event(int bit, String name, Class<?>... more) {
            List<Class<?>> parameters = new ArrayList<>(List.of(ChannelHandlerContext.class));
            parameters.addAll(List.of(more));
            return new Event(bit, name, List.copyOf(parameters));
        }
    }
}
