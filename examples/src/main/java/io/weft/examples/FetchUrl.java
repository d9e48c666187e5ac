package io.weft.examples;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// A small curl: fetches a URL and writes the body to the standard output, as it arrives.
public final class FetchUrl {
    private static final String USAGE =
            "[-X method] [-H 'name: value'] [-d data] [-i] [--http1.1 | --http2]"
                    + " http[s]://host[:port]/path";

    private FetchUrl() {}

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// @return the exit code: 0 for any response, 1 for none, 2 for arguments that are wrong
    static int run(PrintStream out, PrintStream err, String... args) {
        if (Arrays.asList(args).contains("--help") || Arrays.asList(args).contains("-h")) {
            out.println("options: " + USAGE);
            return 0;
        }
        Command command;
        try {
            command = Command.parse(args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
        try (HttpClient client = HttpClient.builder().loops(1).protocol(command.protocol).build();
                StreamedResponse response = client.open(command.request)) {
            if (command.showsHead) {
                out.println(response.status());
                response.headers()
                        .forEach(field -> out.println(field.name() + ": " + field.value()));
                out.println();
            }
            try (InputStream body = response.inputStream()) {
                body.transferTo(out);
            }
            out.flush();
            return 0;
        } catch (HttpClientException e) {
            err.println(e.getMessage());
            return 1;
        } catch (IOException | IllegalArgumentException e) {
            err.println(command.request.target() + ": " + e.getMessage());
            return 1;
        }
    }

    /// @param showsHead whether the response's head is written before its body
    private record Command(Request request, boolean showsHead, HttpProtocol protocol) {
        static Command parse(String... args) {
            @Nullable Request request = null;
            @Nullable String method = null;
            @Nullable String data = null;
            boolean showsHead = false;
            HttpProtocol protocol = HttpProtocol.NEGOTIATED;
            var fields = Headers.builder();
            for (Iterator<String> rest = Arrays.asList(args).iterator(); rest.hasNext(); ) {
                String arg = rest.next();
                switch (arg) {
                    case "-X" -> method = value(arg, rest);
                    case "-d" -> data = value(arg, rest);
                    case "-i" -> showsHead = true;
                    case "--http1.1" -> protocol = HttpProtocol.HTTP_1_1;
                    case "--http2" -> protocol = HttpProtocol.HTTP_2;
                    case "-H" -> {
                        String field = value(arg, rest);
                        int colon = Math.max(0, field.indexOf(':'));
                        fields.add(field.substring(0, colon), field.substring(colon + 1).strip());
                    }
                    default -> {
                        if (arg.startsWith("-") || request != null) {
                            throw new IllegalArgumentException(
                                    arg + ": unknown option (expected: " + USAGE + ")");
                        }
                        request = Request.get(arg);
                    }
                }
            }
            if (request == null) {
                throw new IllegalArgumentException("no URL (expected: " + USAGE + ")");
            }
            if (data != null) {
                request = request.withBody(Body.of(data));
                if (!fields.build().contains(HeaderName.CONTENT_TYPE)) {
                    fields.add(HeaderName.CONTENT_TYPE, "application/x-www-form-urlencoded");
                }
            }
            String verb = method != null ? method : data != null ? "POST" : "GET";
            return new Command(
                    Request.of(
                            Method.of(verb),
                            request.target(),
                            request.version(),
                            fields.build(),
                            request.body()),
                    showsHead,
                    protocol);
        }

        private static String value(String option, Iterator<String> rest) {
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(option + ": no value (expected: " + USAGE + ")");
            }
            return rest.next();
        }
    }
}
