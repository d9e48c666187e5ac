package io.weft.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs the JMH benchmarks of this jar: JMH's own command line, with flags added for the forked JVMs.
///
/// `-jvmArgsAppend` on the command line replaces the added flags. Benchmarks that need flags of their own (Netty with
/// Unsafe forced) say so in `@Fork(jvmArgsPrepend = …)`, which is never replaced.
public final class Main {
    /// No flag about `sun.misc.Unsafe` here: Netty reads it, and "as shipped" has to stay as shipped.
    private static final List<String> FORK_FLAGS =
            List.of(
                    "-Xms1g",
                    "-Xmx1g",
                    "-XX:+AlwaysPreTouch",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dio.netty.leakDetection.level=disabled");

    private Main() {}

    /// What every forked JVM gets.
    public static String[] forkFlags() {
        return FORK_FLAGS.toArray(String[]::new);
    }

    static List<String> withForkFlags(List<String> args) {
        if (args.contains("-jvmArgsAppend")) {
            return args;
        }
        List<String> all = new ArrayList<>(args);
        all.addAll(List.of("-jvmArgsAppend", String.join(" ", FORK_FLAGS)));
        return all;
    }

    public static void main(String[] args) throws IOException {
        org.openjdk.jmh.Main.main(withForkFlags(Arrays.asList(args)).toArray(String[]::new));
    }
}
