package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Children;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A server that is no program on the JVM, on core 0 like the others.
record OtherServer(ServerSide side, int port, Process process) implements AutoCloseable {
    /// @param command that serves at `port`
    static OtherServer start(String name, int port, List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", "0"));
        pinned.addAll(command);
        Process process =
                new ProcessBuilder(pinned)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Children.add(process);
        return new OtherServer(ServerSide.other(name), port, process);
    }

    @Override
    public void close() {
        Children.stop(process);
    }
}
