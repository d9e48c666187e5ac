import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Starts a server again and again, and prints the median of the times from its start to the end of
/// its first response, and of the processor's time that it took until then, which other programs
/// change less:  java dev/FirstResponse.java RUNS COMMAND...
/// The server prints its port, and ends at SIGTERM.
class FirstResponse {
    public static void main(String... arguments) throws Exception {
        int runs = Integer.parseInt(arguments[0]);
        String[] command = Arrays.copyOfRange(arguments, 1, arguments.length);
        double[] times = new double[runs];
        double[] work = new double[runs];
        for (int run = 0; run < runs; run++) {
            double[] both = first(command);
            times[run] = both[0];
            work[run] = both[1];
        }
        Arrays.sort(times);
        Arrays.sort(work);
        System.out.printf(
                "%5.0f ms (%.0f to %.0f), %.0f ms of work%n",
                times[runs / 2], times[0], times[runs - 1], work[runs / 2]);
    }

    /// Times in milliseconds: by the clock, and of the processor.
    private static double[] first(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        long began = System.nanoTime();
        Process server = builder.start();
        try (var out = server.inputReader()) {
            String port = out.readLine();
            if (port == null) {
                throw new IOException(
                        "no port (expected: the server's first line): "
                                + String.join(" ", command));
            }
            ask(Integer.parseInt(port));
            double time = (System.nanoTime() - began) / 1e6;
            double work = server.info().totalCpuDuration().map(d -> d.toNanos() / 1e6).orElse(0.0);
            return new double[] {time, work};
        } finally {
            server.destroy(); // SIGTERM, so that it may write a cache
            server.waitFor();
        }
    }

    private static void ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] response = socket.getInputStream().readAllBytes();
            if (!new String(response, StandardCharsets.US_ASCII).endsWith("hello")) {
                throw new IOException("response: " + response.length + " bytes (expected: hello)");
            }
        }
    }
}
