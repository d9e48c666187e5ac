package io.weft.bench.jmh;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The candidate that runs a benchmark method, and its flags.
///
/// @param method of the benchmark class
record Side(String name, String method, List<String> flags) {
    static final String WEFT = "weft";
    static final String UNSAFE = "+unsafe";

    /// The beginnings of methods' names: `nettyPooledAllocate` is the operation `Allocate` of the
    /// side `nettyPooled`.
    private static final List<String> NAMES =
            Stream.of(
                            WEFT,
                            "weftUring",
                            "weftEpoll",
                            "weftNio",
                            "weftAnyThread",
                            "weftUnwatched",
                            "weftClq",
                            "weftLtq",
                            "weftLbq",
                            "weftCoarse",
                            "netty",
                            "nettyPooled",
                            "nettyAdaptive",
                            "nettyUnpooled",
                            "nettyDefault",
                            "nettyRecycler",
                            "nettyFairQueue",
                            "nettyUniform",
                            "nettyNio",
                            "nettyEpoll",
                            "nettyUring",
                            "nettyWheel",
                            "nettyWideWheel",
                            "jraft",
                            "jraftDefault",
                            "dnsjava",
                            "jdk",
                            "jdkNew",
                            "jdkPool",
                            "jdkVirtual",
                            "segment",
                            "byteBuffer")
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .toList();

    /// The sides that the JDK offers to build upon, the limits in C, and Weft in other settings:
    /// shown, but a peer only where there is no other.
    private static final List<String> REFERENCES =
            List.of(
                    "segment",
                    "byteBuffer",
                    "c io_uring",
                    "c epoll",
                    "jdkNew",
                    "weftAnyThread",
                    "weftUnwatched",
                    "weftClq",
                    "weftLtq",
                    "weftLbq",
                    "weftCoarse");

    /// The side that a method belongs to.
    static String name(String method) {
        return NAMES.stream()
                .filter(name -> operation(method, name).isPresent())
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "benchmark method: "
                                                + method
                                                + " (expected: one of "
                                                + NAMES
                                                + " and an operation, as in weftSetLong)"));
    }

    private static Optional<String> operation(String method, String side) {
        return method.startsWith(side)
                        && method.length() > side.length()
                        && Character.isUpperCase(method.charAt(side.length()))
                ? Optional.of(method.substring(side.length()))
                : Optional.empty();
    }

    /// Returns the operation that a method measures, whichever the side.
    static String operation(String method) {
        return method.substring(name(method).length());
    }

    /// The sides that a method takes: Netty as shipped and with Unsafe forced, all others once.
    static List<Side> of(String method) {
        String name = name(method);
        if (!name.startsWith("netty")) {
            return List.of(new Side(name, method, List.of()));
        }
        return List.of(
                new Side(name, method, List.of("-D" + BenchmarkThreads.EXPECT_UNSAFE + "=false")),
                new Side(
                        name + UNSAFE,
                        method,
                        List.of(
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Dio.netty.noUnsafe=false",
                                "-D" + BenchmarkThreads.EXPECT_UNSAFE + "=true")));
    }

    /// Tells if Weft is measured there: by itself, or with one of its engines.
    static boolean isWeft(String side) {
        return side.startsWith(WEFT) && !isReference(side);
    }

    static boolean isReference(String side) {
        return REFERENCES.contains(side);
    }
}
