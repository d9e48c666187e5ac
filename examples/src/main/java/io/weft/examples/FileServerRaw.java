package io.weft.examples;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.Codec;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.engine.FileRegion;
import io.weft.handler.codec.CodecHandler;
import io.weft.handler.flow.FlowControlHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Sends files of the directory it was started in, without reading them into memory: a line with a
/// name is answered by a line with the length and then the bytes, or by a line that begins with
/// `error`. Try it with `telnet 127.0.0.1 8025`.
public final class FileServerRaw {
    private static final int MAX_LINE = 4096;

    private static final Codec<String, String> LINES =
            new Codec<>(
                    () -> new LineDecoder(MAX_LINE).then(new StringDecoder()),
                    String.class,
                    LineEncoder::new);

    private FileServerRaw() {}

    public static void main(String[] args) {
        Example.main(Taken.PLAIN_STREAMS, 8025, args, FileServerRaw::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options.plain("files go to the kernel as they are, which encrypts nothing"),
                channel -> {
                    channel.autoRead(false);
                    channel.pipeline()
                            .addLast(new CodecHandler(LINES))
                            .addLast(new FlowControlHandler())
                            .addLast(new FileHandler());
                });
    }

    /// Asks for a name, answers it, asks for the next: so answers come in order, and all of them
    /// before the channel hears that its peer has closed its side.
    private static final class FileHandler implements MessageHandler<String> {
        @Override
        public Class<String> messageType() {
            return String.class;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.read();
            ctx.fireChannelActive();
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, String name) {
            // Opening a file may wait for a disk, and a loop must not.
            Thread.ofVirtual().start(() -> answer(ctx.channel(), name));
        }
    }

    private static void answer(Channel channel, String name) {
        FileRegion region;
        try {
            Path root = Path.of("").toRealPath();
            Path file = root.resolve(name).toRealPath();
            if (!file.startsWith(root) || !Files.isRegularFile(file)) {
                throw new IOException("outside of the directory, or a directory");
            }
            region = FileRegion.open(file);
        } catch (IOException | InvalidPathException e) {
            channel.writeAndFlush("error: no such file");
            channel.read();
            return;
        }
        channel.write(Long.toString(region.remaining()));
        channel.writeAndFlush(region);
        channel.read();
    }
}
