package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real clients send forms to http-upload.
@Tag("peers")
class UploadPeersTest {
    private static final int SIZE = 3_000_001;

    @TempDir Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    /// Runs a program, for five minutes at most, and returns what it says.
    private String run(String... command) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, command[0])));
        Assumptions.assumeTrue(
                there, command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        Path said = directory.resolve("said");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ended", command[0]).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String output = Files.readString(said);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static String url(Served served) {
        return "http://127.0.0.1:" + served.address().getPort() + "/";
    }

    private Path file() throws Exception {
        byte[] bytes = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            bytes[i] = (byte) "\r\n--\rB-".charAt(i % 7);
        }
        return Files.write(directory.resolve("some file.bin"), bytes);
    }

    private static String part(String name, String fileName, String type, byte[] content)
            throws Exception {
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content);
        return "{\"name\":\""
                + name
                + "\",\"fileName\":\""
                + fileName
                + "\",\"type\":\""
                + type
                + "\",\"length\":"
                + content.length
                + ",\"sha256\":\""
                + HexFormat.of().formatHex(sha256)
                + "\"}";
    }

    @Test
    void curlSendsForms() throws Exception {
        Path file = file();
        try (Served upload = Served.start(HttpUpload::start, "nio")) {
            List<String> curl =
                    List.of("curl", "-q", "-sS", "--fail", "--max-time", "250", "--noproxy", "*");
            List<String> multipart = new ArrayList<>(curl);
            multipart.addAll(List.of("-F", "title=Ferien \"2026\" ä", "-F", "f=@" + file));
            multipart.addAll(
                    List.of("-F", "g=@" + file + ";filename=a\"b;type=text/x", url(upload)));
            byte[] content = Files.readAllBytes(file);
            assertThat(run(multipart.toArray(String[]::new)))
                    .contains("\"value\":\"Ferien \\u00222026\\u0022 ä\"")
                    .contains(part("f", "some file.bin", "application/octet-stream", content))
                    .contains(part("g", "a\\u0022b", "text/x", content));
            List<String> urlencoded = new ArrayList<>(curl);
            urlencoded.addAll(List.of("-d", "a=1", "--data-urlencode", "b=ä &+", url(upload)));
            assertThat(run(urlencoded.toArray(String[]::new)))
                    .contains("{\"name\":\"a\",\"value\":\"1\"")
                    .contains("{\"name\":\"b\",\"value\":\"ä &+\"");
        }
    }

    @Test
    void pythonRequestsSendsForms() throws Exception {
        Path file = file();
        Path script =
                Files.writeString(
                        directory.resolve("send.py"),
                        """
                        import sys
                        try:
                            import requests
                        except ImportError:
                            print("MISSING")
                            sys.exit(0)
                        url, path = sys.argv[1], sys.argv[2]
                        fields = {"title": "Ferien \\"2026\\" ä", "empty": ""}
                        files = {"f": open(path, "rb"), "g": ("日本.txt", b"abc", "text/plain")}
                        session = requests.Session()
                        session.trust_env = False
                        r = session.post(url, data=fields, files=files, timeout=250)
                        r.raise_for_status()
                        print(r.content.decode())
                        r = session.post(url, data={"b": "ä &+"}, timeout=250)
                        r.raise_for_status()
                        print(r.content.decode())
                        """);
        try (Served upload = Served.start(HttpUpload::start, "nio")) {
            String said = run("python3", script.toString(), url(upload), file.toString());
            Assumptions.assumeFalse(said.contains("MISSING"), "no python package requests");
            assertThat(said)
                    .contains("\"value\":\"Ferien \\u00222026\\u0022 ä\"")
                    .contains("{\"name\":\"empty\",\"value\":\"\"")
                    .contains("\"fileName\":\"some file.bin\",\"type\":null,\"length\":" + SIZE)
                    .contains(
                            part(
                                    "g",
                                    "日本.txt",
                                    "text/plain",
                                    "abc".getBytes(StandardCharsets.UTF_8)))
                    .contains("{\"name\":\"b\",\"value\":\"ä &+\"");
        }
    }

    @Test
    void goSendsForms() throws Exception {
        Path file = file();
        Path program =
                Files.writeString(
                        directory.resolve("send.go"),
                        """
                        package main

                        import (
                            "bytes"
                            "fmt"
                            "io"
                            "mime/multipart"
                            "net/http"
                            "os"
                        )

                        func main() {
                            content, _ := os.ReadFile(os.Args[2])
                            var body bytes.Buffer
                            w := multipart.NewWriter(&body)
                            w.WriteField("title", "Ferien \\"2026\\" ä")
                            f, _ := w.CreateFormFile("f", "a\\"b\\\\c.bin")
                            f.Write(content)
                            w.Close()
                            r, err := http.Post(os.Args[1], w.FormDataContentType(), &body)
                            if err != nil {
                                panic(err)
                            }
                            said, _ := io.ReadAll(r.Body)
                            fmt.Println(r.StatusCode, string(said))
                        }
                        """);
        try (Served upload = Served.start(HttpUpload::start, "nio")) {
            assertThat(run("go", "run", program.toString(), url(upload), file.toString()))
                    .startsWith("200 ")
                    .contains("\"value\":\"Ferien \\u00222026\\u0022 ä\"")
                    .contains(
                            part(
                                    "f",
                                    "a\\u0022b\\u005cc.bin",
                                    "application/octet-stream",
                                    Files.readAllBytes(file)));
        }
    }

    @Test
    void nodeSendsForms() throws Exception {
        Path script =
                Files.writeString(
                        directory.resolve("send.mjs"),
                        """
                        if (typeof FormData === "undefined") {
                            console.log("MISSING");
                            process.exit(0);
                        }
                        const form = new FormData();
                        form.append("title\\r\\n", "Ferien \\"2026\\" ä\\nb");
                        form.append("f", new Blob(["abc"], {type: "text/plain"}), "a\\"b\\\\ä.txt");
                        const r = await fetch(process.argv[2], {method: "POST", body: form});
                        console.log(r.status, await r.text());
                        const fields = new URLSearchParams([["b", "ä &+"]]);
                        const s = await fetch(process.argv[2], {method: "POST", body: fields});
                        console.log(s.status, await s.text());
                        """);
        try (Served upload = Served.start(HttpUpload::start, "nio")) {
            String said = run("node", script.toString(), url(upload));
            Assumptions.assumeFalse(said.contains("MISSING"), "a node without FormData");
            // As in browsers (WHATWG HTML): line ends of fields become CR LF, backslashes stay.
            assertThat(said)
                    .contains("{\"name\":\"title\\u000d\\u000a\"")
                    .contains("\"value\":\"Ferien \\u00222026\\u0022 ä\\u000d\\u000ab\"")
                    .contains("\"fileName\":\"a\\u0022b\\u005cä.txt\"")
                    .contains("{\"name\":\"b\",\"value\":\"ä &+\"");
        }
    }
}
