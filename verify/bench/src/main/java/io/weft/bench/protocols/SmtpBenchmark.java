package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequests;
import io.netty.handler.codec.smtp.SmtpResponseDecoder;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.smtp.MailParameters;
import io.weft.codec.smtp.MailPath;
import io.weft.codec.smtp.SmtpCommand;
import io.weft.codec.smtp.SmtpReplyDecoder;
import io.weft.codec.smtp.SmtpRequestEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The client's side of SMTP, which is all that Netty has: sixteen replies in one buffer decoded,
/// and sixteen commands encoded. Netty's codec works in a channel in memory.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class SmtpBenchmark {
    /// Conversations.
    public enum Traffic {
        /// Replies of one line; RCPT alone.
        SMALL,
        /// Replies of six lines and of one in turn; MAIL, RCPT and RSET in turn.
        MIXED;

        private String reply(int index) {
            return this == MIXED && index % 2 == 0
                    ? """
                            250-mail.example.org\r
                            250-PIPELINING\r
                            250-SIZE 35882577\r
                            250-8BITMIME\r
                            250-STARTTLS\r
                            250 HELP\r
                            """
                    : "250 2.1.5 Ok\r\n";
        }

        private int kind(int index) {
            return this == SMALL ? 1 : index % 3;
        }

        private SmtpCommand command(int index) {
            return switch (kind(index)) {
                case 0 -> new SmtpCommand.Mail(MailPath.to(FROM), MailParameters.NONE);
                case 1 -> new SmtpCommand.Rcpt(MailPath.to(TO), MailParameters.NONE);
                default -> new SmtpCommand.Rset();
            };
        }

        private SmtpRequest nettyCommand(int index) {
            return switch (kind(index)) {
                case 0 -> SmtpRequests.mail(FROM);
                case 1 -> SmtpRequests.rcpt(TO);
                default -> SmtpRequests.rset();
            };
        }
    }

    private static final int MESSAGES = 16;
    private static final String FROM = "sender@example.org";
    private static final String TO = "recipient@mail.example.com";

    @Param Traffic traffic = Traffic.SMALL;

    private byte[] bytes = {};
    private final SmtpReplyDecoder decoder = new SmtpReplyDecoder();
    private final SmtpRequestEncoder encoder = new SmtpRequestEncoder();
    private final List<SmtpCommand> commands = new ArrayList<>();
    private final List<SmtpRequest> nettyCommands = new ArrayList<>();
    private final EmbeddedChannel nettyIn = new EmbeddedChannel(new SmtpResponseDecoder(512));
    private final EmbeddedChannel nettyOut =
            new EmbeddedChannel(new io.netty.handler.codec.smtp.SmtpRequestEncoder());
    private int replies;

    @Setup
    public void make() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            all.append(traffic.reply(i));
            commands.add(traffic.command(i));
            nettyCommands.add(traffic.nettyCommand(i));
        }
        bytes = all.toString().getBytes(US_ASCII);
    }

    @TearDown
    public void release() {
        nettyIn.finishAndReleaseAll();
        nettyOut.finishAndReleaseAll();
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
            decoder.decode(in, _ -> replies++);
        }
        return replies;
    }

    @Benchmark
    public int nettyDecode() {
        nettyIn.writeInbound(ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes));
        while (nettyIn.readInbound() != null) {
            replies++;
        }
        return replies;
    }

    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            for (SmtpCommand command : commands) {
                encoder.encode(command, out);
            }
            return out.size();
        }
    }

    @Benchmark
    public long nettyEncode() {
        for (SmtpRequest command : nettyCommands) {
            var _ = nettyOut.write(command);
        }
        nettyOut.flush();
        long size = 0;
        for (ByteBuf part; (part = nettyOut.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
