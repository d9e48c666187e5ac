package io.weft.examples.mail;

import io.weft.codec.smtp.SmtpReply;
import io.weft.codec.smtp.SmtpReplyEncoder;
import io.weft.codec.smtp.SmtpServerConfig;
import io.weft.examples.Example;
import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.timeout.ReadTimeoutHandler;
import io.weft.tls.machine.TlsContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A server of SMTP that takes mail for everybody into a folder, a Maildir, and relays nothing:
/// `--folder DIR`, by default `mail` in the working directory. A message is on the disk before it
/// is acknowledged. With `--tls` it offers STARTTLS, with a certificate that is made for the run.
///
/// Try it: `curl smtp://127.0.0.1:2525 --mail-from a@b.c --mail-rcpt d@e.f -T message`
public final class SmtpServer {
    /// RFC 5321, 4.5.3.2.7.
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String USAGE = "smtp-server [--folder DIR, default mail] [options]";

    private SmtpServer() {}

    public static void main(String[] args) {
        Extras extras = Extras.take(args, USAGE, "--folder");
        String folder = extras.last("--folder");
        Path into = Path.of(folder == null ? "mail" : folder);
        Example.main(2525, extras.others(), options -> start(options, into));
    }

    static Example.Running start(Options options, Path folder) {
        SmtpServerConfig plain = SmtpServerConfig.of("localhost");
        @Nullable TlsContext tls = options.tls() ? Example.tls(options) : null;
        SmtpServerConfig config = tls == null ? plain : plain.withTls(false);
        try {
            MailFolder.clean(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ExecutorService disk = Executors.newVirtualThreadPerTaskExecutor();
        return Example.tcp(
                        options.withoutTls(),
                        channel ->
                                channel.pipeline()
                                        .addLast(new ReadTimeoutHandler(PATIENCE))
                                        .addLast(
                                                new EncoderHandler<>(
                                                        SmtpReply.class, new SmtpReplyEncoder()))
                                        .addLast(
                                                new SmtpServerConnection(
                                                        config,
                                                        tls,
                                                        () -> new MailFile(folder, disk))))
                .andThen(disk::close);
    }
}
