package io.weft.ffi.call;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Lets system calls fail as a test wants them to, in a JVM of its own: `io.weft.kernelFaults` is a
/// seed and then rules `call:what:rate`, separated by commas. What is an errno, without the call
/// having been made, or `short`: the call is made for some of the bytes only.
///
/// ```
/// -Dio.weft.kernelFaults=17,send:EAGAIN:0.3,send:short:0.5,accept4:EMFILE:0.1,epoll_pwait2:EINTR:0.3
/// ```
///
/// A call is wrapped when it is linked. Without the property nothing is, and a call costs what it
/// costs.
public final class KernelFaults {
    private record Rule(int errno, double rate) {}

    /// A rule's errno that means: fewer bytes.
    private static final int SHORT = 0;

    /// `msg_iovlen` in `struct msghdr`.
    private static final int MSG_IOVLEN = 24;

    private static final @Nullable KernelFaults WANTED =
            parse(System.getProperty("io.weft.kernelFaults"));

    private final SplittableRandom random;
    private final Map<String, List<Rule>> rules = new HashMap<>();

    private KernelFaults(long seed) {
        random = new SplittableRandom(seed);
    }

    private static @Nullable KernelFaults parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(",", -1);
        KernelFaults faults = new KernelFaults(Long.parseLong(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            String[] rule = parts[i].split(":", -1);
            if (rule.length != 3) {
                throw new IllegalArgumentException(
                        "io.weft.kernelFaults: " + parts[i] + " (expected: call:what:rate)");
            }
            faults.rules
                    .computeIfAbsent(rule[0], _ -> new ArrayList<>())
                    .add(new Rule(errno(rule[1]), Double.parseDouble(rule[2])));
        }
        return faults;
    }

    /// The numbers are those of `Errno`, which is above this package.
    private static int errno(String name) {
        return switch (name) {
            case "short" -> SHORT;
            case "EINTR" -> 4;
            case "EAGAIN" -> 11;
            case "EBUSY" -> 16;
            case "ECONNABORTED" -> 103;
            case "EMFILE" -> 24;
            case "ENFILE" -> 23;
            case "ENOBUFS" -> 105;
            case "ENOMEM" -> 12;
            default ->
                    throw new IllegalArgumentException(
                            "io.weft.kernelFaults: " + name + " (expected: an errno, or short)");
        };
    }

    /// `real`, or what comes before it in this JVM.
    public static MethodHandle around(String function, MethodHandle real) {
        return WANTED == null ? real : WANTED.wrap(function, real);
    }

    private MethodHandle wrap(String function, MethodHandle real) {
        if (!rules.containsKey(function) && !function.equals("syscall")) {
            return real;
        }
        try {
            MethodHandle call =
                    MethodHandles.lookup()
                            .findVirtual(
                                    KernelFaults.class,
                                    "call",
                                    MethodType.methodType(
                                            Object.class,
                                            String.class,
                                            MethodHandle.class,
                                            Object[].class));
            return MethodHandles.insertArguments(call, 0, this, function, real)
                    .asCollector(Object[].class, real.type().parameterCount())
                    .asType(real.type());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no handle of type " + real.type(), e);
        }
    }

    @SuppressWarnings("UnusedMethod") // found by name
    private Object call(String function, MethodHandle real, Object[] arguments) throws Throwable {
        String name = function.equals("syscall") ? syscall((long) arguments[1]) : function;
        for (Rule rule : rules.getOrDefault(name, List.of())) {
            if (!strikes(rule.rate)) {
                continue;
            }
            if (rule.errno != SHORT) {
                CallState.setErrno((MemorySegment) arguments[0], rule.errno);
                boolean isLong = real.type().returnType() == long.class;
                return isLong ? Long.valueOf(-1) : (Object) Integer.valueOf(-1);
            }
            return name.equals("sendmsg")
                    ? sendFirst(real, arguments)
                    : real.invokeWithArguments(shortened(arguments));
        }
        return real.invokeWithArguments(arguments);
    }

    private synchronized boolean strikes(double rate) {
        return random.nextDouble() < rate;
    }

    private static String syscall(long number) {
        if (number == SystemCall.IO_URING_ENTER) {
            return "io_uring_enter";
        }
        return number == SystemCall.EPOLL_PWAIT2 ? "epoll_pwait2" : "";
    }

    /// The arguments of `send` and `recv`, with a length of which the kernel sees a part.
    private synchronized Object[] shortened(Object[] arguments) {
        Object[] changed = arguments.clone();
        if (arguments[3] instanceof Long length && length > 1) {
            changed[3] = 1 + random.nextLong(length - 1);
        } else if (arguments[3] instanceof Integer length && length > 1) {
            changed[3] = 1 + random.nextInt(length - 1);
        }
        return changed;
    }

    /// `sendmsg` of the first buffer only.
    ///
    /// SAFETY: the header is the caller's, and as it was when this returns.
    private static Object sendFirst(MethodHandle real, Object[] arguments) throws Throwable {
        MemorySegment count = word((long) arguments[2] + MSG_IOVLEN);
        long buffers = count.get(ValueLayout.JAVA_LONG, 0);
        count.set(ValueLayout.JAVA_LONG, 0, Math.min(buffers, 1));
        try {
            return real.invokeWithArguments(arguments);
        } finally {
            count.set(ValueLayout.JAVA_LONG, 0, buffers);
        }
    }

    @SuppressWarnings("restricted") // within the caller's header
    private static MemorySegment word(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.BYTES);
    }
}
