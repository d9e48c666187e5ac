package io.weft.examples;

import io.weft.codec.websocket.CloseStatus;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketListener;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// A headless Chromium, driven by its DevTools protocol over WebSocket. Every wait is bounded.
public final class Chromium implements AutoCloseable {
    private static final int SECONDS = 300;
    private static final Pattern LISTENING =
            Pattern.compile(".*DevTools listening on ws://(\\S+?)/.*");
    private static final Pattern TOOLS = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final Pattern TEXT =
            Pattern.compile("\"type\":\"string\",\"value\":\"([^\"]*)\"");

    private final Process process;
    private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final HttpClient client = HttpClient.builder().group(group).build();
    private final String tools;

    private Chromium(Process process) throws Exception {
        this.process = process;
        CompletableFuture<String> listening = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> read(listening));
        try {
            tools = listening.get(SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            close();
            throw new IOException("chromium does not start: " + said, e);
        }
    }

    /// Returns the program's name; aborts the test where there is none, or peers are off.
    private static String program() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        String browser =
                Stream.of("chromium", "chromium-browser", "google-chrome")
                        .filter(Chromium::isThere)
                        .findFirst()
                        .orElse(null);
        Assumptions.assumeTrue(
                browser != null, "chromium is not on the PATH (dev/install-peers.sh installs it)");
        return String.valueOf(browser);
    }

    private static boolean isThere(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    /// Makes a command that starts a browser without a window, which minds no certificate.
    ///
    /// @param directory for the browser's profile
    /// @param more of its options, and what it opens
    public static ProcessBuilder headless(Path directory, String... more) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--ignore-certificate-errors",
                                "--user-data-dir=" + directory.resolve("profile")));
        command.addAll(List.of(more));
        return new ProcessBuilder(command);
    }

    /// @param directory for the browser's profile
    public static Chromium start(Path directory) throws Exception {
        return new Chromium(
                headless(directory, "--remote-debugging-port=0", "about:blank")
                        .redirectErrorStream(true)
                        .start());
    }

    private void read(CompletableFuture<String> listening) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                Matcher matcher = LISTENING.matcher(line);
                if (matcher.matches()) {
                    listening.complete(matcher.group(1));
                }
            }
        } catch (IOException e) {
            said.add(e.toString());
        }
        listening.completeExceptionally(new IOException("it has ended"));
    }

    /// Opens a page in a tab of its own.
    public Page open(String url) throws Exception {
        Request request =
                Request.of(Method.PUT, RequestTarget.of("http://" + tools + "/json/new?" + url));
        String tab = client.sendAsync(request).get(SECONDS, TimeUnit.SECONDS).body().asString();
        Matcher matcher = TOOLS.matcher(tab);
        if (!matcher.find()) {
            throw new IOException("no tab: " + tab);
        }
        return Page.of(group, URI.create(matcher.group(1)));
    }

    @Override
    public void close() {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy(); // it tidies its profile up
        try {
            process.waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        client.close();
        group.close();
    }

    /// A tab.
    public static final class Page implements WebSocketListener {
        private final Map<Integer, CompletableFuture<String>> calls = new ConcurrentHashMap<>();
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final AtomicInteger lastId = new AtomicInteger();
        private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

        private static Page of(EventLoopGroup group, URI uri) throws Exception {
            Page page = new Page();
            var connecting = WebSocketClient.of(group).connect(uri, page);
            page.socket.get(SECONDS, TimeUnit.SECONDS);
            connecting.join();
            return page;
        }

        @Override
        public void onOpen(WebSocket opened) {
            socket.complete(opened);
        }

        @Override
        public void onText(WebSocket from, String text) {
            Matcher id = ID.matcher(text);
            CompletableFuture<String> call =
                    text.startsWith("{\"id\":") && id.find()
                            ? calls.remove(Integer.parseInt(id.group(1)))
                            : null;
            if (call != null) {
                call.complete(text);
            } else {
                events.add(text);
            }
        }

        @Override
        public void onClose(WebSocket from, CloseStatus status) {
            calls.values().forEach(c -> c.completeExceptionally(new IOException("" + status)));
        }

        /// Calls a method of the protocol.
        ///
        /// @param params as JSON
        String call(String method, String params) throws Exception {
            int id = lastId.incrementAndGet();
            CompletableFuture<String> answer = new CompletableFuture<>();
            calls.put(id, answer);
            socket.get()
                    .sendText(
                            "{\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                                    .formatted(id, method, params));
            return answer.get(SECONDS, TimeUnit.SECONDS);
        }

        /// Waits for an event of the protocol.
        String event(Predicate<String> which) throws Exception {
            while (true) {
                String event = events.poll(SECONDS, TimeUnit.SECONDS);
                if (event == null) {
                    throw new IOException("no such event");
                }
                if (which.test(event)) {
                    return event;
                }
            }
        }

        /// Evaluates an expression of JavaScript in ASCII, without double quotes, to a text.
        public String evaluate(String expression) throws Exception {
            String params = "{\"awaitPromise\":true,\"expression\":\"" + expression + "\"}";
            String answer = call("Runtime.evaluate", params);
            while (answer.contains("context was destroyed")) {
                answer = call("Runtime.evaluate", params); // of the page before
            }
            Matcher text = TEXT.matcher(answer);
            if (!text.find()) {
                throw new IOException(expression + ": " + answer);
            }
            return text.group(1);
        }

        /// Waits until an expression is true, and tells another one's text then.
        public String evaluateWhen(String condition, String expression) throws Exception {
            return evaluate(
                    "new Promise(done => { const look = () => { let there = false;"
                            + " try { there = "
                            + condition
                            + "; } catch (e) {} if (there) { done("
                            + expression
                            + "); } else { setTimeout(look, 10); } }; look(); })");
        }
    }
}
