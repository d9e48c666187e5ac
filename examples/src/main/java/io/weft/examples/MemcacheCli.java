package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EventLoopGroup;
import io.weft.channel.MessageHandler;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.TextMessage;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/// A client of memcached for people: text commands line by line, their replies as text. Data is put
/// behind the line: `ms key 5 hello`, `set key 0 0 5 hello`. Try it with
/// `./run-example.sh memcache-client --port 11311`.
public final class MemcacheCli {
    /// The last line of everything.
    private static final String END = "(connection closed)";

    private MemcacheCli() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("options: " + Options.USAGE + ", default port 11211");
            return;
        }
        Options options;
        try {
            options = Options.parse(11211, args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        run(options, new BufferedReader(new InputStreamReader(System.in, UTF_8)), System.out);
    }

    static void run(Options options, BufferedReader in, PrintStream out)
            throws IOException, InterruptedException {
        LinkedBlockingQueue<String> replies = new LinkedBlockingQueue<>();
        MemcacheLimits limits = MemcacheLimits.DEFAULT.wholeBytes(1 << 24).valueBytes(1 << 24);
        try (EventLoopGroup group = EventLoopGroup.create(options.transport(), 1)) {
            Channel channel =
                    new Bootstrap(group)
                            .handler(
                                    c ->
                                            c.pipeline()
                                                    .addLast(
                                                            new DecoderHandler<>(
                                                                    MemcacheDecoder.textReplies(
                                                                            limits)))
                                                    .addLast(
                                                            new EncoderHandler<>(
                                                                    MemcachePart.class,
                                                                    new MemcacheEncoder()))
                                                    .addLast(new Replies(replies)))
                            .connect(options.address())
                            .join();
            for (String line; (line = in.readLine()) != null && !line.strip().equals("quit"); ) {
                if (line.isBlank()) {
                    continue;
                }
                try {
                    channel.writeAndFlush(command(line.strip().split("\\s+", -1)));
                } catch (IllegalArgumentException e) {
                    out.println("(not sent) " + e.getMessage());
                    continue;
                }
                String reply;
                do {
                    reply = replies.take();
                    out.println(reply);
                    if (reply.equals(END)) {
                        return;
                    }
                } while (reply.startsWith("VALUE ") || reply.startsWith("STAT "));
            }
        }
    }

    private static TextMessage command(String... words) {
        int line =
                switch (words[0]) {
                    case "set", "add", "replace", "append", "prepend" -> 5;
                    case "cas" -> 6;
                    case "ms" -> 3;
                    default -> words.length;
                };
        if (words.length <= line) {
            return TextMessage.of(words);
        }
        String data = String.join(" ", Arrays.asList(words).subList(line, words.length));
        return TextMessage.of(data.getBytes(UTF_8), Arrays.copyOf(words, line));
    }

    private record Replies(LinkedBlockingQueue<String> queue)
            implements MessageHandler<TextMessage> {
        @Override
        public Class<TextMessage> messageType() {
            return TextMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, TextMessage reply) {
            queue.add(
                    reply.hasData() && !reply.isStreamed()
                            ? reply + ": " + reply.dataText()
                            : reply.toString());
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            queue.add(END);
            ctx.fireChannelInactive();
        }
    }
}
