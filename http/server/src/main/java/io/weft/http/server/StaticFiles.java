package io.weft.http.server;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.HttpDate;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.files.ByteRange;
import io.weft.http.server.files.ByteRanges;
import io.weft.http.server.files.ContentTypes;
import io.weft.http.server.files.Validators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serves the files of a directory, with ranges, entity tags and conditional requests (RFC 9110, 13
/// and 14). Several ranges come as `multipart/byteranges`, those that overlap as one; a request for
/// more than 16, or with more than two that overlap others, gets the whole file.
///
/// ```java
/// Routes.builder().get("/files/{path...}").blocking(StaticFiles.of(directory))
/// ```
///
/// The route's parameter `path` names the file; without one, the path of the request does. A
/// directory is answered with its `index.html`, never with a listing. Names that begin with a dot
/// and links that lead out of the directory are not found. It asks the file system, so it belongs
/// on threads that may block.
public final class StaticFiles implements HttpHandler {
    private static final String PARAMETER = "path";

    private final Path root;
    private final @Nullable String cacheControl;

    private StaticFiles(Path root, @Nullable String cacheControl) {
        this.root = root;
        this.cacheControl = cacheControl;
    }

    /// @throws IOException unless `directory` exists
    public static StaticFiles of(Path directory) throws IOException {
        return new StaticFiles(directory.toRealPath(), null);
    }

    /// The same with a Cache-Control field in its answers: `max-age=3600`.
    public StaticFiles withCacheControl(String value) {
        return new StaticFiles(root, value);
    }

    @Override
    public Response handle(Request request) throws IOException {
        Method method = request.method();
        if (method != Method.GET && method != Method.HEAD) {
            return Response.of(Status.METHOD_NOT_ALLOWED).withHeader(HeaderName.ALLOW, "GET, HEAD");
        }
        List<String> names = names(request);
        Path file = names == null ? null : find(names);
        BasicFileAttributes attributes = attributes(file);
        boolean isDirectory = attributes != null && attributes.isDirectory();
        if (file != null && isDirectory) {
            String path = request.path();
            if (!path.endsWith("/")) {
                // Never "//host": the redirection would leave this server.
                String query = request.target().query();
                String location =
                        "/" + path.replaceFirst("^/+", "") + (query == null ? "/" : "/?" + query);
                return Response.redirect(Status.MOVED_PERMANENTLY, location);
            }
            file = find(List.of(root.relativize(file).resolve("index.html").toString().split("/")));
            attributes = attributes(file);
        }
        if (file != null && !isDirectory && request.path().endsWith("/")) {
            return Response.of(Status.NOT_FOUND); // nothing is below a file
        }
        if (file == null
                || attributes == null
                || !attributes.isRegularFile()
                || !Files.isReadable(file)) {
            return Response.of(Status.NOT_FOUND);
        }
        Response response = file(request, file, attributes);
        return cacheControl == null
                ? response
                : response.withHeader(HeaderName.CACHE_CONTROL, cacheControl);
    }

    /// Answers `request` with one file, or the parts of it that were asked for, or 304, 412 or 416.
    /// The file's name tells its type.
    ///
    /// @throws NoSuchFileException when there is none
    public static Response file(Request request, Path file) throws IOException {
        return file(request, file, Files.readAttributes(file, BasicFileAttributes.class));
    }

    private static Response file(Request request, Path file, BasicFileAttributes attributes)
            throws IOException {
        Validators validators = Validators.of(attributes);
        HeadersBuilder headers =
                Headers.builder()
                        .add(HeaderName.CONTENT_TYPE, ContentTypes.of(file))
                        .add(HeaderName.X_CONTENT_TYPE_OPTIONS, "nosniff")
                        .add(HeaderName.ACCEPT_RANGES, "bytes")
                        .add(HeaderName.ETAG, validators.etag())
                        .add(HeaderName.LAST_MODIFIED, HttpDate.format(validators.modified()));
        Status failed = validators.precondition(request);
        if (failed != null) {
            return Response.of(failed).withHeaders(headers.build());
        }
        long size = attributes.size();
        ByteRanges ranges =
                request.method() == Method.GET && validators.allowsRange(request, Instant.now())
                        ? ByteRanges.of(request.headers(), size)
                        : null;
        if (ranges == null) {
            return Response.of(Status.OK, headers.build(), Body.of(file, 0, size));
        }
        if (ranges.parts().isEmpty()) {
            return Response.of(Status.RANGE_NOT_SATISFIABLE)
                    .withHeader(HeaderName.CONTENT_RANGE, "bytes */" + size);
        }
        if (ranges.parts().size() > 1) {
            ByteRanges.Multipart parts = ranges.multipart(file, ContentTypes.of(file), size);
            headers.set(HeaderName.CONTENT_TYPE, parts.contentType());
            return Response.of(Status.PARTIAL_CONTENT, headers.build(), parts.body());
        }
        ByteRange range = ranges.parts().getFirst();
        headers.add(HeaderName.CONTENT_RANGE, range.of(size));
        return Response.of(
                Status.PARTIAL_CONTENT,
                headers.build(),
                Body.of(file, range.first(), range.length()));
    }

    /// Returns null where there is no file, or none any more.
    private static @Nullable BasicFileAttributes attributes(@Nullable Path file) {
        try {
            return file == null ? null : Files.readAttributes(file, BasicFileAttributes.class);
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable List<String> names(Request request) {
        String path = request.parameters().get(PARAMETER);
        List<String> all = request.target().segments();
        List<String> names = path == null ? all : last(all, path);
        int end = names.size();
        if (end > 0 && names.getLast().isEmpty()) {
            end--; // a directory
        }
        List<String> used = names.subList(0, end);
        for (String name : used) {
            if (name.isEmpty()
                    || name.startsWith(".")
                    || name.chars().anyMatch(c -> c < 0x20 || c == '/' || c == '\\' || c == 0x7F)) {
                return null;
            }
        }
        return used;
    }

    /// Returns the last segments, which a route has joined to `path`. What the slashes in that were
    /// is not to be told from itself.
    private static List<String> last(List<String> segments, String path) {
        int left = path.length() + 1;
        int from = segments.size();
        while (from > 0 && left > 0) {
            from--;
            left -= segments.get(from).length() + 1;
        }
        return segments.subList(from, segments.size());
    }

    /// The file of that name, if it is in the directory when all links are followed.
    private @Nullable Path find(List<String> names) {
        try {
            Path file = root;
            for (String name : names) {
                file = file.resolve(name);
            }
            Path real = file.toRealPath();
            return real.startsWith(root) ? real : null;
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}
