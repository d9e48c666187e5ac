package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.http.forms.FormEvent.PartStart;
import io.weft.http.model.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A field or a file of a [Form], whole. Its content is there until the form is closed; after that
/// it throws a [java.nio.channels.ClosedChannelException].
///
/// Thread: one at a time, with its form. What reads content may block.
public final class FormPart {
    private final PartStart start;
    private final PartContent content;

    FormPart(PartStart start, PartContent content) {
        this.start = start;
        this.content = content;
    }

    /// Returns the name of the field of the form.
    public String name() {
        return start.name();
    }

    /// Tells if this is a file, which has a name of its own. A browser sends a field for a file
    /// that was not chosen as a file without a name and content.
    public boolean isFile() {
        return start.isFile();
    }

    /// Returns the name of the file as the client gave it, null for a field without a file. It may
    /// lead anywhere: see [#safeFileName].
    public @Nullable String fileName() {
        return start.fileName();
    }

    /// Returns the name of the file, fit for a file in a directory: see [FileNames#safe]. Without a
    /// name it is `unnamed`.
    public String safeFileName() {
        String name = start.fileName();
        return FileNames.safe(name == null ? "" : name);
    }

    /// Returns the type that the client says the content has, null if it says none. Nothing is
    /// checked.
    public @Nullable String contentType() {
        return start.contentType();
    }

    /// Returns the header fields of the part; none in urlencoded forms.
    public Headers headers() {
        return start.headers();
    }

    /// Returns the length of the content in bytes.
    public long length() {
        return content.length();
    }

    /// Tells if the content is in memory, not on disk.
    public boolean isInMemory() {
        return content.isInMemory();
    }

    /// Returns the content as text, in the charset that Content-Type names, else in UTF-8. What is
    /// malformed in it becomes U+FFFD.
    ///
    /// @throws IOException when it cannot be read back from the disk
    public String text() throws IOException {
        return new String(bytes(), charset());
    }

    private Charset charset() {
        if (start.contentType() == null) {
            return UTF_8;
        }
        try {
            String charset =
                    HeaderParameters.parse("content-type", start.contentType())
                            .parameters()
                            .get("charset");
            return charset == null ? UTF_8 : Charset.forName(charset);
        } catch (FormException | IllegalCharsetNameException | UnsupportedCharsetException e) {
            return UTF_8;
        }
    }

    /// Returns a copy of the content.
    ///
    /// @throws IOException when it cannot be read back from the disk
    public byte[] bytes() throws IOException {
        return content.bytes();
    }

    /// Opens the content, from its start.
    ///
    /// @throws IOException when the form is closed
    public InputStream asInputStream() throws IOException {
        return content.open();
    }

    /// Copies the content to a new file, within the kernel where that can do it.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException when there is a file of that name, which
    ///     stays as it is
    /// @throws IOException when it cannot be written: what was written of it is deleted
    public void saveTo(Path file) throws IOException {
        try (FileChannel to =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            try {
                content.copyTo(to);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }

    /// Names only: the content may be a secret.
    @Override
    public String toString() {
        return start.toString();
    }
}
