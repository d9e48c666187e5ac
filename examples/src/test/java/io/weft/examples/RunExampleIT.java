package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs `run-example.sh` as its users do. After packaging, because the script starts what was
/// packaged. Two at a time: most of it is the start of a JVM.
@Execution(ExecutionMode.CONCURRENT)
@Tag("process")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunExampleIT {
    private static final Pattern LISTENING =
            Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+) \\((io_uring|epoll|nio)\\)");

    @TempDir Path directory;

    /// The exit value and the output of a run.
    private record Outcome(int exit, List<String> out, List<String> err) {}

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err().toFile());
        // What was packaged a moment ago is run, however old it looks.
        builder.environment().put("BUILD", "false");
        // A JVM says that it has picked these up, and a slow machine is no news. It does not live
        // long.
        builder.environment()
                .keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment()
                .put(
                        "JAVA_OPTS",
                        "-Dio.weft.watchdog.threshold=0 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        return builder.start();
    }

    private static Path script() {
        return Path.of("..", "run-example.sh").toAbsolutePath().normalize();
    }

    private Path err() {
        return directory.resolve("stderr");
    }

    private Outcome run(String... arguments) throws Exception {
        Process process = start(arguments);
        List<String> out = process.inputReader(UTF_8).lines().toList();
        return new Outcome(process.waitFor(), out, Files.readAllLines(err()));
    }

    @Test
    void listsTheExamplesWithoutAName() throws Exception {
        Outcome outcome = run();
        assertThat(outcome.exit).isZero();
        assertThat(String.join("\n", outcome.out)).contains("hello-http", "echo", "discard");
        assertThat(outcome.err).isEmpty();
    }

    /// Names that the script lists, each with a line of what it shows.
    static Stream<String> names() throws IOException {
        Pattern example = Pattern.compile("(?m)^([a-z0-9-]+)\\|[\\w.]+\\|[^|]+\\|\\d*'?$");
        return example.matcher(Files.readString(script()).replace("examples='", ""))
                .results()
                .map(found -> found.group(1));
    }

    @Test
    void everyExampleIsListedWithALine() throws Exception {
        List<String> listed = run().out;
        assertThat(names())
                .hasSizeGreaterThan(30)
                .allSatisfy(
                        name ->
                                assertThat(listed)
                                        .anyMatch(line -> line.matches("  " + name + " +\\S.*")));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyExampleHasHelp(String name) throws Exception {
        Outcome outcome = run(name, "--help");
        assertThat(outcome.exit).isZero();
        assertThat(outcome.out).first().asString().matches(name + ": \\S.+");
        assertThat(outcome.out).element(1).asString().matches("(options|usage): .+");
        assertThat(outcome.err).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"echo --help, 8007", "hello-http -h, 8080", "dns-server -h, 5300"})
    void helpIsNoMistake(String arguments, String port) throws Exception {
        Outcome outcome = run(arguments.split(" "));
        assertThat(outcome.exit).isZero();
        assertThat(outcome.out).hasSize(2).last().asString().contains("--transport", port);
        assertThat(outcome.err).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "hello,                        2, no example hello",
        "hello-http --colour red,      2, --colour: unknown option",
        "echo --port,                  2, --port: no value",
        "echo --port 70000,            2, --port: 70000",
        "uptime --port 70000,          2, --port: 70000",
        "redis-client --db x PING,     2, --db: x",
        "discard --transport pigeons,  2, --transport: pigeons",
        "ip-filter --allow,            2, --allow: no value",
        "scale-out --leave,            2, --leave: no value",
        "local-echo --colour,          2, --colour: unknown option",
        "smtp-send a@a b@b - --colour, 2, --colour: unknown option",
        "smtp-send a@a b@b none,       1, none: cannot be read",
        "grpc-interop --cert,          2, --cert: no value",
        "discard --transport kqueue,   1, transport kqueue does not work here",
    })
    void whatIsWrongIsSaidInOneLine(String arguments, int exit, String message) throws Exception {
        Outcome outcome = run(arguments.split(" "));
        assertThat(outcome.exit).isEqualTo(exit);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.err).singleElement().asString().contains(message);
    }

    @ParameterizedTest
    @CsvSource({"hello-http, auto", "echo, auto", "hello-http, nio", "discard, nio"})
    void portInUseIsSaidInOneLine(String example, String transport) throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            Outcome outcome = run(example, "--port", "" + port, "--transport", transport);
            assertThat(outcome.exit).isEqualTo(1);
            assertThat(outcome.out).isEmpty();
            // The choice of an engine is a line of the log.
            assertThat(outcome.err)
                    .filteredOn(line -> !line.contains(" INFO "))
                    .singleElement()
                    .asString()
                    .contains("" + port)
                    .containsIgnoringCase("in use");
        }
    }

    /// The request of a client, over TLS or not, and the beginning of the answer.
    record Talk(String example, boolean secure, String said, String answer) {
        @Override
        public String toString() {
            return example + (secure ? " over TLS" : "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mqtt-client pub a b",
                "mqtt-client sub a --ws",
                "stomp-client send /a b",
                "stomp-client sub /a --ws",
                "smtp-send a@a b@b pom.xml",
                "http-client",
                "memcache-client get a",
                "redis-client PING",
            })
    void refusedConnectionIsSaidInOneLine(String command) throws Exception {
        int port = Ports.free();
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        switch (arguments.getFirst()) {
            case "http-client" -> arguments.add("http://127.0.0.1:" + port + "/");
            case "memcache-client", "redis-client" ->
                    arguments.addAll(1, List.of("--port", "" + port));
            default -> arguments.addAll(List.of("--port", "" + port));
        }
        Outcome outcome = run(arguments.toArray(String[]::new));
        assertThat(outcome.exit).isNotZero();
        assertThat(Stream.concat(outcome.out.stream(), outcome.err.stream()))
                .filteredOn(line -> !line.contains(" INFO "))
                .singleElement()
                .asString()
                .contains("ECONNREFUSED");
    }

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    static final List<Talk> TALKS =
            List.of(
                    new Talk("hello-http", false, GET, "HTTP/1.1 200 OK"),
                    new Talk("echo", false, "hello", "hello"),
                    new Talk("echo-blocking", false, "hello\n", "hello\r\n"),
                    new Talk("discard", false, "hello", ""),
                    new Talk(
                            "telnet",
                            false,
                            "hello\r\n",
                            "Welcome! Say something; \"bye\" ends it.\r\nDid you say \"hello\"?"),
                    new Talk("file-server-raw", false, "../pom.xml\n", "error: no such file\r\n"),
                    new Talk(
                            "factorial",
                            false,
                            "F\0\0\0\1\7F\0\0\0\1\3",
                            "F\0\0\0\1\7F\0\0\0\1\25"),
                    new Talk("secure-chat", true, "hello\n", "Welcome! You are protected by TLS_"),
                    new Talk("port-unification", false, GET, "HTTP/1.1 200 OK"),
                    new Talk("port-unification", true, GET, "HTTP/1.1 200 OK"),
                    new Talk("port-unification", true, "F\0\0\0\1\7", "F\0\0\0\1\7"),
                    new Talk("port-unification", false, "echo this", "echo this"),
                    new Talk("redis-server", false, "PING\r\n", "+PONG\r\n"),
                    new Talk("smtp-server", false, "QUIT\r\n", "220 localhost ESMTP\r\n221 2.0.0"),
                    new Talk("xml-stream", false, "<s>", "<?xml version=\"1.0\"?><stream:stream"),
                    new Talk("dashboard", false, GET, "HTTP/1.1 200 OK"),
                    new Talk("scale-out", false, GET, "HTTP/1.1 200 OK"),
                    new Talk("http-proxy", false, GET, "HTTP/1.1 400 Bad Request"),
                    new Talk("grpc-interop", false, GET, "HTTP/1.1 415 Unsupported"),
                    new Talk("memcache-server", false, "mn\r\n", "MN\r\n"),
                    new Talk("socks-proxy", false, "\5\1\0", "\5\0"));

    @ParameterizedTest
    @FieldSource("TALKS")
    void servesUntilSigtermAndExitsWithZero(Talk talk) throws Exception {
        Process process = start(talk.example, "--port", "0", "--loops", "1");
        try (BufferedReader out = process.inputReader(UTF_8)) {
            int port = listeningPort(out.readLine());
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
            // An open connection does not hold up the end.
            try (Socket client = talk.secure ? Tls.over(plain) : plain) {
                client.getOutputStream().write(talk.said.getBytes(UTF_8));
                byte[] heard = client.getInputStream().readNBytes(talk.answer.length());
                assertThat(new String(heard, UTF_8)).isEqualTo(talk.answer);
                process.toHandle().destroy(); // leaves the output open to be read
                assertThat(process.waitFor()).isZero();
            }
            assertThat(out.readLine()).isNull();
            // No warning of the JVM; the choice of an engine is a line of the log.
            assertThat(Files.readAllLines(err())).allMatch(line -> line.contains(" INFO "));
        } finally {
            process.destroyForcibly();
        }
    }

    /// Clients of other tests, and a server that speaks TLS when it is asked to.
    private static final List<String> ELSEWHERE =
            List.of(
                    "redis-client",
                    "memcache-client",
                    "mqtt-client",
                    "stomp-client",
                    "smtp-send",
                    "smtp-server");

    private static final Map<String, String> NEEDED =
            Map.of(
                    "tcp-proxy", "--to 127.0.0.1:1",
                    "reverse-proxy", "--to 127.0.0.1:1",
                    "dns-forwarder", "--upstream 127.0.0.1:1",
                    "grpc-interop", "--server",
                    "serial-terminal", "/dev/null");

    static Stream<String> namesWithTls() throws IOException {
        return names().filter(name -> !ELSEWHERE.contains(name));
    }

    @ParameterizedTest
    @MethodSource("namesWithTls")
    void everyExampleSpeaksTlsOrRefusesIt(String name) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(name));
        Stream.of(NEEDED.getOrDefault(name, "").split(" "))
                .filter(word -> !word.isEmpty())
                .forEach(arguments::add);
        arguments.addAll(List.of("--tls", "--port", "0"));
        Process process = start(arguments.toArray(String[]::new));
        try (BufferedReader out = process.inputReader(UTF_8)) {
            String line = out.readLine();
            if (line == null) {
                assertThat(process.waitFor()).isNotZero();
                assertThat(Files.readAllLines(err()))
                        .singleElement()
                        .asString()
                        .contains("--tls")
                        .contains("expected: ");
                assertThat(run(name, "--help").out).noneMatch(said -> said.contains("[--tls]"));
                return;
            }
            assertThat(run(name, "--help").out).anyMatch(said -> said.contains("[--tls]"));
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), listeningPort(line));
            try (SSLSocket client = (SSLSocket) Tls.over(plain)) {
                client.startHandshake();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private int listeningPort(@Nullable String line) throws Exception {
        Matcher listening = LISTENING.matcher(String.valueOf(line));
        assertThat(listening.matches()).as("%s %s", line, Files.readString(err())).isTrue();
        return Integer.parseInt(listening.group(1));
    }
}
