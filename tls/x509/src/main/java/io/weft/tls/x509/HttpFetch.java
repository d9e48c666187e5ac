package io.weft.tls.x509;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Fetches small documents over HTTP: bounded in size, in time and in number, and from the host
/// that was named alone, as no redirect is followed.
///
/// An exchange runs on a virtual thread of its own. Time-outs of `HttpURLConnection` begin anew
/// with each read, and there is none for the lookup of a name; a deadline for all of it takes
/// another thread, which interrupts the exchange. That closes its socket.
final class HttpFetch {
    private final Semaphore slots;

    /// @param atOnce how many exchanges there may be at a time; others wait
    HttpFetch(int atOnce) {
        slots = new Semaphore(atOnce);
    }

    /// Blocks until the document is there.
    ///
    /// @param body to POST, of the type `application/ocsp-request`; null to GET
    /// @param limit of the document, in bytes
    /// @param deadline by [System#nanoTime], the wait for other exchanges included
    byte[] fetch(URI uri, byte @Nullable [] body, int limit, long deadline) throws IOException {
        if (!"http".equalsIgnoreCase(uri.getScheme())
                && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IOException("location: " + uri + " (expected: http or https)");
        }
        FutureTask<byte[]> exchange =
                new FutureTask<>(() -> exchange(uri, body, limit, millisUntil(deadline)));
        try {
            if (!slots.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException(server(uri) + ": too many others are asked");
            }
            // A thread that cannot be stopped, in the lookup of a name, keeps its slot.
            var _ =
                    Thread.ofVirtual()
                            .name("weft-revocation")
                            .start(
                                    () -> {
                                        try {
                                            exchange.run();
                                        } finally {
                                            slots.release();
                                        }
                                    });
            return exchange.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException(server(uri) + ": no whole response in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(server(uri) + ": interrupted");
        } catch (ExecutionException e) {
            throw new IOException(server(uri) + ": " + e.getCause(), e.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    /// The part of a location for messages: the rest may be a long question.
    private static String server(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    private static int millisUntil(long deadline) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        return Math.clamp(left, 1, Integer.MAX_VALUE); // 0 would be without end
    }

    private static byte[] exchange(URI uri, byte @Nullable [] body, int limit, int millis)
            throws IOException {
        if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("location: " + uri + " (expected: of HTTP)");
        }
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setRequestProperty("Connection", "close");
        try {
            if (body != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/ocsp-request");
                connection.setFixedLengthStreamingMode(body.length);
                connection.getOutputStream().write(body);
            }
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException("HTTP status: " + status + " (expected: 200)");
            }
            long announced = connection.getContentLengthLong();
            InputStream content = connection.getInputStream();
            byte[] document = announced > limit ? null : content.readNBytes(limit + 1);
            if (document == null || document.length > limit) {
                throw new IOException(
                        "response: over " + limit + " bytes (expected: at most that)");
            }
            if (announced >= 0 && document.length < announced) {
                throw new IOException(
                        "response: " + document.length + " bytes (expected: " + announced + ")");
            }
            return document;
        } finally {
            connection.disconnect();
        }
    }
}
