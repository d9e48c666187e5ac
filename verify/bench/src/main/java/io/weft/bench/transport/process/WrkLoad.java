package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Requests from wrk, on 64 connections.
final class WrkLoad {
    private static final Pattern PER_SECOND = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern PERCENTILE = Pattern.compile(" 99% +([0-9.]+)(us|ms|s)");

    private WrkLoad() {}

    /// Sends requests for a while.
    ///
    /// @param options of wrk, before the URL
    /// @throws IOException if a request failed, or none was answered
    static RequestRows.Report send(List<String> options, String url, int millis)
            throws IOException, InterruptedException {
        // wrk itself takes whole seconds only; at SIGINT it ends early and reports the time that it
        // ran.
        String seconds = Double.toString(millis / 1e3);
        List<String> command =
                new ArrayList<>(List.of("timeout", "--foreground", "-k", "20", "-s", "INT"));
        command.addAll(List.of(seconds, "wrk", "-t1", "-c64", "-d600s", "--latency"));
        command.addAll(options);
        command.add(url);
        String output = Command.run(command).output();
        Matcher rate = PER_SECOND.matcher(output);
        Matcher requests = REQUESTS.matcher(output);
        Matcher p99 = PERCENTILE.matcher(output);
        if (!rate.find()
                || !requests.find()
                || !p99.find()
                || requests.group(1).equals("0")
                || output.contains("Non-2xx")
                || output.contains("Socket errors")) {
            throw new IOException("wrk: " + output.strip());
        }
        return new RequestRows.Report(
                Double.parseDouble(rate.group(1)),
                Double.parseDouble(p99.group(1)) * micros(p99.group(2)),
                Long.parseLong(requests.group(1)));
    }

    private static double micros(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1e3;
            default -> 1e6;
        };
    }
}
