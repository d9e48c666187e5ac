package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.client.HttpClient;
import io.weft.http.forms.FormBody;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Our client sends forms to real servers.
@Tag("peers")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FormServersPeersTest {
    @TempDir Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    /// Starts a server that says its port in its first line, and sends forms to it.
    private void talk(String... command) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, command[0])));
        Assumptions.assumeTrue(
                there, command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
                HttpClient client = HttpClient.builder().transport("nio").build()) {
            String line = said.readLine();
            Assumptions.assumeFalse("MISSING".equals(line), command[0] + " cannot parse forms");
            send(client, "http://127.0.0.1:" + Integer.parseInt(line) + "/");
        } finally {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        }
    }

    private void send(HttpClient client, String url) throws Exception {
        Path file =
                Files.writeString(directory.resolve("some file.txt"), "x\r\n--weft-".repeat(9999));
        for (boolean streamed : List.of(false, true)) {
            byte[] bytes = "abc\r\n".getBytes(StandardCharsets.UTF_8);
            Body content = streamed ? Body.of(new ByteArrayInputStream(bytes)) : Body.wrap(bytes);
            FormBody form =
                    FormBody.multipart()
                            .field("title", "Ferien \"2026\" ä\r\n&=")
                            .field("empty", "")
                            .file("f", file)
                            .file("g", "日本.bin", "application/x-y", content)
                            .build();
            assertThat(form.body().length() < 0).isEqualTo(streamed);
            String said = client.send(form.on(Request.post(url, Body.empty()))).body().asString();
            assertThat(said.lines().sorted().toList())
                    .containsExactly(
                            "empty=",
                            "f=some file.txt text/plain " + Files.size(file),
                            "g=日本.bin application/x-y 5",
                            "title=Ferien \"2026\" ä\\r\\n&=");
        }
        FormBody plain = FormBody.urlencoded().field("a b", "ä&=+%\r\n").field("c", "").build();
        String said = client.send(plain.on(Request.post(url, Body.empty()))).body().asString();
        assertThat(said.lines().sorted().toList()).containsExactly("a b=ä&=+%\\r\\n", "c=");
    }

    @Test
    void goReadsForms() throws Exception {
        Path program =
                Files.writeString(
                        directory.resolve("serve.go"),
                        """
                        package main

                        import (
                            "fmt"
                            "net"
                            "net/http"
                            "strings"
                        )

                        func main() {
                            listener, _ := net.Listen("tcp", "127.0.0.1:0")
                            fmt.Println(listener.Addr().(*net.TCPAddr).Port)
                            http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
                                err := r.ParseMultipartForm(1 << 20)
                                if err != nil && err != http.ErrNotMultipart {
                                    fmt.Fprintln(w, err)
                                }
                                escape := strings.NewReplacer("\\r", "\\\\r", "\\n", "\\\\n")
                                for name, values := range r.PostForm {
                                    fmt.Fprintln(w, name + "=" + escape.Replace(values[0]))
                                }
                                if r.MultipartForm == nil {
                                    return
                                }
                                for name, files := range r.MultipartForm.File {
                                    f := files[0]
                                    fmt.Fprintf(w, "%s=%s %s %d\\n", name, f.Filename, f.Header.Get("Content-Type"), f.Size)
                                }
                            }))
                        }
                        """);
        talk("go", "run", program.toString());
    }

    @Test
    void nodeReadsForms() throws Exception {
        Path script =
                Files.writeString(
                        directory.resolve("serve.mjs"),
                        """
                        import http from "node:http";
                        if (typeof Response === "undefined") {
                            console.log("MISSING");
                            process.exit(0);
                        }
                        http.createServer(async (request, response) => {
                            const chunks = [];
                            for await (const chunk of request) chunks.push(chunk);
                            const headers = {"content-type": request.headers["content-type"]};
                            let said = "";
                            try {
                                const form = await new Response(Buffer.concat(chunks), {headers}).formData();
                                for (const [name, value] of form) {
                                    said += name + "=" + (typeof value === "string"
                                        ? value.replaceAll("\\r", "\\\\r").replaceAll("\\n", "\\\\n")
                                        : value.name + " " + value.type + " " + value.size) + "\\n";
                                }
                            } catch (e) {
                                said = String(e);
                            }
                            response.end(said);
                        }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
                        """);
        talk("node", script.toString());
    }
}
