package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes what clients send.
///
/// The content behind a [SmtpCommand.Data] gets its dots and its end; that behind a
/// [SmtpCommand.Bdat] has to be as long as it says. Commands are valid by their types, so no text
/// in one begins another.
///
/// **Errors.** CR or LF alone in a content of DATA is refused: servers differ in what they take it
/// for.
public final class SmtpRequestEncoder implements Encoder<SmtpRequest> {
    private final DataEncoder data = new DataEncoder();
    private long left = -1;

    public SmtpRequestEncoder() {}

    @Override
    public void encode(SmtpRequest request, Output out) {
        switch (request) {
            case SmtpCommand.Data command -> {
                line(command, out);
                data.begin();
                left = -1;
            }
            case SmtpCommand.Bdat command -> {
                line(command, out);
                left = command.size();
            }
            case SmtpCommand command -> line(command, out);
            case SmtpContent.Part part when left >= 0 -> chunk(part, out);
            case SmtpContent.Part part -> data.add(part.bytes(), out);
            case SmtpContent.End _ -> end(out);
        }
    }

    private static void line(SmtpCommand command, Output out) {
        String line = command.line();
        Buffer to = out.buffer(3 * line.length() + 2);
        to.writeUtf8(line);
        to.writeShort(0x0D0A);
    }

    private void chunk(SmtpContent.Part part, Output out) {
        int length = part.bytes().readableBytes();
        if (length > left) {
            part.close();
            throw new IllegalArgumentException(
                    "part: " + length + " bytes (expected: at most " + left + " of the chunk)");
        }
        left -= length;
        out.add(part.bytes());
    }

    private void end(Output out) {
        if (left > 0) {
            throw new IllegalArgumentException(
                    "end: " + left + " bytes before that of the chunk (expected: all sent)");
        }
        if (left < 0) {
            data.end(out);
        }
        left = -1;
    }
}
