package io.weft.examples;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Many requests at a time over one connection of HTTP/2: what the client shows of itself behind
/// them is how many connections it took.
public final class H2Client {
    private static final String USAGE = "[-n COUNT] http[s]://host[:port]/path";
    private static final int MOST = 10_000;

    private H2Client() {}

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// @return the exit code: 0 for responses to all, 1 for less, 2 for arguments that are wrong
    static int run(PrintStream out, PrintStream err, String... args) {
        List<String> left = new ArrayList<>(Arrays.asList(args));
        if (left.contains("--help") || left.contains("-h")) {
            out.println("options: " + USAGE);
            return 0;
        }
        Request request;
        int count = 100;
        try {
            if (left.size() > 1 && left.getFirst().equals("-n")) {
                count = count(left.get(1));
                left.subList(0, 2).clear();
            }
            for (String word : left) {
                if (word.startsWith("-")) {
                    throw new IllegalArgumentException(
                            word + ": unknown option (expected: " + USAGE + ")");
                }
            }
            if (left.size() != 1) {
                throw new IllegalArgumentException("no URL, or several (expected: " + USAGE + ")");
            }
            request = Request.get(left.getFirst());
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
        return fetch(request, count, out, err);
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count > 0 && count <= MOST) {
                return count;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("-n: " + text + " (expected: 1 to " + MOST + ")");
    }

    private static int fetch(Request request, int count, PrintStream out, PrintStream err) {
        // http: HTTP/2 by prior knowledge; https: where the server does not choose it by ALPN,
        // there
        // is no connection.
        try (HttpClient client =
                HttpClient.builder().loops(1).protocol(HttpProtocol.HTTP_2).build()) {
            List<CompletableFuture<Response>> responses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                responses.add(client.sendAsync(request));
            }
            long bytes = 0;
            for (CompletableFuture<Response> response : responses) {
                bytes += response.get().body().length();
            }
            out.println(count + " responses, " + bytes + " bytes, " + client);
            return 0;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            err.println((cause == null ? e : cause).getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (IllegalArgumentException e) {
            err.println(request.target() + ": " + e.getMessage());
            return 1;
        }
    }
}
