package io.weft.examples.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"io_uring", "epoll", "nio"})
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
record DashboardTest(String transport) {
    private static final Pattern SNAPSHOT =
            Pattern.compile(
                    "data: \\{\"at\":[0-9.]+,\"connections\":(\\d+),\"requests\":(\\d+),\"failed\":0,"
                            + "\"millis\":[0-9.]+,\"slowest\":[0-9.]+,"
                            + "\"loops\":\\[\\{\"tasks\":\\d+,\"pending\":\\d+,.*},\\{.*}],"
                            + "\"memory\":\\{\"used\":\\d+,\"reserved\":\\d+,\"limit\":\\d+}}");

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Served dashboard() {
        return Served.start(o -> Dashboard.start(o, Duration.ofMillis(10)), transport);
    }

    private static String get(Served served, String path) throws Exception {
        URL url = URI.create("http://127.0.0.1:" + served.address().getPort() + path).toURL();
        try (var in = url.openStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /// A stream of events, its head read.
    private static BufferedReader watch(Socket client) throws Exception {
        client.getOutputStream().write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
        assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
        String line = lines.readLine();
        while (!line.isEmpty()) {
            line = lines.readLine();
        }
        return lines;
    }

    private static Matcher snapshot(BufferedReader lines) throws Exception {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data:")) {
                Matcher snapshot = SNAPSHOT.matcher(line);
                assertThat(snapshot.matches()).as(line).isTrue();
                return snapshot;
            }
        }
        throw new AssertionError("the stream has ended");
    }

    @Test
    void servesItsPageAndScript() throws Exception {
        try (Served served = dashboard()) {
            assertThat(get(served, "/")).contains("<script src=\"dashboard.js\">");
            assertThat(get(served, "/dashboard.js")).contains("new EventSource('events')");
        }
    }

    @Test
    void snapshotsCountRequestsAndConnections() throws Exception {
        try (Served served = dashboard();
                Socket client = served.connect()) {
            BufferedReader lines = watch(client);
            assertThat(snapshot(lines).group(2)).isEqualTo("0");
            assertThat(get(served, "/hello")).isEqualTo("hello");
            Matcher later = snapshot(lines);
            while (later.group(2).equals("0")) {
                later = snapshot(lines);
            }
            assertThat(later.group(2)).isEqualTo("1");
            assertThat(Integer.parseInt(later.group(1))).isBetween(1, 2);
        }
    }

    @Test
    void closingEndsTheStreams() throws Exception {
        Served served = dashboard();
        try (served;
                Socket client = served.connect()) {
            BufferedReader lines = watch(client);
            var _ = snapshot(lines);
            served.close();
            String last = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.isEmpty() ? last : line;
            }
            assertThat(last).isEqualTo("0"); // the last chunk: it was not cut off
        }
    }
}
