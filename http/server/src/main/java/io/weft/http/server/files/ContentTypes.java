package io.weft.http.server.files;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/// Media types by the ends of names.
public final class ContentTypes {
    private static final Map<String, String> BY_END =
            Map.ofEntries(
                    Map.entry("html", "text/html; charset=utf-8"),
                    Map.entry("htm", "text/html; charset=utf-8"),
                    Map.entry("css", "text/css; charset=utf-8"),
                    Map.entry("js", "text/javascript; charset=utf-8"),
                    Map.entry("mjs", "text/javascript; charset=utf-8"),
                    Map.entry("txt", "text/plain; charset=utf-8"),
                    Map.entry("md", "text/markdown; charset=utf-8"),
                    Map.entry("csv", "text/csv; charset=utf-8"),
                    Map.entry("xml", "application/xml"),
                    Map.entry("json", "application/json"),
                    Map.entry("map", "application/json"),
                    Map.entry("webmanifest", "application/manifest+json"),
                    Map.entry("wasm", "application/wasm"),
                    Map.entry("pdf", "application/pdf"),
                    Map.entry("zip", "application/zip"),
                    Map.entry("gz", "application/gzip"),
                    Map.entry("svg", "image/svg+xml"),
                    Map.entry("png", "image/png"),
                    Map.entry("jpg", "image/jpeg"),
                    Map.entry("jpeg", "image/jpeg"),
                    Map.entry("gif", "image/gif"),
                    Map.entry("webp", "image/webp"),
                    Map.entry("avif", "image/avif"),
                    Map.entry("ico", "image/x-icon"),
                    Map.entry("mp3", "audio/mpeg"),
                    Map.entry("ogg", "audio/ogg"),
                    Map.entry("mp4", "video/mp4"),
                    Map.entry("webm", "video/webm"),
                    Map.entry("ttf", "font/ttf"),
                    Map.entry("woff", "font/woff"),
                    Map.entry("woff2", "font/woff2"));

    private ContentTypes() {}

    public static String of(Path file) {
        String name = String.valueOf(file.getFileName());
        String end = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return BY_END.getOrDefault(end, "application/octet-stream");
    }
}
