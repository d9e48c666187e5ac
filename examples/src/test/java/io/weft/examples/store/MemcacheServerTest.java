package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Options;
import io.weft.examples.Served;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    void metaCommandsHaveTheirFlags() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            assertThat(
                            answers(
                                    served,
                                    "ms YQ== 2 b k O1",
                                    "hi",
                                    "mg a v k",
                                    "mg YQ== v b k t",
                                    "mg a T100 t",
                                    "mg none N30 t s",
                                    "mg none q",
                                    "me nothing",
                                    "mg a W",
                                    "mg",
                                    "md YQ== b k"))
                    .isEqualTo(
                            "HD b kYQ== O1 VA 2 ka hi VA 2 b kYQ== t-1 hi HD t100 HD t30 s0 W HD"
                                    + " EN CLIENT_ERROR invalid flag ERROR HD b kYQ== ");
            assertThat(
                            answers(
                                    served,
                                    "ma n",
                                    "ma n N0 J40 v",
                                    "ma n D2 v",
                                    "ma n MD D50 v",
                                    "ma n q",
                                    "ma n C99999999",
                                    "ma n MX",
                                    "ms s 1",
                                    "x",
                                    "ma s"))
                    .isEqualTo(
                            "NF VA 2 40 VA 2 42 VA 1 0 EX CLIENT_ERROR bad command line format HD"
                                    + " CLIENT_ERROR cannot increment or decrement non-numeric"
                                    + " value ");
            assertThat(answers(served, "ms a 2", "hi", "me a"))
                    .matches("HD ME a exp=-1 cas=\\d+ size=2 ");
        }
    }

    @Test
    void keysAreBytes() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            assertThat(
                            answers(
                                    served,
                                    "set \u00FF 0 0 1",
                                    "a",
                                    "set \u00FE 0 0 1",
                                    "b",
                                    "mg \u00FF v",
                                    "set a\u0001 0 0 1",
                                    "x",
                                    "gat 9 " + "k".repeat(251),
                                    "touch \u00FE -1",
                                    "mg \u00FE"))
                    .isEqualTo(
                            "STORED STORED VA 1 a CLIENT_ERROR bad command line format"
                                    + " CLIENT_ERROR bad command line format TOUCHED EN ");
        }
    }

    @Test
    void valuesThatAreTooLargeAreRefusedAndTheConnectionGoesOn() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            assertThat(answers(served, "set a 0 0 2000000", "x".repeat(2_000_000), "mn"))
                    .isEqualTo("SERVER_ERROR object too large for cache MN ");
        }
    }

    @Test
    void manyLargeValuesAreAnsweredAsThePeerTakesThem() throws Exception {
        try (Served served = Served.start(MemcacheServer::start, "nio")) {
            int length = 1_000_000;
            int count = 100;
            try (Socket socket = served.connect()) {
                String all =
                        "set a 0 0 %d\r\n%s\r\n".formatted(length, "x".repeat(length))
                                + "get a\r\n".repeat(count)
                                + "get"
                                + " a".repeat(count)
                                + "\r\nquit\r\n";
                socket.getOutputStream().write(all.getBytes(ISO_8859_1));
                long read = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                assertThat(read).isGreaterThan(2L * count * length);
            }
        }
    }

    @Test
    void numbersAreCountedOnceByEachClient() throws Exception {
        MemcacheStore store = new MemcacheStore(() -> 0);
        var _ = store.store(MemcacheStore.Mode.SET, "n", new byte[] {'0'}, 0, 0, 0);
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Runnable client =
                () -> {
                    for (int i = 0; i < 2_000; i++) {
                        seen.add(
                                new String(
                                        requireNonNull(store.add("n", true, 1).item()).value(),
                                        ISO_8859_1));
                    }
                };
        Thread other = Thread.ofPlatform().start(client);
        client.run();
        other.join();
        assertThat(seen).hasSize(4_000);
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
                    StoreDial.plain(options),
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
                            "(not sent) set: a word is missing (expected: as --help shows)",
                            "(not sent) help: unknown command (expected: one that --help shows)");
        }
    }
}
