package io.weft.bench.mainjob;

import io.weft.bench.netty.NettyHello;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The servers that can take part, and why others cannot.
///
/// @param skipped one line for each kind of side that is missing
public record Sides(List<Side> all, List<String> skipped) {
    /// The same for every JVM. One collector for all: on one core it is the one the JVM would
    /// choose anyway.
    static final List<String> JVM_FLAGS =
            List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

    private static final List<String> TRANSPORTS = List.of("io_uring", "epoll", "nio");
    private static final List<String> UNSAFE =
            List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false");

    static Sides find(@Nullable String weftModulePath, @Nullable Path cServers) {
        List<Side> all = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        if (weftModulePath == null) {
            skipped.add("weft: skipped, the examples are not built");
        } else {
            TRANSPORTS.forEach(transport -> all.add(weft(transport, weftModulePath)));
        }
        TRANSPORTS.forEach(transport -> all.add(netty(transport)));
        all.addAll(limits(cServers, skipped::add));
        return new Sides(all, skipped);
    }

    /// The servers in C.
    ///
    /// @param cServers the folder into which they were compiled, null for none
    /// @param skipped takes a line for each that is missing
    public static List<Side> limits(@Nullable Path cServers, Consumer<String> skipped) {
        List<Side> found = new ArrayList<>();
        for (String engine : List.of("io_uring", "epoll")) {
            String file = "hello_" + engine.replace("io_", "");
            Path server = Command.compiled(cServers, file);
            if (server != null) {
                found.add(new Side("c " + engine, Side.Role.LIMIT, List.of(server.toString())));
            } else {
                skipped.accept("c " + engine + ": skipped, it is not compiled (needs gcc)");
            }
        }
        return found;
    }

    /// Two builds of Weft and nobody else, `weft` the later one.
    static Sides builds(String before, String weft) {
        List<Side> all = new ArrayList<>();
        for (String transport : TRANSPORTS) {
            List<String> earlier = weft(transport, before).command();
            all.add(new Side("before " + transport, Side.Role.RIVAL, earlier));
            all.add(weft(transport, weft));
        }
        return new Sides(all, List.of());
    }

    /// These and the servers of others. Of the kinds of Weft and Netty only the best two take part,
    /// as there are many others.
    ///
    /// @param built what verify/rivals was built into
    Sides withRivals(Path built) {
        List<Side> some = new ArrayList<>(all);
        some.removeIf(side -> side.name().endsWith(" nio"));
        for (String name : List.of("vertx", "helidon", "jetty", "undertow", "jdk")) {
            some.add(rival(name, built));
        }
        List<String> missing = new ArrayList<>(skipped);
        Path go = built.resolve("hello-go");
        if (Files.isExecutable(go)) {
            some.add(new Side("go", Side.Role.NATIVE, List.of(go.toString())));
        } else {
            missing.add("go: skipped, it is not compiled (needs go)");
        }
        some.add(new Side("nginx", Side.Role.NATIVE, List.of(built + "/nginx.sh")));
        return new Sides(some, missing);
    }

    private static Side rival(String name, Path built) {
        List<String> command = java(List.of("--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", built + "/classes:" + built + "/lib/*"));
        command.addAll(List.of("io.weft.rivals.Hello", name));
        return new Side(name, Side.Role.RIVAL, command);
    }

    /// `hello-http` on a transport, without leak sampling as all sides.
    public static Side weft(String transport, String modulePath) {
        List<String> command =
                java(
                        List.of(
                                "--enable-native-access=io.weft.ffi",
                                "-Dio.weft.leakDetection.level=disabled"));
        command.addAll(List.of("--module-path", modulePath));
        command.addAll(List.of("-m", "io.weft.examples/io.weft.examples.HelloHttp"));
        command.addAll(List.of("--host", "127.0.0.1", "--port", "0"));
        command.addAll(List.of("--transport", transport, "--loops", "1"));
        return new Side("weft " + transport, Side.Role.WEFT, command);
    }

    private static Side netty(String transport) {
        // As an operator sets it: no leak sampling, no warning about native access.
        List<String> command =
                java(
                        List.of(
                                "--enable-native-access=ALL-UNNAMED",
                                "-Dio.netty.leakDetection.level=disabled"));
        command.addAll(List.of("-cp", jar(), NettyHello.class.getName(), transport));
        return new Side("netty " + transport, Side.Role.PEER, command);
    }

    /// The same Netty server with Unsafe forced, which JDK 24 and later do not give it by
    /// themselves.
    static Side withUnsafe(Side netty) {
        List<String> command = new ArrayList<>(netty.command());
        command.addAll(1, UNSAFE);
        return new Side(netty.name() + " +unsafe", netty.role(), command);
    }

    private static List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.addAll(flags);
        return command;
    }

    private static String jar() {
        return new File(System.getProperty("java.class.path")).getAbsolutePath();
    }
}
