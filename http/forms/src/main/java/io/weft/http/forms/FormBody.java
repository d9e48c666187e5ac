package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import java.io.IOException;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// A form as a client sends it.
///
/// ```java
/// FormBody form = FormBody.multipart().field("title", "Holiday").file("photo", path).build();
/// client.send(Request.post("http://example.com/photos", form.body())
///         .withHeader("content-type", form.contentType()));
/// ```
///
/// @param contentType the value of Content-Type that tells how to read the body
/// @param body in memory for urlencoded forms; a stream, which is sent once, for multipart
public record FormBody(String contentType, Body body) {
    static final String URLENCODED = "application/x-www-form-urlencoded";
    static final String MULTIPART = "multipart/form-data";

    private static final SecureRandom RANDOM = new SecureRandom();

    /// Begins an `application/x-www-form-urlencoded` form: fields only.
    public static Urlencoded urlencoded() {
        return new Urlencoded();
    }

    /// Begins a `multipart/form-data` form: fields and files.
    public static Multipart multipart() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return new Multipart("weft-" + HexFormat.of().formatHex(random));
    }

    /// Returns `request` with this body and its Content-Type.
    public Request on(Request request) {
        return request.withBody(body).withHeader(HeaderName.CONTENT_TYPE, contentType);
    }

    /// The fields of a form, in their order.
    public static final class Urlencoded {
        private final StringBuilder text = new StringBuilder();

        private Urlencoded() {}

        public Urlencoded field(String name, String value) {
            text.append(text.isEmpty() ? "" : "&");
            text.append(URLEncoder.encode(name, UTF_8)).append('=');
            text.append(URLEncoder.encode(value, UTF_8));
            return this;
        }

        public FormBody build() {
            return new FormBody(URLENCODED, Body.of(text.toString()));
        }
    }

    /// The fields and files of a form, in their order. Names are sent in UTF-8, with quotes, CR and
    /// LF as `%22`, `%0D` and `%0A`, as browsers do. The boundary is random: content cannot hold
    /// it.
    public static final class Multipart {
        private final String boundary;
        private final List<Body> bodies = new ArrayList<>();

        private Multipart(String boundary) {
            this.boundary = boundary;
        }

        public Multipart field(String name, String value) {
            return part("form-data; name=\"" + escape(name) + '"', Headers.EMPTY, Body.of(value));
        }

        /// A file under its own name; the extension tells its type, else it is
        /// `application/octet-stream`. This asks the file system for its length.
        ///
        /// @throws IOException when it has no length to be told
        public Multipart file(String name, Path file) throws IOException {
            String fileName = String.valueOf(file.getFileName());
            String type = URLConnection.guessContentTypeFromName(fileName);
            return file(
                    name,
                    fileName,
                    type == null ? "application/octet-stream" : type,
                    Body.of(file));
        }

        /// A file of any content, which is streamed where it is a stream.
        ///
        /// @throws IllegalArgumentException when the type has a forbidden character
        public Multipart file(String name, String fileName, String contentType, Body content) {
            String disposition =
                    "form-data; name=\""
                            + escape(name)
                            + "\"; filename=\""
                            + escape(fileName)
                            + '"';
            return part(disposition, Headers.of("content-type", contentType), content);
        }

        private Multipart part(String disposition, Headers headers, Body content) {
            StringBuilder head = new StringBuilder(bodies.isEmpty() ? "--" : "\r\n--");
            head.append(boundary).append("\r\nContent-Disposition: ").append(disposition);
            head.append("\r\n");
            for (Headers.Field field : headers) {
                head.append("Content-Type: ").append(field.value()).append("\r\n");
            }
            bodies.add(Body.of(head.append("\r\n").toString()));
            bodies.add(content);
            return this;
        }

        /// Controls that browsers leave as they are have no place in a header.
        private static String escape(String text) {
            StringBuilder escaped = new StringBuilder(text.length());
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                switch (c) {
                    case '"' -> escaped.append("%22");
                    case '\r' -> escaped.append("%0D");
                    case '\n' -> escaped.append("%0A");
                    case '\\' -> escaped.append("\\\\");
                    default -> {
                        if (c < 0x20 || c == 0x7F) {
                            throw new IllegalArgumentException(
                                    "name: "
                                            + FileNames.quote(text)
                                            + " (expected: no controls but CR and LF)");
                        }
                        escaped.append(c);
                    }
                }
            }
            return escaped.toString();
        }

        /// A form without a part is the last boundary alone.
        public FormBody build() {
            List<Body> all = new ArrayList<>(bodies);
            all.add(Body.of((bodies.isEmpty() ? "--" : "\r\n--") + boundary + "--\r\n"));
            return new FormBody(MULTIPART + "; boundary=" + boundary, Body.concat(all));
        }
    }
}
