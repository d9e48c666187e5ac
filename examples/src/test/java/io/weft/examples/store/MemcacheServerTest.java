package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Options;
import io.weft.examples.Served;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class MemcacheServerTest {
    private static String answers(Served served, String... lines) throws Exception {
        try (Socket socket = served.connect()) {
            String all = "flush_all\r\n" + String.join("\r\n", lines) + "\r\nquit\r\n";
            socket.getOutputStream().write(all.getBytes(ISO_8859_1));
            String answers = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answers).startsWith("OK\r\n");
            return answers.substring(4).replace("\r\n", " ");
        }
    }

    @Test
    void classicCommandsAreAnswered() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            assertThat(answers(served, "set a 5 0 2", "hi", "add a 0 0 1", "x", "get a b"))
                    .isEqualTo("STORED NOT_STORED VALUE a 5 2 hi END ");
            assertThat(
                            answers(
                                    served,
                                    "set n 0 0 1 noreply",
                                    "9",
                                    "incr n 2",
                                    "decr n 20",
                                    "touch n 9"))
                    .isEqualTo("11 0 TOUCHED ");
            assertThat(
                            answers(
                                    served,
                                    "delete x",
                                    "nothing",
                                    "get",
                                    "incr a x",
                                    "set a 0 0 1",
                                    "xx"))
                    .isEqualTo(
                            "NOT_FOUND ERROR ERROR CLIENT_ERROR bad command line format"
                                    + " CLIENT_ERROR bad data chunk ");
        }
    }

    @Test
    void metaCommandsAreAnswered() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            assertThat(
                            answers(
                                    served,
                                    "ms a 2 F7 O1",
                                    "hi",
                                    "mg a v f s k",
                                    "mg a",
                                    "mg b",
                                    "mg b q",
                                    "ms a 1 ME",
                                    "x",
                                    "md a q",
                                    "md a",
                                    "mn"))
                    .isEqualTo("HD O1 VA 2 f7 s2 ka hi HD EN NS NF MN ");
        }
    }

    @Test
    void itemsExpireWithTheClock() {
        long[] now = {1000};
        MemcacheStore store = new MemcacheStore(() -> now[0]);
        var _ = store.store(MemcacheStore.Mode.SET, "a", new byte[1], 0, 10, 0);
        now[0] += 9;
        assertThat(store.get("a")).isNotNull();
        now[0]++;
        assertThat(store.get("a")).isNull();
    }

    @Test
    void memcacheClientShowsReplies() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            Options options =
                    new Options(
                            InetAddress.getLoopbackAddress(), served.address().getPort(), "nio", 1);
            String script =
                    """
                    flush_all
                    set a 0 hello you
                    get a b
                    add a 0 x
                    append a !
                    gat a 10
                    set n 0 41
                    incr n 1
                    incr none 1
                    delete none
                    set a
                    help
                    quit
                    """;
            MemcacheCli.run(
                    options,
                    new BufferedReader(new StringReader(script)),
                    new PrintStream(said, true, ISO_8859_1));
            assertThat(said.toString(ISO_8859_1).replaceAll("cas \\d+", "cas N").lines())
                    .startsWith(
                            "OK",
                            "OK",
                            "a: hello you (flags 0, cas N)",
                            "KEY_EXISTS",
                            "OK",
                            "hello you! (flags 0, cas N)",
                            "OK",
                            "42",
                            "(none)",
                            "KEY_NOT_FOUND",
                            "(not sent) a word is missing:")
                    .contains("(not sent) expected:");
        }
    }
}
