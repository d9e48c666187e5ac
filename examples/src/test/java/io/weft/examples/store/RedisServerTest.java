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

class RedisServerTest {
    private static Served served() {
        return Served.start(RedisServer::start, "nio");
    }

    /// Sends commands as lines, and a last one whose reply ends what is compared.
    private static String answers(Served served, String... lines) throws Exception {
        try (Socket socket = served.connect()) {
            String all = "FLUSHALL\r\n" + String.join("\r\n", lines) + "\r\nQUIT\r\n";
            socket.getOutputStream().write(all.getBytes(ISO_8859_1));
            String answers = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answers).startsWith("+OK\r\n").endsWith("+OK\r\n");
            return answers.substring(5, answers.length() - 5).replace("\r\n", " ");
        }
    }

    @Test
    void commandsAreAnsweredAsRedisDoes() throws Exception {
        try (Served served = served()) {
            assertThat(answers(served, "PING", "echo hi", "nothing", "GET"))
                    .isEqualTo(
                            "+PONG $2 hi -ERR unknown command 'nothing' -ERR wrong number of"
                                    + " arguments for 'get' command ");
            assertThat(answers(served, "SET a 1", "SET a 2 NX", "SET b 2 XX", "GET a", "GET b"))
                    .isEqualTo("+OK $-1 $-1 $1 1 $-1 ");
            assertThat(answers(served, "INCR n", "INCRBY n 41", "DECR n", "SET s x", "INCR s"))
                    .isEqualTo(":1 :42 :41 +OK -ERR value is not an integer or out of range ");
            assertThat(
                            answers(
                                    served,
                                    "MSET a 1 b 2",
                                    "SADD no x",
                                    "MGET a b c no",
                                    "DEL no",
                                    "DEL a x",
                                    "EXISTS b",
                                    "KEYS ?"))
                    .isEqualTo("+OK :1 *4 $1 1 $1 2 $-1 $-1 :1 :1 :1 *1 $1 b ");
            assertThat(
                            answers(
                                    served,
                                    "RPUSH l a b c",
                                    "LPUSH l z",
                                    "LRANGE l 0 -1",
                                    "LPOP l",
                                    "LLEN l"))
                    .isEqualTo(":3 :4 *4 $1 z $1 a $1 b $1 c $1 z :3 ");
            assertThat(
                            answers(
                                    served,
                                    "HSET h a 1 b 2",
                                    "HGET h a",
                                    "HDEL h a x",
                                    "HGETALL h",
                                    "GET h"))
                    .isEqualTo(
                            ":2 $1 1 :1 *2 $1 b $1 2 -WRONGTYPE Operation against a key holding the"
                                    + " wrong kind of value ");
            assertThat(
                            answers(
                                    served,
                                    "SET a 1 EX 100",
                                    "TTL a",
                                    "PERSIST a",
                                    "TTL a",
                                    "TTL x",
                                    "TYPE a"))
                    .isEqualTo("+OK :100 :1 :-1 :-2 +string ");
            assertThat(answers(served, "HELLO 3", "HGETALL h", "GET x")).endsWith(" %0 _ ");
        }
    }

    @Test
    void whatItDoesNotDoIsRefused() throws Exception {
        try (Served served = served()) {
            assertThat(
                            answers(
                                    served,
                                    "GET a b",
                                    "LPOP l 2",
                                    "SELECT 0",
                                    "SELECT 5",
                                    "CLIENT SETNAME me",
                                    "CLIENT TRACKING ON"))
                    .isEqualTo(
                            "-ERR wrong number of arguments for 'get' command -ERR wrong number of"
                                    + " arguments for 'lpop' command +OK -ERR DB index is out of"
                                    + " range +OK -ERR unknown subcommand of 'client' ");
        }
    }

    @Test
    void publishedMessagesReachSubscribers() throws Exception {
        try (Served served = served();
                Socket subscriber = served.connect()) {
            subscriber
                    .getOutputStream()
                    .write("SUBSCRIBE a\r\nPSUBSCRIBE ?\r\n".getBytes(ISO_8859_1));
            String confirmed =
                    String.join(
                            "",
                            "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n*3\r\n$10\r\n",
                            "psubscribe\r\n$1\r\n?\r\n:2\r\n");
            assertThat(read(subscriber, confirmed.length())).isEqualTo(confirmed);
            assertThat(answers(served, "PUBLISH a x", "PUBLISH other x")).isEqualTo(":2 :0 ");
            String messages =
                    String.join(
                            "",
                            "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n*4\r\n$8\r\n",
                            "pmessage\r\n$1\r\n?\r\n$1\r\na\r\n$1\r\nx\r\n");
            assertThat(read(subscriber, messages.length())).isEqualTo(messages);
        }
    }

    private static String read(Socket socket, int length) throws Exception {
        return new String(socket.getInputStream().readNBytes(length), ISO_8859_1);
    }

    @Test
    void keysExpireWithTheClock() {
        long[] now = {1000};
        RedisKeyspace keys = new RedisKeyspace(() -> now[0]);
        assertThat(keys.setString("a", new byte[] {1}, null, 10)).isTrue();
        now[0] += 9;
        assertThat(keys.timeToLive("a")).isEqualTo(1);
        now[0]++;
        assertThat(keys.string("a")).isNull();
        assertThat(keys.timeToLive("a")).isEqualTo(-2);
    }

    @Test
    void globsMatchAsThoseOfRedis() {
        assertThat(RedisTopics.matches("a*c?", "abbcd")).isTrue();
        assertThat(RedisTopics.matches("*", "")).isTrue();
        assertThat(RedisTopics.matches("?", "")).isFalse();
        assertThat(RedisTopics.matches("a*b*c", "aXbYbc")).isTrue();
        assertThat(RedisTopics.matches("*".repeat(50) + "b", "a".repeat(1000))).isFalse();
    }

    @Test
    void redisClientShowsReplies() throws Exception {
        try (Served served = served()) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            Options options =
                    new Options(
                            InetAddress.getLoopbackAddress(), served.address().getPort(), "nio", 1);
            String script =
                    String.join(
                            "",
                            "FLUSHALL\nSET a 1\nGET a\n\nGET b\nHSET h f v\nHGETALL h\n",
                            "RPUSH l a b\nLRANGE l 0 -1\nWHAT\nquit\n");
            RedisCli.run(
                    StoreDial.plain(options),
                    new BufferedReader(new StringReader(script)),
                    new PrintStream(said, true, ISO_8859_1));
            assertThat(said.toString(ISO_8859_1).lines())
                    .containsExactly(
                            "OK",
                            "OK",
                            "\"1\"",
                            "(nil)",
                            "(integer) 1",
                            "1) \"f\" => \"v\"",
                            "(integer) 2",
                            "1) \"a\"",
                            "2) \"b\"",
                            "(error) ERR unknown command 'what'");
        }
    }
}
