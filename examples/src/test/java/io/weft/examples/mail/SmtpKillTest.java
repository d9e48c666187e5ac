package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Tls;
import java.io.BufferedReader;
import java.io.File;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed while mail comes in.
@Timeout(300)
class SmtpKillTest {
    private static final int WHOLE = 20;

    @TempDir Path folder;

    /// Starts the server in a process of its own.
    private Process server(Path mail) throws Exception {
        String path =
                System.getProperty("jdk.module.path", "")
                        + File.pathSeparator
                        + System.getProperty("java.class.path");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path,
                        SmtpServer.class.getName(),
                        "--port",
                        "0",
                        "--transport",
                        "nio",
                        "--folder",
                        mail.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    @Test
    void acknowledgedMailIsWholeAndOtherMailIsNotThere() throws Exception {
        Path mail = folder.resolve("deep").resolve("mail");
        Process process = server(mail);
        try (BufferedReader said = process.inputReader(UTF_8)) {
            String line = said.readLine();
            assertThat(line).as("%s", folder.resolve("errors")).startsWith("listening on");
            int port = Integer.parseInt(line.replaceAll(".*:([0-9]+) .*", "$1"));
            try (Socket half = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket whole = new Socket(InetAddress.getLoopbackAddress(), port)) {
                half.setSoTimeout(60_000);
                whole.setSoTimeout(60_000);
                BufferedReader replies = begin(half, "half");
                half.getOutputStream().write("x".repeat(900).concat("\r\n").getBytes(US_ASCII));
                for (int i = 0; i < WHOLE; i++) {
                    replies = i == 0 ? begin(whole, "whole 0") : again(whole, replies, i);
                    whole.getOutputStream().write("end\r\n.\r\n".getBytes(US_ASCII));
                    assertThat(replies.readLine()).startsWith("250 2.0.0 kept as");
                }
                process.destroyForcibly();
                assertThat(process.waitFor()).isNotZero();
            }
        } finally {
            process.destroyForcibly();
        }
        List<String> kept = SmtpExamplesTest.mails(mail);
        assertThat(kept).hasSize(WHOLE).allMatch(m -> m.endsWith("end\r\n"));
        MailFolder.clean(mail);
        assertThat(files(mail.resolve("tmp"))).isEmpty();
        onlyTheOwnerReads(files(mail.resolve("new")));
    }

    private static BufferedReader begin(Socket socket, String subject) throws Exception {
        BufferedReader replies = Tls.lines(socket);
        assertThat(replies.readLine()).startsWith("220");
        socket.getOutputStream().write("HELO x\r\n".getBytes(US_ASCII));
        assertThat(replies.readLine()).startsWith("250");
        envelope(socket, replies, subject);
        return replies;
    }

    private static BufferedReader again(Socket socket, BufferedReader replies, int index)
            throws Exception {
        envelope(socket, replies, "whole " + index);
        return replies;
    }

    private static void envelope(Socket socket, BufferedReader replies, String subject)
            throws Exception {
        socket.getOutputStream()
                .write(
                        "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n"
                                .getBytes(US_ASCII));
        for (String code : List.of("250", "250", "354")) {
            assertThat(replies.readLine()).startsWith(code);
        }
        socket.getOutputStream().write(("Subject: " + subject + "\r\n\r\n").getBytes(US_ASCII));
    }

    private static List<Path> files(Path directory) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static void onlyTheOwnerReads(List<Path> files) throws Exception {
        Assumptions.assumeTrue(
                files.getFirst().getFileSystem().supportedFileAttributeViews().contains("posix"));
        for (Path file : files) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }
}
