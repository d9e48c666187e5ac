package io.weft.bench.mainjob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Counts the system calls of a process while a load runs: with perf where tracepoints may be used,
/// else with strace, which slows the server so much that the figure is a rough one.
enum SyscallProbe {
    PERF {
        @Override
        Result run(LoadGenerator generator, Load load, ServerProcess server, double seconds)
                throws IOException, InterruptedException {
            Path out = Files.createTempFile("weft-bench-", ".perf");
            try {
                List<String> perf =
                        List.of("perf", "stat", "-x,", "-e", EVENT, "-o", out.toString(), "-p");
                WrkReport report =
                        generator.run(
                                concat(perf, List.of(Long.toString(server.pid()), "--")),
                                load,
                                server.url(),
                                seconds);
                return new Result(report, first(PERF_COUNT, Files.readString(out)));
            } finally {
                Files.delete(out);
            }
        }
    },
    STRACE {
        @Override
        Result run(LoadGenerator generator, Load load, ServerProcess server, double seconds)
                throws IOException, InterruptedException {
            Path out = Files.createTempFile("weft-bench-", ".strace");
            String pid = Long.toString(server.pid());
            Process strace =
                    new ProcessBuilder("strace", "-c", "-f", "-qq", "-o", out.toString(), "-p", pid)
                            .start();
            Children.add(strace);
            try {
                awaitTracer(pid);
                WrkReport report = generator.run(List.of(), load, server.url(), seconds);
                Children.stop(strace); // it lets go of the server and writes its summary
                return new Result(report, first(STRACE_TOTAL, Files.readString(out)));
            } finally {
                Children.stop(strace);
                Files.delete(out);
            }
        }
    },
    NONE {
        @Override
        Result run(LoadGenerator generator, Load load, ServerProcess server, double seconds)
                throws IOException, InterruptedException {
            return new Result(generator.run(List.of(), load, server.url(), seconds), Double.NaN);
        }
    };

    private static final String EVENT = "raw_syscalls:sys_enter";
    private static final Pattern PERF_COUNT =
            Pattern.compile("^(\\d+),.*" + EVENT, Pattern.MULTILINE);
    private static final Pattern STRACE_TOTAL =
            Pattern.compile(
                    "^\\s*100[.]00\\s+[\\d.]+\\s+\\d+\\s+(\\d+).*total$", Pattern.MULTILINE);

    /// The counts of wrk, and the system calls meanwhile: `NaN` if they could not be counted.
    record Result(WrkReport report, double syscalls) {}

    abstract Result run(LoadGenerator generator, Load load, ServerProcess server, double seconds)
            throws IOException, InterruptedException;

    /// The best way that works here.
    static SyscallProbe detect() throws InterruptedException {
        try {
            Command perf = Command.run(List.of("perf", "stat", "-x,", "-e", EVENT, "true"));
            if (PERF_COUNT.matcher(perf.output()).find()) {
                return PERF;
            }
        } catch (IOException _) {
            // not installed
        }
        return Command.exists("strace") ? STRACE : NONE;
    }

    private static void awaitTracer(String pid) throws IOException, InterruptedException {
        Path status = Path.of("/proc", pid, "status");
        for (int tries = 0; tries < 200; tries++) {
            if (!Files.readString(status).contains("TracerPid:\t0\n")) {
                return;
            }
            Thread.sleep(10);
        }
    }

    private static double first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
    }

    private static List<String> concat(List<String> a, List<String> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }
}
