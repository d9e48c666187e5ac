package io.weft.bench.transport.process;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A library, one of its engines, and flags of the JVM.
///
/// @param name as of the sides in JMH's benchmarks: `weftUring`, `nettyEpoll+unsafe`
record ServerSide(String name, String library, String transport, List<String> flags) {
    private static final List<String> UNSAFE =
            List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false");

    /// Every engine of both, Netty as shipped.
    static List<ServerSide> all() {
        return List.of(
                weft("weftUring", "io_uring"),
                weft("weftEpoll", "epoll"),
                weft("weftNio", "nio"),
                netty("nettyUring", "io_uring"),
                netty("nettyEpoll", "epoll"),
                netty("nettyNio", "nio"));
    }

    /// Those, and Netty's native transports with Unsafe forced too; all of them in a full run.
    static List<ServerSide> andUnsafe(boolean quick) {
        Stream<ServerSide> forced =
                all().stream()
                        .filter(side -> side.library.equals("netty"))
                        .filter(side -> !quick || !side.transport.equals("nio"))
                        .map(ServerSide::withUnsafe);
        return Stream.concat(all().stream(), forced).toList();
    }

    /// The sides that a program for load puts side by side: all of them in a full run, else the
    /// native transports as they are shipped.
    static List<ServerSide> underLoad(Extent extent) {
        return extent == Extent.FULL
                ? andUnsafe(false)
                : all().stream().filter(side -> !side.transport().equals("nio")).toList();
    }

    /// A program that is neither library's.
    static ServerSide other(String name) {
        return new ServerSide(name, name, "", List.of());
    }

    private static ServerSide weft(String name, String transport) {
        return new ServerSide(
                name, "weft", transport, List.of("-Dio.weft.leakDetection.level=disabled"));
    }

    private static ServerSide netty(String name, String transport) {
        return new ServerSide(
                name, "netty", transport, List.of("-Dio.netty.leakDetection.level=disabled"));
    }

    private ServerSide withUnsafe() {
        List<String> more = new ArrayList<>(flags);
        more.addAll(UNSAFE);
        return new ServerSide(name + "+unsafe", library, transport, List.copyOf(more));
    }
}
