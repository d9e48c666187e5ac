package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.weft.buffer.Buffer;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A message on its way into a Maildir: written to `tmp`, forced to the disk, and renamed into
/// `new`, so that a message is there whole or not at all. Work with the disk is done on a virtual
/// thread, one piece after another.
///
/// Lines that a delivery adds stand in front of the content, but come last: the content is copied
/// behind them when it is known to be whole.
final class MailFile {
    /// Bytes that may wait for the disk.
    private static final int MAX_PENDING = 1 << 18;

    private final Path folder;
    private final Executor disk;
    private final String name = System.currentTimeMillis() + "." + UUID.randomUUID() + ".weft";
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private boolean running;
    private int pending;
    private @Nullable Runnable written;

    // Of the thread that works.
    private @Nullable FileChannel file;
    private @Nullable IOException failure;

    MailFile(Path folder, Executor disk) {
        this.folder = folder;
        this.disk = disk;
    }

    /// Lines in front of a message (RFC 5321, 4.4).
    static String trace(SmtpEnvelope envelope, String client, String host, boolean secured) {
        StringBuilder text = new StringBuilder();
        text.append("Return-Path: ").append(envelope.mail().from()).append("\r\n");
        envelope.recipients()
                .forEach(
                        r -> {
                            String path = r.to().toString();
                            text.append("Delivered-To: ")
                                    .append(path, 1, path.length() - 1)
                                    .append("\r\n");
                        });
        return text.append("Received: from ")
                .append(client)
                .append("\r\n\tby ")
                .append(host)
                .append(secured ? " with ESMTPS; " : " with ESMTP; ")
                .append(
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                ZonedDateTime.now(ZoneId.systemDefault())))
                .append("\r\n")
                .toString();
    }

    private void later(Runnable piece) {
        synchronized (work) {
            work.add(piece);
            if (running) {
                return;
            }
            running = true;
        }
        disk.execute(this::work);
    }

    private void work() {
        while (true) {
            Runnable piece;
            synchronized (work) {
                piece = work.poll();
                if (piece == null) {
                    running = false;
                    return;
                }
            }
            piece.run();
        }
    }

    /// Appends bytes, which become the file's.
    ///
    /// @return false when many wait for the disk
    boolean append(Buffer bytes) {
        int length = bytes.readableBytes();
        later(() -> write(bytes, length));
        synchronized (work) {
            pending += length;
            return pending < MAX_PENDING;
        }
    }

    /// Tells once when what was appended is written.
    void whenWritten(Runnable told) {
        synchronized (work) {
            written = told;
        }
        later(this::tell);
    }

    private void tell() {
        Runnable told;
        synchronized (work) {
            told = written;
            written = null;
        }
        if (told != null) {
            told.run();
        }
    }

    private void write(Buffer bytes, int length) {
        try (bytes) {
            if (failure == null) {
                ByteBuffer from = bytes.byteBuffer(bytes.readOffset(), length);
                FileChannel to = open();
                while (from.hasRemaining()) {
                    to.write(from);
                }
            }
        } catch (IOException e) {
            failure = e;
        }
        synchronized (work) {
            pending -= length;
        }
    }

    private FileChannel open() throws IOException {
        FileChannel open = file;
        if (open == null) {
            MailFolder.create(folder);
            open = MailFolder.create(temporary(), READ, WRITE);
            file = open;
        }
        return open;
    }

    private Path temporary() {
        return folder.resolve("tmp").resolve(name);
    }

    /// Makes the message durable, and says how that went.
    void finish(String trace, Consumer<SmtpReply> answer) {
        later(() -> answer.accept(deliver(trace)));
    }

    private SmtpReply deliver(String trace) {
        try {
            FileChannel content = open();
            if (failure != null) {
                throw failure;
            }
            Path whole = folder.resolve("tmp").resolve(name + ".whole");
            try (FileChannel to = MailFolder.create(whole, WRITE)) {
                ByteBuffer lines = ByteBuffer.wrap(trace.getBytes(UTF_8));
                while (lines.hasRemaining()) {
                    to.write(lines);
                }
                long size = content.size();
                for (long at = 0; at < size; ) {
                    at += content.transferTo(at, size - at, to);
                }
                to.force(true);
            }
            Files.move(whole, folder.resolve("new").resolve(name), ATOMIC_MOVE);
            MailFolder.force(folder.resolve("new"));
            return SmtpReply.of(250, "2.0.0", "kept as " + name);
        } catch (IOException | RuntimeException e) {
            System.err.println("smtp-server: " + e);
            return SmtpReply.of(451, "4.3.0", "the message could not be kept");
        } finally {
            remove();
        }
    }

    /// Gives the message up.
    void abort() {
        later(this::remove);
    }

    private void remove() {
        try (FileChannel open = file) {
            if (open != null) {
                Files.deleteIfExists(temporary());
                Files.deleteIfExists(folder.resolve("tmp").resolve(name + ".whole"));
            }
        } catch (IOException e) {
            System.err.println("smtp-server: " + e);
        }
        file = null;
    }
}
