package io.weft.bench.transport.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The commands that start proxies of both libraries, on one loop and any port.
final class ProxyCommands {
    private ProxyCommands() {}

    /// @param example `TcpProxy` or `ReverseProxy`
    /// @param modules the module path of Weft and its examples
    /// @param to a port of this machine
    static List<String> weft(ServerSide side, String example, String modules, int to) {
        List<String> command = java(side);
        command.add("--enable-native-access=io.weft.ffi");
        command.addAll(List.of("--module-path", modules));
        command.addAll(List.of("-m", "io.weft.examples/io.weft.examples.proxy." + example));
        command.addAll(List.of("--host", "127.0.0.1", "--port", "0", "--loops", "1"));
        command.addAll(List.of("--transport", side.transport()));
        command.addAll(List.of("--to", "127.0.0.1:" + to));
        return command;
    }

    /// @param protocol of [NettyProxy]: `tcp` or `http`
    /// @param to a port of this machine
    static List<String> netty(ServerSide side, String protocol, int to) {
        List<String> command = java(side);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(NettyProxy.class.getName(), protocol));
        command.addAll(List.of(side.transport(), Integer.toString(to)));
        return command;
    }

    private static List<String> java(ServerSide side) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LoadServers.FLAGS);
        command.addAll(side.flags());
        return command;
    }
}
