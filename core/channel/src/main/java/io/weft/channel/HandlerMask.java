package io.weft.channel;

import java.lang.reflect.Method;

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
        for (Method event : ChannelHandler.class.getMethods()) {
            if (overrides(type, event)) {
                mask |= bit(event.getName());
            }
        }
        return mask;
    }

    private static boolean overrides(Class<?> type, Method event) {
        try {
            return type.getMethod(event.getName(), event.getParameterTypes()).getDeclaringClass()
                    != ChannelHandler.class;
        } catch (NoSuchMethodException e) {
            return true; // not to be seen by reflection: calling it is always right
        }
    }

    private static int bit(String event) {
        return switch (event) {
            case "channelActive" -> ACTIVE;
            case "channelInactive" -> INACTIVE;
            case "channelRead" -> READ;
            case "channelReadComplete" -> READ_COMPLETE;
            case "channelInputClosed" -> INPUT_CLOSED;
            case "channelWritabilityChanged" -> WRITABILITY;
            case "userEventTriggered" -> USER_EVENT;
            case "exceptionCaught" -> EXCEPTION;
            case "write" -> WRITE;
            case "flush" -> FLUSH;
            case "read" -> ASK;
            case "close" -> CLOSE;
            default -> 0;
        };
    }
}
