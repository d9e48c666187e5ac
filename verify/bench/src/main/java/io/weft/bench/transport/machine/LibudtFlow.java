package io.weft.bench.transport.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;

/// A transfer by the reference implementation of UDT4: two processes of `udt-flow.cpp`.
final class LibudtFlow implements Flow {
    private final AtomicLong received = new AtomicLong();
    private final Process sink;
    private final Process source;

    LibudtFlow(String program) {
        try {
            sink = new ProcessBuilder(program, "sink").redirectErrorStream(true).start();
            BufferedReader told = sink.inputReader();
            String port = told.readLine();
            Thread.ofPlatform().daemon().start(() -> count(told));
            source = new ProcessBuilder(program, "pour", port).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void count(BufferedReader told) {
        try {
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                received.set(Long.parseLong(line));
            }
        } catch (IOException e) {
            // The end.
        }
    }

    @Override
    public long received() {
        return received.get();
    }

    @Override
    public void close() {
        source.destroyForcibly();
        sink.destroyForcibly();
    }
}
