package io.weft.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// `dev/from-netty.sh` renames what it can, and says what it cannot.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
class FromNettyTest {
    private static final Path SCRIPT = Docs.ROOT.resolve("dev/from-netty.sh");

    @TempDir Path directory;

    private static String run(Path sources) throws Exception {
        Process process =
                new ProcessBuilder(SCRIPT.toString(), sources.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /// A handler that uses what both have compiles with Weft afterwards.
    @Test
    void handlerCompilesWithWeftWhenItsNamesHaveChanged() throws Exception {
        Path file =
                Files.writeString(
                        Files.createDirectory(directory.resolve("src")).resolve("Counter.java"),
                        """
                        import io.netty.buffer.ByteBuf;
                        import io.netty.channel.ChannelHandlerContext;
                        import io.netty.channel.ChannelInboundHandlerAdapter;
                        import java.util.concurrent.atomic.AtomicLong;

                        class Counter extends ChannelInboundHandlerAdapter {
                            final AtomicLong bytes = new AtomicLong();

                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                ByteBuf buffer = (ByteBuf) message;
                                bytes.addAndGet(buffer.readableBytes());
                                ctx.fireChannelRead(buffer);
                            }
                        }
                        """);
        assertThat(run(file.getParent()))
                .isEqualTo("1 files changed, 0 imports left, 0 lines to look at\n");
        String changed = Files.readString(file);
        assertThat(changed)
                .contains(
                        "import io.weft.buffer.Buffer;", "class Counter implements ChannelHandler")
                .doesNotContain("netty");
        Program program = new Program(file, "", "Counter", changed);
        assertThat(Program.compile(List.of(program), directory)).isEmpty();
    }

    @Test
    void importsThatAreLeftAreListedWithAHint() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("Server.java"),
                        """
                        import io.netty.channel.nio.NioIoHandler;
                        import io.netty.channel.SimpleChannelInboundHandler;

                        abstract class Server extends SimpleChannelInboundHandler<String> {}
                        """);
        String before = Files.readString(file);
        assertThat(run(directory))
                .contains(
                        file + ":1: io.netty.channel.nio.NioIoHandler -> nothing",
                        file + ":2: io.netty.channel.SimpleChannelInboundHandler -> io.weft",
                        file + ":4: abstract class Server",
                        "-> implements MessageHandler",
                        "0 files changed, 2 imports left, 1 lines to look at");
        assertThat(file).hasContent(before);
    }

    /// A frame decoder of the kind that most programs have, with state in attributes.
    @Test
    void linesThatDecodeNettysWayAreListed() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("Frames.java"),
                        """
                        import io.netty.buffer.ByteBuf;
                        import io.netty.channel.Channel;
                        import io.netty.channel.ChannelHandlerContext;
                        import io.netty.handler.codec.ByteToMessageDecoder;
                        import io.netty.handler.timeout.IdleStateHandler;
                        import io.netty.util.AttributeKey;
                        import java.util.List;

                        class Frames extends ByteToMessageDecoder {
                            static final AttributeKey<Long> COUNT = AttributeKey.valueOf("count");

                            @Override
                            protected void decode(
                                    ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
                                in.markReaderIndex();
                                int length = in.readInt();
                                if (in.readableBytes() < length) {
                                    in.resetReaderIndex();
                                    return;
                                }
                                out.add(in.readRetainedSlice(length));
                                ctx.channel().attr(COUNT).set(1L);
                            }

                            static void times(Channel channel) {
                                channel.pipeline().addFirst(new IdleStateHandler(30, 0, 0));
                            }
                        }
                        """);
        assertThat(run(directory))
                .contains(
                        file + ":9: class Frames extends ByteToMessageDecoder { -> extends StepDe",
                        file + ":10: static final AttributeKey<Long> COUNT = AttributeKey.valueOf",
                        "-> AttributeKey.of(name), which makes a new key each time",
                        file + ":13: protected void decode( -> protected boolean step(in, out)",
                        file + ":15: in.markReaderIndex(); -> readOffset()",
                        file + ":18: in.resetReaderIndex(); -> readOffset()",
                        file + ":21: out.add(in.readRetainedSlice(length)); -> split(n)",
                        file + ":22: ctx.channel().attr(COUNT).set(1L); -> attributes()",
                        file + ":26: channel.pipeline().addFirst(new IdleStateHandler(30, 0, 0));",
                        "-> new IdleStateHandler(reader, writer, all) of Durations",
                        "1 files changed, 1 imports left, 8 lines to look at");
        assertThat(Files.readString(file)).contains("import io.weft.channel.AttributeKey;");
    }

    @Test
    void everyTypeOfTheTableIsThereOnBothSides() throws Exception {
        Matcher row =
                Pattern.compile(
                                "(?m)^(?:same=')?(io\\.netty\\.\\S+) ((?:io\\.weft|java)\\.[\\w.]+[A-Z]\\w*)'?$")
                        .matcher(Files.readString(SCRIPT));
        int rows = 0;
        while (row.find()) {
            rows++;
            if (!row.group(1).endsWith(".")) {
                assertThat(Class.forName(row.group(1))).as(row.group()).isPublic();
            }
            assertThat(Class.forName(row.group(2))).as(row.group()).isPublic();
        }
        assertThat(rows).isGreaterThan(30);
    }
}
