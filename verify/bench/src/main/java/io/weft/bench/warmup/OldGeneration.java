package io.weft.bench.warmup;

import java.io.IOException;
import java.nio.file.Path;

/// The heap of a JVM as it is when it has run for long: what its start left is in the old
/// generation.
///
/// A young collection copies what survives it up to fifteen times before that counts as old. A
/// server that allocates little collects once in some seconds, so that each of its pauses is ten
/// times as long for a minute as it is later (5 ms beside 0.4); one that allocates much is past
/// that before it is warm.
public final class OldGeneration {
    private OldGeneration() {}

    /// Has a JVM collect its garbage, all of it. Any other program is left alone.
    public static void settle(long pid) throws IOException, InterruptedException {
        if (new Compilers(pid).nanos() == 0) {
            return;
        }
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        int exit =
                new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (exit != 0) {
            throw new IOException("jcmd GC.run: " + exit + " (expected: 0)");
        }
    }
}
