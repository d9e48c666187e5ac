package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes replies; has no state.
public final class SmtpReplyEncoder implements Encoder<SmtpReply> {
    public SmtpReplyEncoder() {}

    @Override
    public void encode(SmtpReply reply, Output out) {
        String status = reply.status() == null ? "" : reply.status() + " ";
        int last = reply.lines().size() - 1;
        for (int i = 0; i <= last; i++) {
            String line = reply.lines().get(i);
            Buffer to = out.buffer(8 + status.length() + 3 * line.length());
            to.writeAscii(Integer.toString(reply.code()))
                    .writeByte(i == last ? ' ' : '-')
                    .writeAscii(status);
            to.writeUtf8(line);
            to.writeShort(0x0D0A);
        }
    }
}
