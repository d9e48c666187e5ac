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
/// **Errors.** A part that stands behind neither, and a command in the middle of a content are
/// refused: a server would take the one for the other. CR or LF alone in a content of DATA is
/// refused: servers differ in what they take it for.
public final class SmtpRequestEncoder implements Encoder<SmtpRequest> {
    /// Places where requests stand.
    private enum Place {
        COMMANDS,
        /// Behind DATA, which the server may refuse.
        BEFORE_CONTENT,
        CONTENT,
        CHUNK
    }

    private final DataEncoder data = new DataEncoder();
    private final StringBuilder text = new StringBuilder();
    private Place place = Place.COMMANDS;

    /// Bytes of the chunk that were not written.
    private long left;

    public SmtpRequestEncoder() {}

    @Override
    public void encode(SmtpRequest request, Output out) {
        switch (request) {
            case SmtpCommand command -> command(command, out);
            case SmtpContent.Part part when place == Place.CHUNK -> chunk(part, out);
            case SmtpContent.Part part when place == Place.COMMANDS -> {
                part.close();
                throw new IllegalArgumentException("part: no content (expected: behind DATA)");
            }
            case SmtpContent.Part part -> {
                data.add(part.bytes(), out);
                place = Place.CONTENT;
            }
            case SmtpContent.End _ -> end(out);
        }
    }

    private void command(SmtpCommand command, Output out) {
        if (place == Place.CONTENT || (place == Place.CHUNK && left > 0)) {
            throw new IllegalArgumentException(
                    "command: in a content (expected: behind the content's end)");
        }
        line(command, out);
        switch (command) {
            case SmtpCommand.Data _ -> {
                data.begin();
                place = Place.BEFORE_CONTENT;
            }
            case SmtpCommand.Bdat chunk -> {
                left = chunk.size();
                place = Place.CHUNK;
            }
            default -> place = Place.COMMANDS;
        }
    }

    private void line(SmtpCommand command, Output out) {
        text.setLength(0);
        switch (command) {
            case SmtpCommand.Mail mail -> {
                text.append("MAIL FROM:");
                path(mail.from());
                mail.parameters().appendTo(text);
            }
            case SmtpCommand.Rcpt recipient -> {
                text.append("RCPT TO:");
                path(recipient.to());
                recipient.parameters().appendTo(text);
            }
            default -> text.append(command.line());
        }
        Buffer to = out.buffer(3 * text.length() + 2);
        to.writeUtf8(text);
        to.writeShort(0x0D0A);
    }

    private void path(MailPath path) {
        if (path instanceof MailPath.To to) {
            text.append('<');
            to.mailbox().appendTo(text);
            text.append('>');
        } else {
            text.append(path);
        }
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
        if (place == Place.COMMANDS || (place == Place.CHUNK && left > 0)) {
            throw new IllegalArgumentException("end: of no whole content (expected: all sent)");
        }
        if (place != Place.CHUNK) {
            data.end(out);
        }
        place = Place.COMMANDS;
    }
}
