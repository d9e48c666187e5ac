package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.forms.Form;
import io.weft.http.forms.FormLimits;
import io.weft.http.forms.FormPart;
import io.weft.http.forms.Forms;
import io.weft.http.model.HeaderName;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Routes;
import io.weft.http.server.StaticFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Stores what is put to it in a temporary directory, and gives it back: `curl -T FILE
/// http://127.0.0.1:8080/name`. A body goes to the disk as it comes.
///
/// Its page has a form for browsers; what a form brings (`curl -F photo=@FILE -F title=x
/// http://127.0.0.1:8080/`) is answered as JSON, and its files are stored under their names.
public final class HttpUpload {
    private static final Forms FORMS =
            Forms.DEFAULT.withLimits(
                    FormLimits.DEFAULT.withFileBytes(1L << 30).withTotalBytes(1L << 30));

    private static final String PAGE =
            """
            <!doctype html><title>Upload</title>
            <form method="post" enctype="multipart/form-data">
            <input name="title"> <input type="file" name="file" multiple>
            <input type="submit">
            </form>
            """;

    private HttpUpload() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8080, args, HttpUpload::start);
    }

    static Example.Running start(Options options) {
        try {
            Path directory = Files.createTempDirectory("weft-upload");
            Routes routes =
                    Routes.builder()
                            .get("/")
                            .handler(_ -> Response.html(PAGE))
                            .post("/")
                            .blocking(request -> FORMS.with(request, f -> keep(f, directory)))
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
        if (request.headers().contains(HeaderName.CONTENT_RANGE)) {
            // RFC 9110, 9.3.4: a part must not take the place of the whole.
            throw new HttpException(
                    Status.BAD_REQUEST, "content-range: of PUT (expected: a whole file)");
        }
        Path file = file(request.parameter("name"), directory);
        Path part = Files.createTempFile(directory, "part", null);
        boolean replaced;
        try (InputStream body = request.body().asInputStream()) {
            Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            replaced = Files.exists(file);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        return Response.of(replaced ? Status.NO_CONTENT : Status.CREATED);
    }

    /// Stores the files of a form, and tells what it had.
    private static Response keep(Form form, Path directory)
            throws IOException, NoSuchAlgorithmException {
        StringJoiner parts = new StringJoiner(",", "{\"parts\":[", "]}");
        for (FormPart part : form) {
            String name = part.fileName();
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            try (InputStream content = new DigestInputStream(part.asInputStream(), sha256)) {
                content.transferTo(OutputStream.nullOutputStream());
            }
            parts.add(
                    "{\"name\":"
                            + quote(part.name())
                            + (part.isFile() ? "" : ",\"value\":" + quote(part.text()))
                            + (name == null ? "" : ",\"fileName\":" + quote(name))
                            + ",\"type\":"
                            + quote(part.contentType())
                            + ",\"length\":"
                            + part.length()
                            + ",\"sha256\":"
                            + quote(HexFormat.of().formatHex(sha256.digest()))
                            + "}");
        }
        for (FormPart part : form.files()) {
            Path to = file(part.safeFileName(), directory);
            Files.deleteIfExists(to);
            part.saveTo(to);
        }
        return Response.json(parts.toString());
    }

    private static String quote(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private static Response give(Request request, Path directory) throws IOException {
        Path file = file(request.parameter("name"), directory);
        return Files.exists(file) ? StaticFiles.file(request, file) : Response.of(Status.NOT_FOUND);
    }

    /// A name becomes hex digits, so that none leads out of the directory.
    private static Path file(String of, Path directory) {
        byte[] name = of.getBytes(UTF_8);
        if (name.length > 100) {
            throw new HttpException(Status.BAD_REQUEST, "name: longer than 100");
        }
        return directory.resolve(HexFormat.of().formatHex(name));
    }
}
