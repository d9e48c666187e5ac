package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Routes;
import io.weft.http.server.StaticFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;

/// Stores what is put to it in a temporary directory, and gives it back: `curl -T FILE
/// http://127.0.0.1:8080/name`. A body goes to the disk as it comes.
public final class HttpUpload {
    private HttpUpload() {}

    public static void main(String[] args) {
        Example.main(8080, args, HttpUpload::start);
    }

    static Example.Running start(Options options) {
        try {
            Path directory = Files.createTempDirectory("weft-upload");
            Routes routes =
                    Routes.builder()
                            .put("/{name}")
                            .blocking(request -> store(request, directory))
                            .get("/{name}")
                            .blocking(request -> give(request, directory))
                            .build();
            return Example.http(options, server -> server.routes(routes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Response store(Request request, Path directory) throws IOException {
        Path part = Files.createTempFile(directory, "part", null);
        try (InputStream body = request.body().asInputStream()) {
            Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            Files.move(part, file(request, directory), StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        return Response.of(Status.CREATED);
    }

    private static Response give(Request request, Path directory) throws IOException {
        Path file = file(request, directory);
        return Files.exists(file) ? StaticFiles.file(request, file) : Response.of(Status.NOT_FOUND);
    }

    /// A name becomes hex digits, so that none leads out of the directory.
    private static Path file(Request request, Path directory) {
        byte[] name = request.parameter("name").getBytes(UTF_8);
        if (name.length > 100) {
            throw new HttpException(Status.BAD_REQUEST, "name: longer than 100");
        }
        return directory.resolve(HexFormat.of().formatHex(name));
    }
}
