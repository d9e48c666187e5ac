package io.weft.http.server;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes a line for each request, in the combined format of Apache and nginx or as JSON, to the
/// logger `io.weft.http.access` or to a consumer.
///
/// ```java
/// builder.filter(AccessLog.combined())
/// ```
///
/// As the first filter of a server it tells the answers that clients get. Lines are made and
/// written on a virtual thread, one after the other. When more than [#withQueue] of them wait,
/// further ones are dropped and counted, and the number goes to the logger of the server. A request
/// whose head the connection itself refuses, because it is malformed, too large or too slow, has no
/// line.
///
/// No client can forge a line: quotes, backslashes and all but printable ASCII are written as
/// `\xHH` in the combined format, and as escapes of JSON in the other. Texts of clients are cut
/// after 1,024 characters.
public final class AccessLog implements HttpFilter {
    /// Lines that may wait.
    public static final int DEFAULT_QUEUE = 4096;

    private static final int MAX_TEXT = 1024;
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    /// The facts of one line, without what they came from.
    record Entry(
            Instant end,
            @Nullable Peer peer,
            @Nullable SocketAddress address,
            String method,
            String target,
            String version,
            int status,
            long bytes,
            long micros,
            boolean whole,
            @Nullable String referer,
            @Nullable String userAgent) {}

    /// Makes a line of an entry.
    interface Format {
        String line(Entry entry);
    }

    private final Format format;
    private final Consumer<String> lines;
    private final boolean queries;
    private final int limit;
    private final InstantSource clock;
    private final ConcurrentLinkedQueue<Entry> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    AccessLog(
            Format format,
            Consumer<String> lines,
            boolean queries,
            int limit,
            InstantSource clock) {
        this.format = format;
        this.lines = lines;
        this.queries = queries;
        this.limit = limit;
        this.clock = clock;
    }

    /// The combined format, to the logger `io.weft.http.access` at INFO.
    public static AccessLog combined() {
        return combined(logger());
    }

    /// The combined format: `host - - [date] "method target version" status bytes "referer"
    /// "user-agent"`, and "-" for what there is not. An answer that was cut off has the bytes that
    /// were sent, one that never was the status "-".
    ///
    /// @param lines takes one line after the other, without its end, on virtual threads
    public static AccessLog combined(Consumer<String> lines) {
        return of(AccessLines::combined, lines);
    }

    /// JSON, to the logger `io.weft.http.access` at INFO.
    public static AccessLog json() {
        return json(logger());
    }

    /// One object a line: `time` (ISO 8601), `peer`, `method`, `target`, `version`, `status` (null
    /// without an answer), `bytes`, `micros`, `whole`, `referer`, `userAgent`, `tls` (null without
    /// TLS), `cipher`, `subject` (of a client's certificate).
    ///
    /// @param lines as for [#combined(Consumer)]
    public static AccessLog json(Consumer<String> lines) {
        return of(AccessLines::json, lines);
    }

    private static AccessLog of(Format format, Consumer<String> lines) {
        return new AccessLog(format, lines, true, DEFAULT_QUEUE, InstantSource.system());
    }

    private static Consumer<String> logger() {
        System.Logger logger = System.getLogger("io.weft.http.access");
        return line -> logger.log(System.Logger.Level.INFO, line);
    }

    /// The same without the queries of targets, which may have secrets.
    public AccessLog withoutQueries() {
        return new AccessLog(format, lines, false, limit, clock);
    }

    /// The same with so many lines that may wait.
    ///
    /// @throws IllegalArgumentException unless positive
    public AccessLog withQueue(int waitingLines) {
        if (waitingLines < 1) {
            throw new IllegalArgumentException("queue: " + waitingLines + " (expected: > 0)");
        }
        return new AccessLog(format, lines, queries, waitingLines, clock);
    }

    /// Asks for the address while the connection stands: once asked, a channel keeps it.
    @Override
    public @Nullable Response before(Request request) {
        SocketAddress _ = address(request.peer());
        return null;
    }

    private static @Nullable SocketAddress address(@Nullable Peer peer) {
        return peer == null ? null : peer.address();
    }

    @Override
    public void finished(FinishedExchange exchange) {
        if (waiting.get() >= limit) {
            dropped.incrementAndGet();
            return;
        }
        Request request = exchange.request();
        Response response = exchange.response();
        queue.add(
                new Entry(
                        clock.instant(),
                        request.peer(),
                        address(request.peer()),
                        request.method().name(),
                        target(request.target()),
                        request.version().toString(),
                        response == null ? 0 : response.status().code(),
                        exchange.bodyBytes(),
                        exchange.time().toNanos() / 1000,
                        exchange.whole(),
                        cut(request.headers().first(HeaderName.REFERER)),
                        cut(request.headers().first(HeaderName.USER_AGENT))));
        if (waiting.getAndIncrement() == 0) {
            Thread.ofVirtual().name("weft-access-log").start(this::write);
        }
    }

    private String target(RequestTarget target) {
        String text = target.toString();
        int query = queries ? -1 : text.indexOf('?');
        int end = query < 0 ? text.length() : query;
        return text.substring(0, Math.min(end, MAX_TEXT));
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    private void write() {
        do {
            Entry entry = queue.remove();
            try {
                lines.accept(format.line(entry));
            } catch (Throwable t) {
                LOGGER.log(System.Logger.Level.WARNING, "a line of the access log failed", t);
            }
            long lost = dropped.getAndSet(0);
            if (lost > 0) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "access log: " + lost + " lines dropped, more than " + limit + " waited");
            }
        } while (waiting.decrementAndGet() > 0);
    }
}
