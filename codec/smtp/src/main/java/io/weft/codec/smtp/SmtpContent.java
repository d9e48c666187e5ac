package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// The content of a message or of a chunk of one, in parts.
public sealed interface SmtpContent extends SmtpRequest {
    /// Bytes of the content, without the dots that DATA adds. Whoever takes the part releases them.
    record Part(Buffer bytes) implements SmtpContent, AutoCloseable {
        @Override
        public void close() {
            bytes.release();
        }
    }

    /// The end of what DATA or BDAT sent.
    ///
    /// @param fault null, or the reply to a content that is too large or has too long a line: the
    ///     parts before it are not all
    record End(@Nullable SmtpReply fault) implements SmtpContent {}
}
