package io.weft.http.forms;

import io.weft.buffer.Buffer;
import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// A step through a form, as a [FormDecoder] hands it out: for each part a [PartStart], any number
/// of [PartData], and a [PartEnd].
public sealed interface FormEvent {
    /// A field or a file begins.
    ///
    /// @param name of the field of the form
    /// @param fileName as the client gave it; null for a field without a file. It may be empty, and
    ///     may lead to any place of a file system: see [FileNames#safe]
    /// @param contentType as the client gave it, null if it did not
    /// @param headers of the part, empty in urlencoded forms
    record PartStart(
            String name, @Nullable String fileName, @Nullable String contentType, Headers headers)
            implements FormEvent {
        /// Tells if this part is a file, which has a name of its own.
        public boolean isFile() {
            return fileName != null;
        }

        /// Names only: the rest may be secrets.
        @Override
        public String toString() {
            return fileName == null ? name : name + "=" + fileName;
        }
    }

    /// Some bytes of the part's content, decoded.
    ///
    /// @param bytes the consumer's to release
    record PartData(Buffer bytes) implements FormEvent {}

    /// The part is whole.
    enum PartEnd implements FormEvent {
        INSTANCE
    }
}
