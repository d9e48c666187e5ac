package io.weft.codec.redis;

import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes commands, as clients do. Those above 512 bytes travel uncopied.
public final class CommandEncoder implements Encoder<Command> {
    public CommandEncoder() {}

    @Override
    public void encode(Command command, Output out) {
        out.add(command.wire());
    }
}
