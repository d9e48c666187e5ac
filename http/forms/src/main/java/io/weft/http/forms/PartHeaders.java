package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.forms.FormEvent.PartStart;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the header section of a part (RFC 7578, 4).
final class PartHeaders {
    private static final HeaderName TRANSFER_ENCODING = HeaderName.of("content-transfer-encoding");

    private PartHeaders() {}

    /// @throws FormException when it is not that of a field or a file
    static PartStart read(Headers headers) {
        HeaderParameters disposition = HeaderParameters.parse("content-disposition", only(headers));
        if (!disposition.word().equals("form-data")) {
            throw new FormException(
                    "content-disposition: "
                            + FileNames.quote(disposition.word())
                            + " (expected: form-data)");
        }
        Map<String, String> parameters = disposition.parameters();
        // RFC 7578, 4.2 forbids the extended form. Senders are about that give both of a file's
        // name; of a field's name, a filter in front may see one and the handler the other.
        if (parameters.containsKey("name") && parameters.containsKey("name*")) {
            throw new FormException("content-disposition: name and name* (expected: one of them)");
        }
        String name = parameter(parameters, "name");
        if (name == null) {
            throw new FormException("content-disposition: no name (expected: one)");
        }
        String fileName = parameter(parameters, "filename");
        String type = contentType(headers);
        checkCoding(headers);
        // RFC 7578, 4.3: several files are several parts. A multipart in place of a value would
        // hide files from whoever looks for them.
        if (fileName == null
                && type != null
                && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            throw new FormException(
                    "content-type of a part: "
                            + FileNames.quote(type)
                            + " (expected: no multipart, RFC 7578, 4.3)");
        }
        return new PartStart(name, fileName, type, headers);
    }

    private static String only(Headers headers) {
        List<String> fields = headers.all(HeaderName.CONTENT_DISPOSITION);
        if (fields.size() != 1) {
            throw new FormException(
                    "content-disposition fields: " + fields.size() + " (expected: 1)");
        }
        return new String(fields.getFirst().getBytes(ISO_8859_1), UTF_8);
    }

    private static @Nullable String contentType(Headers headers) {
        List<String> fields = headers.all(HeaderName.CONTENT_TYPE);
        if (fields.size() > 1) {
            throw new FormException(
                    "content-type fields of a part: " + fields.size() + " (expected: at most 1)");
        }
        return fields.isEmpty() ? null : fields.getFirst();
    }

    /// RFC 7578, 4.7: no sender should use one, and none that changes bytes is undone.
    private static void checkCoding(Headers headers) {
        for (String coding : headers.all(TRANSFER_ENCODING)) {
            switch (coding.toLowerCase(Locale.ROOT)) {
                case "7bit", "8bit", "binary" -> {}
                default ->
                        throw new FormException(
                                "content-transfer-encoding: "
                                        + FileNames.quote(coding)
                                        + " (expected: 7bit, 8bit or binary)");
            }
        }
    }

    /// `name*` goes before `name` (RFC 6266, 4.3), which is for those that do not know it.
    private static @Nullable String parameter(Map<String, String> parameters, String name) {
        String extended = parameters.get(name + "*");
        if (extended != null) {
            return extended(name, extended);
        }
        String plain = parameters.get(name);
        return plain == null ? null : unescape(plain);
    }

    /// The three characters that browsers escape (WHATWG HTML, multipart/form-data encoding
    /// algorithm).
    private static String unescape(String text) {
        return text.indexOf('%') < 0
                ? text
                : text.replace("%22", "\"")
                        .replace("%0D", "\r")
                        .replace("%0d", "\r")
                        .replace("%0A", "\n")
                        .replace("%0a", "\n");
    }

    /// RFC 8187, 3.2: `charset'language'percent-encoded`.
    private static String extended(String name, String value) {
        int first = value.indexOf('\'');
        int second = first < 0 ? -1 : value.indexOf('\'', first + 1);
        if (second < 0) {
            throw malformed(name, value, "charset'language'text");
        }
        Charset charset =
                switch (value.substring(0, first).toLowerCase(Locale.ROOT)) {
                    case "utf-8" -> UTF_8;
                    case "iso-8859-1" -> ISO_8859_1;
                    default -> throw malformed(name, value, "UTF-8 or ISO-8859-1");
                };
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = second + 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '%') {
                bytes.write(c);
                continue;
            }
            int high = i + 3 <= value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
            int low = i + 3 <= value.length() ? Character.digit(value.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw malformed(name, value, "two hexadecimal digits behind %");
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            throw malformed(name, value, "text in " + charset);
        }
    }

    private static FormException malformed(String name, String value, String expected) {
        return new FormException(
                name + "*: " + FileNames.quote(value) + " (expected: " + expected + ")");
    }
}
