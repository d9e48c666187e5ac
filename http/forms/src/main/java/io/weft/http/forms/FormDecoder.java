package io.weft.http.forms;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import io.weft.http.forms.FormEvent.PartData;
import io.weft.http.forms.FormEvent.PartStart;
import io.weft.http.model.HttpException;
import io.weft.http.model.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the body of a form, in either format, part by part, in linear time. It holds no more
/// than the name or the header section of one part.
///
/// It ends with a [FormException] when the format is broken, and with a [LimitExceededException]
/// beyond a limit. Limits in memory and on disk are those of whoever keeps the parts.
public abstract sealed class FormDecoder extends StepDecoder<FormEvent>
        permits MultipartDecoder, UrlencodedDecoder {
    final FormLimits limits;
    private int parts;
    private long left;
    private boolean isFile;
    private long total;

    FormDecoder(FormLimits limits) {
        this.limits = limits;
    }

    /// A decoder of the format that a request's Content-Type names.
    ///
    /// @throws HttpException 415 when that is no form, 400 when it is malformed
    public static FormDecoder of(@Nullable String contentType, FormLimits limits) {
        String of = contentType == null ? "" : contentType;
        int end = of.indexOf(';');
        String type = (end < 0 ? of : of.substring(0, end)).strip();
        if (type.equalsIgnoreCase(FormBody.URLENCODED)) {
            return new UrlencodedDecoder(limits);
        }
        if (!type.equalsIgnoreCase(FormBody.MULTIPART)) {
            throw new HttpException(
                    Status.UNSUPPORTED_MEDIA_TYPE,
                    "content-type: " + FileNames.quote(of) + " (expected: that of a form)");
        }
        try {
            return new MultipartDecoder(Boundary.of(of), limits);
        } catch (FormException e) {
            throw new HttpException(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /// Hands out the start of a part.
    final void start(PartStart start, Consumer<? super FormEvent> out) {
        if (++parts > limits.parts()) {
            throw exceeded("parts of a form", limits.parts());
        }
        isFile = start.isFile();
        left = isFile ? limits.fileBytes() : limits.valueBytes();
        out.accept(start);
    }

    /// Hands out a piece of content, as far as the limits allow.
    final void data(Buffer piece, Consumer<? super FormEvent> out) {
        long room = Math.min(left, limits.totalBytes() - total);
        if (piece.readableBytes() <= room) {
            account(piece, out);
            return;
        }
        boolean whole = left == room;
        try (piece) {
            if (room > 0) {
                account(piece.split((int) room), out);
            }
        }
        if (!whole) {
            throw exceeded("bytes of a form", limits.totalBytes());
        }
        throw isFile
                ? exceeded("bytes of a file", limits.fileBytes())
                : exceeded("bytes of a value", limits.valueBytes());
    }

    private void account(Buffer piece, Consumer<? super FormEvent> out) {
        left -= piece.readableBytes();
        total += piece.readableBytes();
        out.accept(new PartData(piece));
    }

    /// The same wherever the input is cut.
    static LimitExceededException exceeded(String what, long limit) {
        return new LimitExceededException(what, limit + 1, limit);
    }

    final void checkName(String what, long bytes) {
        if (bytes > limits.nameBytes()) {
            throw exceeded("bytes of " + what, limits.nameBytes());
        }
    }
}
