package io.weft.buffer.leak;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A resource that was dropped without being closed.
///
/// @param resource what it is: "buffer"
/// @param allocation stack of the allocation, innermost call first; empty when it was not recorded
/// @param accesses how often it was accessed
/// @param shown the accesses that were kept, the first one and the last ones
public record LeakReport(
        String resource, List<StackTraceElement> allocation, int accesses, List<Access> shown) {
    /// One access.
    ///
    /// @param number 1 for the first access
    /// @param thread name of the thread
    /// @param hint what the program said about it
    /// @param stack innermost call first; empty when it was not recorded
    public record Access(
            int number, String thread, @Nullable String hint, List<StackTraceElement> stack) {}

    private static final String ROOM = "io.weft.buffer.";
    private static final int SHOWN_FRAMES = 24;

    /// The innermost call that is not this module's own, or an empty text if the allocation was not
    /// recorded.
    public String site() {
        for (StackTraceElement frame : allocation) {
            if (!isOwn(frame)) {
                return frame.toString();
            }
        }
        return allocation.isEmpty() ? "" : allocation.getLast().toString();
    }

    /// Leaves out the innermost calls, which are tracking itself.
    static List<StackTraceElement> withoutTracking(StackTraceElement[] stack) {
        int first = 0;
        while (first < stack.length - 1
                && stack[first].getClassName().startsWith(ROOM + "leak.Leak")
                && !stack[first].getClassName().endsWith("Test")) {
            first++;
        }
        return List.of(Arrays.copyOfRange(stack, first, stack.length));
    }

    private static boolean isOwn(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.startsWith(ROOM) && !name.contains("Test");
    }

    /// All of it, for people.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("a ").append(resource);
        text.append(" was dropped without being released");
        if (allocation.isEmpty()) {
            text.append("; where it was allocated was not recorded, and will be from now on");
        } else {
            text.append("; allocated");
            append(text, allocation);
        }
        if (accesses > 0) {
            text.append("\n  accesses: ").append(accesses).append(", the first and the last ones:");
        }
        for (Access access : shown) {
            text.append("\n  #").append(access.number).append(" by ").append(access.thread);
            if (access.hint != null) {
                text.append(": ").append(access.hint);
            }
            append(text, access.stack);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack.subList(0, Math.min(stack.size(), SHOWN_FRAMES))) {
            text.append("\n    at ").append(frame);
        }
        if (stack.size() > SHOWN_FRAMES) {
            text.append("\n    and ").append(stack.size() - SHOWN_FRAMES).append(" more");
        }
    }
}
