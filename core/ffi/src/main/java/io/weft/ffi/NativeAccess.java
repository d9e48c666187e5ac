package io.weft.ffi;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Tells if this JVM lets `io.weft.ffi` make native calls; asked once.
public final class NativeAccess {
    private static final @Nullable MemorySegment ALL;
    private static final @Nullable String REFUSAL;

    static {
        MemorySegment all = null;
        String refusal = null;
        if (Boolean.getBoolean("io.weft.noNative")) {
            refusal = "io.weft.noNative is set";
        } else {
            try {
                all = everything();
            } catch (IllegalCallerException e) {
                refusal =
                        "native access is denied; grant it with --enable-native-access="
                                + flagValue();
            }
        }
        ALL = all;
        REFUSAL = refusal;
    }

    private NativeAccess() {}

    // SAFETY: the segment spans all memory on purpose; every reader of it computes its address from
    // memory that it
    // owns, after a bounds check of its own (Buffer) or from structures it laid out (engines).
    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    private static String flagValue() {
        Module module = NativeAccess.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    /// True when native calls can be made.
    public static boolean granted() {
        return ALL != null;
    }

    /// Why native calls cannot be made, with the flag that would grant them; null when they can.
    public static @Nullable String refusal() {
        return REFUSAL;
    }

    static @Nullable MemorySegment allMemory() {
        return ALL;
    }
}
