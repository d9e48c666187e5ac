package io.weft.bench;

import io.weft.bench.jmh.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs the JMH benchmarks of this jar: JMH's own command line, with flags added for the forked
/// JVMs.
///
/// `-jvmArgsAppend` on the command line replaces the added flags. `bench.sh`, not this, runs Netty
/// with Unsafe too.
public final class Main {
    private Main() {}

    static List<String> withForkFlags(List<String> args) {
        if (args.contains("-jvmArgsAppend")) {
            return args;
        }
        List<String> all = new ArrayList<>(args);
        all.addAll(List.of("-jvmArgsAppend", String.join(" ", Plan.FULL.flags())));
        return all;
    }

    public static void main(String[] args) throws IOException {
        org.openjdk.jmh.Main.main(withForkFlags(Arrays.asList(args)).toArray(String[]::new));
    }
}
