package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Children;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// A shell that sends signals: it stands ready, so that one arrives within microseconds.
final class Shell implements AutoCloseable {
    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    Shell() throws IOException {
        process = new ProcessBuilder("sh").redirectErrorStream(true).start();
        Children.add(process);
        commands = process.outputWriter(StandardCharsets.US_ASCII);
        answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /// @param name as in `STOP`
    void signal(String name, long pid) throws IOException {
        commands.write("kill -" + name + " " + pid + " && echo done\n");
        commands.flush();
        String answer = answers.readLine();
        if (!"done".equals(answer)) {
            throw new IOException("kill -" + name + " " + pid + ": " + answer);
        }
    }

    @Override
    public void close() {
        Children.stop(process);
    }
}
