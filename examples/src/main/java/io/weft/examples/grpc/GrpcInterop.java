package io.weft.examples.grpc;

import io.weft.examples.Example;
import io.weft.examples.Failure;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.examples.grpc.GrpcInteropCases.Case;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.HttpProtocol;
import io.weft.http.grpc.GrpcClient;
import io.weft.http.grpc.GrpcLimits;
import io.weft.http.grpc.GrpcServices;
import io.weft.http.server.HttpServerLimits;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.Pem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The interoperability tests of gRPC: their server, or one of their cases as a client.
public final class GrpcInterop {
    private static final int PORT = 10_000;
    private static final String USAGE =
            "--server [--cert FILE --key FILE] "
                    + Taken.SOCKETS.usage()
                    + ", or --client HOST:PORT --case NAME|all [--tls] [--ca FILE]";

    private GrpcInterop() {}

    public static void main(String[] args) {
        List<String> left = new ArrayList<>(Arrays.asList(args));
        if (left.isEmpty() || left.contains("--help") || left.contains("-h")) {
            System.out.println("options: " + USAGE + ", default port " + PORT);
        } else if (left.contains("--client")) {
            System.exit(run(System.out, System.err, args));
        } else {
            left.remove("--server");
            serve(left);
        }
    }

    private static void serve(List<String> left) {
        try {
            Path certificate = path(left, "--cert");
            Path key = path(left, "--key");
            Example.main(
                    Taken.SOCKETS,
                    PORT,
                    left.toArray(String[]::new),
                    options -> start(options, certificate, key));
        } catch (IllegalArgumentException e) {
            Failure.of(e).exit();
        }
    }

    static Example.Running start(Options options) {
        return start(options, null, null);
    }

    static Example.Running start(Options options, @Nullable Path certificate, @Nullable Path key) {
        HttpServerLimits limits = GrpcServices.patient(HttpServerLimits.DEFAULT);
        GrpcServices services = GrpcTestService.services();
        return Example.http(
                        options,
                        builder -> {
                            var _ = builder.limits(limits).streaming(services);
                            return certificate == null || key == null
                                    ? builder
                                    : builder.tls(certificate, key);
                        })
                .andThen(() -> awaitIdle(services));
    }

    private static void awaitIdle(GrpcServices services) {
        try {
            var _ = services.awaitIdle(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Takes an option with its value out of `args`.
    private static @Nullable String option(List<String> args, String name) {
        int at = args.indexOf(name);
        if (at < 0) {
            return null;
        }
        if (at + 1 == args.size()) {
            throw new IllegalArgumentException(name + ": no value (expected: " + USAGE + ")");
        }
        args.remove(at);
        return args.remove(at);
    }

    private static @Nullable Path path(List<String> args, String name) {
        String value = option(args, name);
        return value == null ? null : Path.of(value);
    }

    /// Runs cases as a client.
    ///
    /// @return the exit code: 0 when all pass, 1 when one fails, 2 for arguments that are wrong
    static int run(PrintStream out, PrintStream err, String... args) {
        List<String> left = new ArrayList<>(Arrays.asList(args));
        try {
            String server = option(left, "--client");
            String name = option(left, "--case");
            Path authority = path(left, "--ca");
            boolean tls = left.remove("--tls") || authority != null;
            if (server == null || name == null || !left.isEmpty()) {
                throw new IllegalArgumentException(
                        "arguments: " + List.of(args) + " (expected: " + USAGE + ")");
            }
            Map<String, Case> cases = cases(name);
            String origin = (tls ? "https://" : "http://") + server;
            try (HttpClient http = http(authority)) {
                return run(GrpcClient.of(http, origin, GrpcLimits.DEFAULT), cases, out);
            }
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        }
    }

    private static Map<String, Case> cases(String name) {
        Case one = GrpcInteropCases.ALL.get(name);
        if (one == null && !name.equals("all")) {
            throw new IllegalArgumentException(
                    "--case: "
                            + name
                            + " (expected: all, "
                            + String.join(", ", GrpcInteropCases.ALL.keySet())
                            + ")");
        }
        return one == null ? GrpcInteropCases.ALL : Map.of(name, one);
    }

    private static HttpClient http(@Nullable Path authority) {
        HttpClient.Builder builder =
                HttpClient.builder()
                        .loops(1)
                        .protocol(HttpProtocol.HTTP_2)
                        .limits(GrpcClient.patient(HttpClientLimits.DEFAULT));
        if (authority == null) {
            return builder.build();
        }
        try {
            X509Certificate[] trusted =
                    Pem.certificates(Pem.read(authority)).toArray(X509Certificate[]::new);
            return builder.tls(
                            TlsContext.client().trust(trusted).applicationProtocols("h2").build())
                    .build();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "--ca: " + authority + " (expected: certificates in PEM): " + e.getMessage(),
                    e);
        }
    }

    private static int run(GrpcClient client, Map<String, Case> cases, PrintStream out) {
        int failed = 0;
        for (Map.Entry<String, Case> entry : cases.entrySet()) {
            try {
                entry.getValue().run(new GrpcInteropCases(client));
                out.println(entry.getKey() + ": passed");
            } catch (Exception e) {
                out.println(entry.getKey() + ": failed: " + e.getMessage());
                failed++;
            }
        }
        return failed == 0 ? 0 : 1;
    }
}
